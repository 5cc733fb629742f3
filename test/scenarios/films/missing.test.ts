// A machine that cannot render: what needs no program works, and the rest says what is missing.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const shared = shareGatewayOfWorker({ env: { CHROMIUM_PATH: '/nowhere/chromium' } })

test.each(['upload', 'render'])('%s is unavailable, with the reason', async (action) => {
  const { body } = await shared().request('GET', `/api/run/ns_assembler/${action}`)
  expect(body).toMatchObject({ mode: 'unavailable' })
  expect(body.reason).toMatch(/NS_ASSEMBLER_API_KEY.* Or: .*(Chromium|ffmpeg|bubblewrap|bwrap)/)
  const account = await shared().account(200)
  const reply = await account.call(`ns_assembler/${action}`, { file_id: 'f', project_id: 'p' })
  expect([reply.status, reply.body.error]).toEqual([503, 'provider_not_configured'])
  expect(await account.state()).toEqual({ availableCents: 200, heldCents: 0, transactions: 0 })
})

test('projects are kept and compositions are judged all the same', async () => {
  const account = await shared().account(10)
  const created = await account.call('ns_assembler/create_project', { name: 'n' })
  expect(created.body).toMatchObject({ data: { provider: 'embedded' } })
})
