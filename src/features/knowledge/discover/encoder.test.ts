import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { createEncoder, type Encoder } from './encoder.ts'

const opened: Encoder[] = []
const warnings: string[] = []
const log = { warn: (_fields: object, message: string) => void warnings.push(message) }
function open(options: { idleMs?: number; now?: () => number; script?: URL } = {}) {
  const encoder = createEncoder({ log, now: Date.now, ...options })
  opened.push(encoder)
  return encoder
}
afterEach(async () => {
  warnings.length = 0
  for (const encoder of opened.splice(0)) await encoder.close()
})
const cosine = (one: Float32Array = new Float32Array(), other = one) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

test('similar meanings are near, different ones far, and vectors have length 1', async () => {
  const [raised, funding, dog] =
    (await open().embed([
      'which companies raised money?',
      'startup funding rounds',
      'my dog barks at night',
    ])) ?? []
  expect(raised).toHaveLength(512)
  expect(cosine(raised)).toBeCloseTo(1, 4)
  expect(cosine(raised, funding)).toBeGreaterThan(cosine(raised, dog) + 0.1)
})

test('a thread starts with the first question and ends after an idle time', async () => {
  const started = vi.spyOn(Worker.prototype, 'postMessage')
  const ended = vi.spyOn(Worker.prototype, 'terminate')
  const encoder = open({ idleMs: 1 })
  expect(await encoder.embed([])).toEqual([])
  expect(started).not.toHaveBeenCalled()
  expect(await encoder.embed(['hello'])).toHaveLength(1)
  await expect.poll(() => ended.mock.calls.length).toBe(1)
  expect(await encoder.embed(['hello again'])).toHaveLength(1)
  vi.restoreAllMocks()
})

test('a model that cannot be loaded causes a warning and is not retried at every question', async () => {
  const state = { now: 0 }
  const encoder = open({
    now: () => state.now,
    script: new URL('data:text/javascript,throw new Error("no weights")'),
  })
  expect(await encoder.embed(['hello'])).toBeUndefined()
  expect(await encoder.embed(['hello'])).toBeUndefined()
  expect(warnings).toEqual(['The sentence model is not available; discover goes by words alone.'])
  state.now = 60_001
  expect(await encoder.embed(['hello'])).toBeUndefined()
  expect(warnings).toHaveLength(2)
})

test('closing answers all waiting questions', async () => {
  const encoder = open()
  const waiting = encoder.embed(['hello'])
  await encoder.close()
  expect(await waiting).toBeUndefined()
  expect(warnings).toEqual([])
})
