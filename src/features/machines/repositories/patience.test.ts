import { expect, onTestFinished, test, vi } from 'vitest'
import { createPatience } from './patience.ts'

const silenceMsMax = 1_000
const chunk = Buffer.from('x')
const never = new Promise<never>(() => {})

function setUp() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  return createPatience(silenceMsMax)
}

async function* endless() {
  for (;;) yield chunk
}

async function* silentAfter(chunks: number) {
  for (let at = 0; at < chunks; at += 1) yield chunk
  yield await never
}

test('a client that stops sending is given up, however slowly Git takes what was sent', async () => {
  const { receiving, signal } = setUp()
  const received = receiving(silentAfter(2))
  await received.next()
  vi.advanceTimersByTime(10 * silenceMsMax)
  await received.next()
  void received.next()
  await vi.advanceTimersByTimeAsync(silenceMsMax - 1)
  expect(signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(signal.reason).toMatchObject({ code: 'request_timeout' })
})

test('a client that stops reading is given up, however slowly Git answers', async () => {
  const { sending, signal } = setUp()
  void sending(silentAfter(0)).next()
  await vi.advanceTimersByTimeAsync(10 * silenceMsMax)
  expect(signal.aborted).toBe(false)
  await sending(endless()).next()
  await vi.advanceTimersByTimeAsync(silenceMsMax)
  expect(signal.aborted).toBe(true)
})

test('a body that ended, or was given up, is waited for no longer', async () => {
  const { receiving, sending, signal } = setUp()
  const [received, sent] = [receiving(endless()), sending(endless())]
  for (const each of [received, sent]) {
    await each.next()
    await each.return(undefined)
  }
  await vi.advanceTimersByTimeAsync(10 * silenceMsMax)
  expect(signal.aborted).toBe(false)
})
