// Pictures, sound and transcripts as events, with the same books as answers that come whole.
import { describe, expect, test } from 'vitest'
import { OpenAI, toFile } from '#oracles/openai.ts'
import type { TestAccount } from '#test/harness.ts'
import { lastTransaction } from '#test/llm-gateway.ts'
import type { Json } from '#test/model-upstream.ts'
import { ask, expectPaid, heldOf, shareSurfaceGateway } from '#test/models/surface-gateway.ts'
import {
  beginToSpeak,
  eventsOfPicture,
  eventsOfTranscript,
  type SurfaceAsked,
  sendEvents,
  soundPieces,
} from '#test/models/surface-upstream.ts'

const shared = shareSurfaceGateway()
const connect = async (cents = 1_000) => {
  const account = await shared().account(cents)
  const baseURL = `${shared().url}/api/llm/v1`
  return { account, openai: new OpenAI({ baseURL, apiKey: account.key, maxRetries: 0 }) }
}
const toBase64 = (text: string) => Buffer.from(text).toString('base64')
const png = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1')
const draw = { model: 'lab/draw', prompt: 'an otter', stream: true } as const
const speak = { model: 'lab/tts-tokens', input: 'Grüß dich 👋', voice: 'alloy' }
const soundFile = () => toFile(Buffer.concat([Buffer.from('ID3'), Buffer.alloc(7_500)]), 'a.mp3')
/** 50 tokens of text, those of one picture and of two that are shown before. */
const pictureMicros = 50 * 5 + (1_056 + 2 * 100) * 40
const speechMicros = 14 * 1 + 101 * 12
const hearMicros = 10 * 2 + 100 * 6 + 20 * 10

async function collect<Event>(events: Promise<AsyncIterable<Event>>): Promise<Event[]> {
  const all: Event[] = []
  for await (const event of await events) all.push(event)
  return all
}

describe('pictures', () => {
  test('the openai SDK sees parts and then the picture, and pays what the vendor counts', async () => {
    const { account, openai } = await connect()
    let held = 0
    shared().upstream.behave('/images/generations', async (it) => {
      held = await heldOf(shared(), account)
      it.answer()
    })
    const events = await collect(openai.images.generate({ ...draw, partial_images: 2 }))
    expect(events).toMatchObject([
      {
        type: 'image_generation.partial_image',
        partial_image_index: 0,
        b64_json: toBase64('part 0'),
      },
      { type: 'image_generation.partial_image', partial_image_index: 1 },
      {
        type: 'image_generation.completed',
        b64_json: toBase64('picture'),
        size: '1024x1024',
        usage: { output_tokens: 1_256, cost: pictureMicros / 1_000_000 },
      },
    ])
    expect(shared().upstream.asked[0]?.body).toMatchObject({ stream: true, partial_images: 2 })
    // The dearest picture, and a hundred tokens for each that is shown before.
    expect(held).toBe((8 + 100) * 5 + (1_584 + 200) * 40)
    await expectPaid(shared(), account, pictureMicros)
    expect(await lastTransaction(account)).toMatchObject({
      action: 'llm/images',
      inference: { ending: 'complete', estimated: false },
    })
  })

  test('an edit streams under its own names', async () => {
    const { account, openai } = await connect()
    const image = await toFile(png, 'otter.png', { type: 'image/png' })
    const events = await collect(openai.images.edit({ ...draw, image, partial_images: 1 }))
    expect(events.map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.completed',
    ])
    await expectPaid(shared(), account, 50 * 5 + 400 * 10 + 1_156 * 40)
  })

  test('a model whose pictures have a price each is asked whole, and answers with one event', async () => {
    const { account, openai } = await connect()
    const asked = { ...draw, model: 'lab/flat-draw', partial_images: 1 }
    const events = await collect(openai.images.generate(asked))
    expect(events).toMatchObject([
      { type: 'image_generation.completed', b64_json: toBase64('picture'), created_at: 1 },
    ])
    expect(shared().upstream.asked[0]?.body).not.toHaveProperty('stream')
    await expectPaid(shared(), account, 40_000)
  })

  test('a picture of megabytes is one event', async () => {
    const { account, openai } = await connect()
    const b64_json = 'A'.repeat(12_000_000)
    shared().upstream.behave('/images/generations', (it) => {
      sendEvents(it, [{ ...(eventsOfPicture(it).at(-1) as Json), b64_json }])
      it.response.end()
    })
    const [event] = await collect(openai.images.generate(draw))
    expect(event?.b64_json.length).toBe(b64_json.length)
    await expectPaid(shared(), account, 50 * 5 + 1_056 * 40)
  })
})

