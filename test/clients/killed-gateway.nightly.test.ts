// A gateway that is killed after it charged a call and before the client has the answer.
import { createTollway } from '@tollway/client'
import { expect, test } from 'vitest'
import { startMortalGateway } from '../simulation/mortal-gateway.ts'
import { openBreakingProxy } from './breaking-proxy.ts'

test('the client reads the answer back from the next gateway, and the call is charged once', async () => {
  const gateway = await startMortalGateway()
  const { key } = await gateway.openAccount(100)
  const proxy = await openBreakingProxy(gateway.url)
  const retry = { failuresMax: 100 }
  const tollway = createTollway({ baseUrl: proxy.url, key, retry })
  proxy.next({ loseAnswer: gateway.kill })

  const reserving = tollway.run('files/upload', { filename: 'a.txt', size_bytes: 1 })
  await expect.poll(() => proxy.seen.length).toBeGreaterThan(1)
  await gateway.start()
  expect(await reserving).toMatchObject({ chargedCents: 1, replayed: true })
  expect(new Set(proxy.seen.map(({ key }) => key)).size).toBe(1)
  const { available_cents, held_cents } = await tollway.request('GET /api/v1/account')
  expect({ available_cents, held_cents }).toEqual({ available_cents: 99, held_cents: 0 })
  await gateway.expectBooksRight()
})
