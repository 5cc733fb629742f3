// A generation that takes too long is dropped at the vendor. Time passes as the test says.
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { listMediaModels } from '#catalog/ns_media/lib/models.ts'
import { runModel } from '#catalog/ns_media/lib/run-model.ts'
import { media } from '#catalog/ns_media/provider.ts'
import type { Clock } from '#core/ports.ts'
import { createService } from '#platform/http/service.ts'
import { mediaKey, startMediaVendor } from '#test/media-vendor.ts'
import { silentLog } from '#test/silent-log.ts'

const vendor = await startMediaVendor()
afterAll(vendor.close)
const models = listMediaModels()
const { signal } = new AbortController()
const minuteMs = 60_000
const inlineMinutes = 4
const jobMinutes = 20

/** Every sleep takes a minute of this clock, and no time. */
function createClock(): Clock & { pass(minutes: number): void } {
  let nowMs = 0
  return {
    now: () => nowMs,
    async sleep() {
      nowMs += minuteMs
    },
    pass(minutes) {
      nowMs += minutes * minuteMs
    },
  }
}

function open(key: string) {
  const machine = {
    speech: { speak: () => Promise.reject(new Error('Not asked for.')) },
    openOutput: () => Promise.reject(new Error('Not asked for.')),
  }
  const clock = createClock()
  const service = createService(media({ models, machine }), {
    variables: new Map([
      ['NS_MEDIA_API_KEY', mediaKey],
      ['NS_MEDIA_BASE_URL', vendor.url],
    ]),
    userAgent: 'Tollway/test',
    clock,
    log: silentLog,
  })
  onTestFinished(service.close)
  const model = models.get(key)
  if (model === undefined) throw new Error(`There is no ${key}.`)
  return { clock, model, service, http: service.http.withSignal(signal) }
}

function inlineCannotWait(): never {
  throw new Error('An inline answer cannot wait.')
}

test('an image that is not made within four minutes is cancelled upstream', async () => {
  vendor.plan({ before: Array(100).fill('IN_PROGRESS') })
  const { clock, model, http } = open('flux/dev')
  const context = {
    http,
    clock,
    signal,
    jobId: '',
    checkpoints: new Map(),
    save: async () => {},
    report: async () => {},
    later: inlineCannotWait,
  }
  await expect(runModel(context, model, async () => ({ prompt: 'x' }))).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining(
      `within ${inlineMinutes} minutes, so the generation was cancelled`,
    ),
  })
  expect(vendor.cancelled).toHaveLength(1)
})

test('an image whose call ends is cancelled upstream, also when it was just being ordered', async () => {
  const answer = Promise.withResolvers<void>()
  for (const answersAfter of [undefined, answer.promise]) {
    const call = new AbortController()
    vendor.plan({ before: Array(100).fill('IN_PROGRESS'), ...(answersAfter && { answersAfter }) })
    const { clock, model, service } = open('flux/dev')
    const ended = new Error('The outer call has ended.')
    const context = {
      jobId: '',
      checkpoints: new Map(),
      signal: call.signal,
      http: service.http.withSignal(call.signal),
      clock: { ...clock, sleep: async () => call.abort(ended) },
      save: async () => {},
      report: async () => {},
      later: inlineCannotWait,
    }
    const outcome = expect(runModel(context, model, async () => ({ prompt: 'x' }))).rejects.toBe(
      ended,
    )
    if (answersAfter !== undefined) {
      await expect.poll(() => vendor.seen.length).toBe(1)
      call.abort(ended)
      answer.resolve()
    }
    await outcome
    expect(vendor.cancelled).toHaveLength(1)
    expect(vendor.polls()).toBe(answersAfter === undefined ? 1 : 0)
  }
})

test('a video waits for twenty minutes, less and less often asked about, and is then cancelled', async () => {
  vendor.plan({ before: Array(1_000).fill('IN_QUEUE') })
  const { clock, model, http } = open('veo3.1')
  const checkpoints = new Map<string, unknown>()
  const phases = new Set<string>()
  const delays: number[] = []
  const postponed = new Error('The job waits.')
  const context = {
    http,
    clock,
    signal,
    jobId: 'job',
    checkpoints,
    async save(name: string, value: unknown) {
      checkpoints.set(name, value)
    },
    async report({ phase }: { phase: string }) {
      phases.add(phase)
    },
    later(delayMs: number): never {
      delays.push(delayMs)
      throw postponed
    },
  }
  const turn = () => runModel(context, model, async () => ({ prompt: 'x' }))
  for (let minute = 0; minute <= jobMinutes; minute += 1) {
    await expect(turn()).rejects.toBe(postponed)
    if (minute < jobMinutes) clock.pass(minute === 0 ? 0 : 1)
  }
  expect(delays).toEqual(delays.toSorted((one, other) => one - other))
  expect([...phases]).toEqual(['queued behind 1'])
  clock.pass(1)
  await expect(turn()).rejects.toMatchObject({ code: 'upstream_error' })
  expect(vendor.cancelled).toHaveLength(1)
  expect(vendor.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a vendor that cannot be asked for a while does not end a video', async () => {
  vendor.plan({ result: { video: { url: 'https://v3.fal.media/files/film.mp4' } } })
  const { clock, model, http } = open('veo3.1')
  const checkpoints = new Map<string, unknown>([
    ['sending', true],
    ['request', { requestId: 'of-another-day', sentAtMs: 0 }],
  ])
  const away = { ...http, get: () => Promise.reject(new Error('The vendor is away.')) }
  const postponed = new Error('The job waits.')
  const context = {
    http: away,
    clock,
    signal,
    jobId: 'job',
    checkpoints,
    save: async () => {},
    report: async () => {},
    later: () => {
      throw postponed
    },
  }
  await expect(runModel(context, model, async () => ({ prompt: 'x' }))).rejects.toBe(postponed)
})