describe('speech', () => {
  const asSound = (events: readonly Json[]) =>
    events
      .filter(({ type }) => type === 'speech.audio.delta')
      .map(({ audio }) => Buffer.from(audio, 'base64').toString())
      .join('')
  const hear = async (account: TestAccount, more: object = {}) => {
    const body = { ...speak, stream_format: 'sse', ...more }
    const reply = await ask(shared(), account, '/audio/speech', body)
    const events = reply.bytes.toString().split('\n\n').filter(Boolean)
    return {
      reply,
      events: events.map((event): Json => JSON.parse(event.slice(event.indexOf('data: ') + 6))),
    }
  }

  test('a model that counts tokens speaks in events, and the last one tells the charge', async () => {
    const { account } = await connect()
    const { reply, events } = await hear(account)
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(asSound(events)).toBe(soundPieces.join(''))
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: {
        input_tokens: 14,
        output_tokens: 101,
        total_tokens: 115,
        cost: speechMicros / 1_000_000,
      },
    })
    await expectPaid(shared(), account, speechMicros)
  })

  test('bytes of a model with a price for characters become events', async () => {
    const { account } = await connect()
    const { events } = await hear(account, { model: 'lab/tts' })
    expect(asSound(events)).toBe(soundPieces.join(''))
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { characters: 11, cost: 0.000165 },
    })
    expect(shared().upstream.asked[0]?.body).not.toHaveProperty('stream_format')
    await expectPaid(shared(), account, 165)
  })

  test('events without sound are not an answer', async () => {
    const { account } = await connect()
    shared().upstream.behave('/audio/speech', (it) => {
      sendEvents(it, [{ type: 'speech.audio.done' }])
      it.response.end()
    })
    expect((await hear(account).catch(() => undefined))?.reply.status ?? 502).not.toBe(200)
    await expectPaid(shared(), account, 0)
  })

  test('the openai SDK streams sound', async () => {
    const { account, openai } = await connect()
    const reply = await openai.audio.speech.create({ ...speak, stream_format: 'sse' })
    expect(await reply.text()).toContain('speech.audio.done')
    await expectPaid(shared(), account, speechMicros)
  })
})

describe('transcripts', () => {
  test('the openai SDK reads pieces and then the text, and pays what the vendor counts', async () => {
    const { account, openai } = await connect()
    const file = await soundFile()
    const asked = { model: 'lab/gpt-hear', file, stream: true } as const
    const events = await collect(openai.audio.transcriptions.create(asked))
    expect(events).toMatchObject([
      { type: 'transcript.text.delta', delta: 'Hello there. ' },
      { type: 'transcript.text.delta', delta: 'General Kenobi.' },
      {
        type: 'transcript.text.done',
        text: 'Hello there. General Kenobi.',
        usage: { input_tokens: 110, cost: hearMicros / 1_000_000 },
      },
    ])
    expect(shared().upstream.asked[0]?.body).toMatchObject({ stream: 'true' })
    await expectPaid(shared(), account, hearMicros)
  })

  test('a model with a price for minutes is asked whole, and answers with one piece', async () => {
    const { account, openai } = await connect()
    const asked = { model: 'lab/hear', file: await soundFile(), stream: true } as const
    const events = await collect(openai.audio.transcriptions.create(asked))
    expect(events.map(({ type }) => type)).toEqual([
      'transcript.text.delta',
      'transcript.text.done',
    ])
    expect(shared().upstream.asked[0]?.body).not.toHaveProperty('stream')
    await expectPaid(shared(), account, 1_000)
  })

  test('only plain texts are streamed', async () => {
    const { account, openai } = await connect()
    const asked = { model: 'lab/hear', file: await soundFile(), stream: true } as const
    await expect(
      openai.audio.transcriptions.create({ ...asked, response_format: 'srt' } as never),
    ).rejects.toMatchObject({ status: 400, param: 'stream' })
    await expectPaid(shared(), account, 0)
  })
})

