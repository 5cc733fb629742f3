// The wall of faults before the surfaces that are not conversations: each fault of a first upstream before a healthy
// second one of the same model. The numbers are those of the wall of conversations.
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import {
  ask,
  expectPaid,
  startSurfaceGateway,
  surfacePrices,
} from '#test/models/surface-gateway.ts'
import {
  beginToSpeak,
  eventsOfPicture,
  eventsOfTranscript,
  type SurfaceAsked,
  type SurfaceBehaviour,
  sendEvents,
  startSurfaceUpstream,
} from '#test/models/surface-upstream.ts'
import { wallTimeouts } from '#test/models/wall.ts'

interface Surface {
  readonly name: string
  readonly path: string
  readonly body: () => object | FormData
  readonly micros: number
  /** Sends the first piece of an answer that is passed on as it arrives. Absent: it is not. */
  readonly begin?: (asked: SurfaceAsked) => void
  /** How its caller learns that an answer broke off. */
  readonly breaksBy?: 'event' | 'connection'
}

function soundForm(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(7_500)]), 'a.mp3')
  return form
}
const surfaces: readonly Surface[] = [
  {
    name: 'embeddings',
    path: '/embeddings',
    body: () => ({ model: 'lab/embed', input: 'ab' }),
    micros: 1,
  },
  {
    name: 'images',
    path: '/images/generations',
    body: () => ({ model: 'lab/draw', prompt: 'an otter' }),
    micros: 50 * 5 + 1_056 * 40,
  },
  {
    name: 'images as events',
    path: '/images/generations',
    body: () => ({ model: 'lab/draw', prompt: 'an otter', stream: true, partial_images: 1 }),
    micros: 50 * 5 + 1_156 * 40,
    begin: (it) => sendEvents(it, eventsOfPicture(it).slice(0, 1)),
    breaksBy: 'event',
  },
  {
    name: 'speech',
    path: '/audio/speech',
    body: () => ({ model: 'lab/tts', input: 'abc', voice: 'alloy' }),
    micros: 45,
    begin: (it) => beginToSpeak(it, 1),
    breaksBy: 'connection',
  },
  {
    name: 'speech as events',
    path: '/audio/speech',
    body: () => ({ model: 'lab/tts-tokens', input: 'abc', voice: 'alloy', stream_format: 'sse' }),
    micros: 14 + 101 * 12,
    begin: (it) => beginToSpeak(it, 1),
    breaksBy: 'event',
  },
  {
    name: 'transcriptions',
    path: '/audio/transcriptions',
    body: () => soundForm({ model: 'lab/gpt-hear' }),
    micros: 10 * 2 + 100 * 6 + 20 * 10,
  },
  {
    name: 'transcriptions as events',
    path: '/audio/transcriptions',
    body: () => soundForm({ model: 'lab/gpt-hear', stream: 'true' }),
    micros: 10 * 2 + 100 * 6 + 20 * 10,
    begin: (it) => sendEvents(it, eventsOfTranscript(it).slice(0, 1)),
    breaksBy: 'event',
  },
  {
    name: 'rerank',
    path: '/rerank',
    body: () => ({ model: 'lab/rank', query: 'a', documents: ['b'] }),
    micros: 2_000,
  },
]

const refuses =
  (status: number, error: object = {}, headers?: Record<string, string>): SurfaceBehaviour =>
  (it) =>
    it.send(status, { error: { message: 'secret vendor words', ...error } }, headers)
/** The first piece, or the first half of a whole answer, has left. */
const beginning =
  ({ begin }: Surface, then: SurfaceBehaviour): SurfaceBehaviour =>
  async (it) => {
    const { response } = it
    if (begin !== undefined) begin(it)
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '2000' })
      response.write('{"data":[')
    }
    await new Promise((resolve) => response.write('\n', resolve))
    await then(it)
  }
const answers: SurfaceBehaviour = (it) => it.answer()
const silence: SurfaceBehaviour = () => {}

interface Fault {
  readonly name: string
  readonly first: (surface: Surface) => [SurfaceBehaviour, ...SurfaceBehaviour[]]
  /** A stream has begun by then, and cannot be taken back. */
  readonly begun?: true
  readonly refused?: string
}
const faults: readonly Fault[] = [
  {
    name: '1: 429 with Retry-After',
    first: () => [refuses(429, {}, { 'retry-after': '1' }), answers],
  },
  { name: '2: 429 for ever', first: () => [refuses(429)] },
  { name: '3: 500 once', first: () => [refuses(500), answers] },
  { name: '4: 503 for ever', first: () => [refuses(503)] },
  { name: '5: a reset before the headers', first: () => [(it) => it.socket.resetAndDestroy()] },
  { name: '6: silence', first: () => [silence] },
  {
    name: '8: a cut in the middle',
    first: (surface) => [beginning(surface, (it) => it.socket.destroy())],
    begun: true,
  },
  {
    name: '9: a stall in the middle',
    first: (surface) => [beginning(surface, silence)],
    begun: true,
  },
  {
    name: '10: a malformed answer',
    first: () => [
      (it) => {
        it.response.writeHead(200, { 'content-type': 'application/json' })
        it.response.end('{"data":[{"index"')
      },
    ],
  },
  {
    name: '12: too much for its context',
    first: () => [refuses(400, { code: 'context_length_exceeded' })],
    refused: 'bad_request',
  },
  {
    name: '13: its content filter',
    first: () => [refuses(400, { code: 'content_filter' })],
    refused: 'content_policy_violation',
  },
  { name: '16: the second upstream’s count', first: () => [refuses(502)] },
]

