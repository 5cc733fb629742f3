import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { splitId } from '#core/catalog.ts'
import { oneFile } from '#test/one-file.ts'
import type { Exchange, Fixture } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { providers } from '../providers.ts'

/** The fixture’s exchanges, with the last answer as this function changes it. */
function answering(id: string, change: (body: Record<string, unknown>) => object) {
  const [service, name] = splitId(id)
  const file = path.join(import.meta.dirname, '..', service, 'fixtures', `${name}.json`)
  const fixture: Fixture = JSON.parse(readFileSync(file, 'utf8'))
  const [last, ...before] = fixture.exchanges.toReversed() as Exchange[]
  const reply = last?.reply as { body: Record<string, unknown> }
  const changed = { ...last, reply: { ...reply, body: change(reply.body) } } as Exchange
  return { fixture, exchanges: [...before.toReversed(), changed] }
}

test.each<readonly [string, (body: Record<string, unknown>) => object]>([
  ['ns_par/task', (body) => ({ ...body, status: 'failed' })],
  ['ns_par/task', (body) => ({ ...body, status: 'cancelled' })],
  ['ns_email_b/email-search', () => ({ success: true, item: { _id: 'a', status: 'ABORTED' } })],
  ['ns_email_b/domain-scan', () => ({ success: true, item: { _id: 'a', status: 'BAD_INPUT' } })],
  [
    'ns_email_b/email-verification',
    () => ({ success: true, item: { _id: 'a', status: 'INSUFFICIENT_FUNDS' } }),
  ],
  [
    'ns_enrich/company-funders',
    () => ({ success: true, data: { request_id: 'a', status: 'failed' } }),
  ],
  ['ns_render_b/extract', (body) => ({ ...body, status: 'failed' })],
  ['ns_render_b/crawl', (body) => ({ ...body, status: 'failed' })],
  ['ns_assembler/upload', (body) => ({ ...body, status: 'error' })],
  ['ns_fax/send', (body) => ({ ...body, status: 'failed' })],
  ['ns_postcard/send', (body) => ({ ...body, status: 'rejected' })],
  ['ns_print/order', (body) => ({ ...body, status: 'failed' })],
  ['ns_wine/purchase', (body) => ({ ...body, status: 'declined' })],
  ['ns_jewelry/purchase', (body) => ({ ...body, status: 'cancelled' })],
])('%s fails when the vendor says so in its first answer', async (id, change) => {
  const { fixture, exchanges } = answering(id, change)
  const [service, name] = splitId(id)
  const provider = providers.find((one) => one.id === service)
  if (provider === undefined) throw new Error(`There is no provider ${service}.`)
  const action = provider.actions.find((one) => one.name === name)
  const { error } = await replayAction(provider, name, {
    input: action?.example.input,
    exchanges,
    ...(fixture.file && { files: oneFile(fixture.file) }),
  })
  expect(error).toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(/has failed/),
  })
})
