import { expect, onTestFinished, test } from 'vitest'
import { quotePrice, settlePrice } from '#core/price.ts'
import { baseUrlName } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { startReplayServer } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { silentLog } from '#test/silent-log.ts'
import { emailB } from './provider.ts'
import { result } from './result.ts'

const id = 'kMnquYkBTs8kZM9ND26h'
const exchange = (status: string) => ({
  request: { method: 'POST', path: '/bulk-single-searchs/read', query: {}, body: { id } },
  reply: { status: 200, body: { success: true, items: [{ _id: id, status }] } },
})

test.each([
  ['BAD_INPUT', 10_000],
  ['ABORTED', 10_000],
  ['NOT_FOUND', 10_000],
  // Nothing was searched, and the caller could do nothing about it.
  ['INSUFFICIENT_FUNDS', 0],
])('the end %s is the status of the item, and its poll costs %i', async (status, micros) => {
  const { output } = await replayAction(emailB, 'result', {
    input: { id },
    exchanges: [exchange(status)],
  })
  const state = status === 'NOT_FOUND' ? 'not_found' : 'error'
  expect(output.items).toEqual([{ _id: id, status, state }])
  const quote = quotePrice(result.price, { id })
  expect(settlePrice(result.price, quote, { id }, output)).toBe(micros)
})

test.each([
  ['INSUFFICIENT_FUNDS', 1],
  ['ABORTED', 0],
])('of the end %s the operator is told %i times', async (status, times) => {
  const server = await startReplayServer([exchange(status)])
  onTestFinished(server.close)
  const told: string[] = []
  const service = createService(emailB, {
    variables: new Map([
      [baseUrlName(emailB), server.baseUrlFor(emailB.upstream?.baseUrl ?? '')],
      ['NS_EMAIL_B_API_KEY', 'test-key'],
    ]),
    userAgent: 'Tollway/test (tests@example.org)',
    clock: systemClock,
    log: { ...silentLog, error: (_fields, message) => void told.push(message) },
  })
  onTestFinished(service.close)
  await service.http.post('/bulk-single-searchs/read', { id })
  expect(told.filter((message) => message.startsWith('Operator alert: '))).toHaveLength(times)
})