async function startWall() {
  let aheadMs = 0
  const clock = { ...systemClock, now: () => Date.now() + aheadMs }
  const spare = await startSurfaceUpstream(onTestFinished)
  const gateway = await startSurfaceGateway({
    clock,
    config: (url) => ({
      upstreams: Object.fromEntries(
        Object.entries({ first: url, second: spare.url }).map(([name, base_url]) => [
          name,
          { base_url, api_key: 'LAB_API_KEY', serves: ['lab/*'] },
        ]),
      ),
      prices: surfacePrices,
      timeouts: wallTimeouts,
    }),
  })
  return {
    gateway,
    spare,
    /** Each fault meets upstreams that have not failed before. */
    forget(afterMs: number) {
      aheadMs += afterMs
      for (const upstream of [gateway.upstream, spare]) upstream.reset()
    },
  }
}

describe.each(surfaces)('$name', (surface) => {
  test('the sixteen faults: an answer, the true reason, or a break that its caller sees', async () => {
    const { gateway, spare, forget } = await startWall()
    const askNow = async () => {
      const account = await gateway.account(1_000)
      const reply = await ask(gateway, account, surface.path, surface.body()).catch(() => undefined)
      return { account, reply }
    }
    for (const fault of faults) {
      forget(60_000)
      gateway.upstream.behave(surface.path, ...fault.first(surface))
      const { account, reply } = await askNow()
      const text = reply?.bytes.toString() ?? ''
      expect(text, fault.name).not.toContain('secret')
      if (fault.refused !== undefined) {
        expect([fault.name, reply?.status, reply?.body.error.code]).toEqual([
          fault.name,
          400,
          fault.refused,
        ])
        await expectPaid(gateway, account, 0)
      } else if (fault.begun === true && surface.begin !== undefined) {
        const seen = reply === undefined ? 'connection' : 'event'
        expect([fault.name, seen]).toEqual([fault.name, surface.breaksBy])
        if (seen === 'event') expect(text).toContain('event: error')
        expect(text).not.toMatch(/completed"|\.done"/)
        expect(spare.asked).toHaveLength(0)
        await expectPaid(gateway, account, 0)
      } else {
        expect([fault.name, reply?.status, reply?.headers.get('x-attempts')]).toEqual([
          fault.name,
          200,
          '2',
        ])
        expect(spare.asked).toHaveLength(1)
        await expectPaid(gateway, account, surface.micros)
      }
      expect(spare.problems).toEqual([])
    }
  })

  test('15: an upstream that is down and comes back', async () => {
    const { gateway, forget } = await startWall()
    forget(60_000)
    const account = await gateway.account(1_000)
    const attempts = async () => {
      const reply = await ask(gateway, account, surface.path, surface.body())
      return [reply.status, reply.headers.get('x-attempts')]
    }
    gateway.upstream.behave(surface.path, refuses(503))
    for (let call = 0; call < 3; call += 1) expect(await attempts()).toEqual([200, '2'])
    // Its failures are recorded, so calls no longer wait for it.
    expect(await attempts()).toEqual([200, '1'])
    expect(gateway.upstream.asked).toHaveLength(3)
    forget(5_000)
    expect(await attempts()).toEqual([200, '1'])
    expect(gateway.upstream.asked).toHaveLength(1)
    await expectPaid(gateway, account, 5 * surface.micros)
  })
})

describe.each(surfaces.filter(({ begin }) => begin !== undefined))('$name', (surface) => {
  test('an upstream that breaks its answers off comes last', async () => {
    const { gateway, spare, forget } = await startWall()
    forget(60_000)
    const account = await gateway.account(1_000)
    const askNow = () => ask(gateway, account, surface.path, surface.body()).catch(() => undefined)
    gateway.upstream.behave(
      surface.path,
      beginning(surface, (it) => it.socket.destroy()),
    )
    for (let call = 0; call < 3; call += 1) await askNow()
    expect(gateway.upstream.asked).toHaveLength(3)
    expect(spare.asked).toHaveLength(0)
    expect((await askNow())?.status).toBe(200)
    expect(gateway.upstream.asked).toHaveLength(3)
    expect(spare.asked).toHaveLength(1)
    await expectPaid(gateway, account, surface.micros)
  })
})