/** The first event or sound of each surface, and how the SDK reads it to its end. */
const streams: readonly {
  readonly path: string
  readonly micros: number
  readonly begin: (asked: SurfaceAsked) => void
  readonly finish: (asked: SurfaceAsked) => void
  readonly read: (
    openai: OpenAI,
    options?: OpenAI.RequestOptions,
    seen?: (event: Json) => void,
  ) => Promise<void>
}[] = [
  {
    path: '/images/generations',
    micros: 50 * 5 + 1_156 * 40,
    begin: (it) => sendEvents(it, eventsOfPicture(it).slice(0, 1)),
    finish: (it) => writeLast(it, eventsOfPicture(it)),
    async read(openai, options, seen) {
      const events = await openai.images.generate({ ...draw, partial_images: 1 }, options)
      for await (const event of events) seen?.(event)
    },
  },
  {
    path: '/audio/transcriptions',
    micros: hearMicros,
    begin: (it) => sendEvents(it, eventsOfTranscript(it).slice(0, 1)),
    finish: (it) => writeLast(it, eventsOfTranscript(it)),
    async read(openai, options, seen) {
      const asked = { model: 'lab/gpt-hear', file: await soundFile(), stream: true } as const
      const events = await openai.audio.transcriptions.create(asked, options)
      for await (const event of events) seen?.(event)
    },
  },
]

function writeLast({ response }: SurfaceAsked, events: readonly Json[]): void {
  response.end(`data: ${JSON.stringify(events.at(-1))}\n\n`)
}

describe.each(streams)('$path', ({ path, micros, begin, finish, read }) => {
  test.each([
    ['is cut', (it: SurfaceAsked) => it.socket.destroySoon()],
    ['ends without its last event', (it: SurfaceAsked) => it.response.end()],
    [
      'goes on with an error',
      (it: SurfaceAsked) => it.response.end('data: {"error":{"message":"secret words"}}\n\n'),
    ],
    ['goes on with an unreadable event', (it: SurfaceAsked) => it.response.end('data: {"typ\n\n')],
  ])('a stream that %s throws in the SDK, and is free', async (_how, then) => {
    const { account, openai } = await connect()
    shared().upstream.behave(path, async (it) => {
      begin(it)
      await new Promise((resolve) => it.response.write('\n', resolve))
      then(it)
    })
    const types: string[] = []
    const error = await read(openai, {}, ({ type }) => types.push(type)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(error).toMatchObject({ code: 'upstream_error' })
    expect(String(error)).not.toContain('secret')
    expect(types).toHaveLength(1)
    await expectPaid(shared(), account, 0)
  })

  test.each([
    [
      'an error',
      (it: SurfaceAsked) => sendEvents(it, [{ type: 'error', error: { message: 'x' } }]),
    ],
    ['nothing', (it: SurfaceAsked) => sendEvents(it, [])],
  ])(
    'a stream that begins with %s is tried once more, and then an answer',
    async (_what, fails) => {
      const { account, openai } = await connect()
      shared().upstream.behave(
        path,
        (it) => {
          fails(it)
          it.response.end()
        },
        (it) => it.answer(),
      )
      await read(openai)
      expect(shared().upstream.asked).toHaveLength(2)
      await expectPaid(shared(), account, micros)
    },
  )

  test('a caller who leaves in the middle pays for the answer', async () => {
    const { account, openai } = await connect()
    const leaving = new AbortController()
    shared().upstream.behave(path, async (it) => {
      begin(it)
      await expect.poll(() => leaving.signal.aborted).toBe(true)
      finish(it)
    })
    await read(openai, { signal: leaving.signal }, () => leaving.abort()).catch(() => {})
    await expectPaid(shared(), account, micros)
  })

  test('the same idempotency key gets the same events for free', async () => {
    const { account, openai } = await connect()
    const options = { headers: { 'idempotency-key': 'once' } }
    const [first, again]: [Json[], Json[]] = [[], []]
    await read(openai, options, (event) => first.push(event))
    await read(openai, options, (event) => again.push(event))
    expect(again).toEqual(first)
    expect(shared().upstream.asked).toHaveLength(1)
    await expectPaid(shared(), account, micros)
  })
})

test('sound in events that breaks off ends with an error, and is free', async () => {
  const { account, openai } = await connect()
  shared().upstream.behave('/audio/speech', (it) => {
    beginToSpeak(it, 1)
    it.socket.destroySoon()
  })
  const reply = await openai.audio.speech.create({ ...speak, stream_format: 'sse' })
  const said = await reply.text()
  expect(said).toContain('upstream_error')
  expect(said).not.toContain('speech.audio.done')
  await expectPaid(shared(), account, 0)
})
