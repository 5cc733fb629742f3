// Transcriptions: a file of sound becomes text in five forms, charged by the second or by tokens.
import { describe, expect, test } from 'vitest'
import { OpenAI, toFile } from '#oracles/openai.ts'
import { lastTransaction } from '#test/llm-gateway.ts'
import { ask, expectPaid, heldOf, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()
const connect = async (cents = 100) => {
  const account = await shared().account(cents)
  const baseURL = `${shared().url}/api/llm/v1`
  return { account, openai: new OpenAI({ baseURL, apiKey: account.key, maxRetries: 0 }) }
}
/** Ten seconds of the vendor’s nine and a half, at 0.6 cents a minute. */
const tenSeconds = 1_000
const said = 'Hello there. General Kenobi.'
const mp3 = Buffer.concat([Buffer.from('ID3 and the rest'), Buffer.alloc(7_500)])

/** Silence of a length, as uncompressed WAV. */
function wav(seconds: number, samplesPerSecond = 8_000): Buffer {
  const data = Buffer.alloc(seconds * samplesPerSecond * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samplesPerSecond, 24)
  // A lie about the bytes of a second.
  head.writeUInt32LE(4_000_000_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const form = (fields: Record<string, string | Blob>) => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}
const soundOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

describe('the openai SDK', () => {
  test('gets a text, and pays for the seconds that the vendor counts', async () => {
    const { account, openai } = await connect()
    const file = await toFile(mp3, 'say "hi".mp3', { type: 'audio/mpeg' })
    const reply = await openai.audio.transcriptions.create({
      model: 'lab/hear',
      file,
      language: 'en',
      temperature: 0.5,
      prompt: 'Umlauts: äöü',
    })
    expect(reply.text).toBe(said)
    expect(reply).toMatchObject({ usage: { type: 'duration', seconds: 9.5, cost: 0.001 } })
    const { body } = shared().upstream.asked[0] ?? {}
    expect(body).toMatchObject({ model: 'hear', language: 'en', temperature: '0.5' })
    expect(body.prompt).toBe('Umlauts: äöü')
    expect(body.file.name).toMatch(/\.mp3$/)
    expect(Buffer.from(await body.file.arrayBuffer())).toEqual(mp3)
    await expectPaid(shared(), account, tenSeconds)
    expect(await lastTransaction(account)).toMatchObject({
      action: 'llm/transcriptions',
      inference: { used: { seconds: 10 } },
    })
  })

  test('gets the long form with times of words', async () => {
    const { account, openai } = await connect()
    const reply = await openai.audio.transcriptions.create({
      model: 'lab/hear',
      file: await toFile(mp3, 'a.mp3'),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(reply.segments).toHaveLength(2)
    expect(reply.duration).toBe(9.5)
    expect(shared().upstream.asked[0]?.form?.getAll('timestamp_granularities[]')).toEqual([
      'word',
      'segment',
    ])
    await expectPaid(shared(), account, tenSeconds)
  })

  test('pays the tokens of a model of tokens', async () => {
    const { account, openai } = await connect()
    const file = await toFile(mp3, 'a.mp3')
    const reply = await openai.audio.transcriptions.create({ model: 'lab/gpt-hear', file })
    expect(reply.text).toBe(said)
    await expectPaid(shared(), account, 10 * 2 + 100 * 6 + 20 * 10)
  })
})

test.each([
  ['text', 'text/plain; charset=utf-8', `${said}\n`],
  [
    'srt',
    'text/plain; charset=utf-8',
    '1\n00:00:00,000 --> 00:00:03,250\nHello there.\n\n2\n01:02:03,500 --> 01:02:05,000\nGeneral\nKenobi -> again.\n\n',
  ],
  [
    'vtt',
    'text/vtt; charset=utf-8',
    'WEBVTT\n\n00:00:00.000 --> 00:00:03.250\nHello there.\n\n01:02:03.500 --> 01:02:05.000\nGeneral\nKenobi -> again.\n\n',
  ],
])(
  '%s is written from what the vendor heard, and repeated for free',
  async (response_format, type, text) => {
    const { account } = await connect()
    const headers = { 'idempotency-key': response_format }
    const body = () => form({ model: 'lab/hear', response_format, file: soundOf(mp3) })
    for (const _ of [1, 2]) {
      const reply = await ask(shared(), account, '/audio/transcriptions', body(), { headers })
      expect(reply.headers.get('content-type')).toBe(type)
      expect(reply.bytes.toString()).toBe(text)
    }
    expect(shared().upstream.asked).toHaveLength(1)
    await expectPaid(shared(), account, tenSeconds)
  },
)

test.each([
  // The head of the file counts as sound, too.
  ['lab/hear', wav(20), 2_100],
  ['lab/hear', Buffer.alloc(7_500), 1_000],
  ['lab/gpt-hear', mp3, 1_000 * 6 + 200 * 10],
])(
  'the longest that a file can be is held: by the samples of WAV, or by its bytes',
  async (model, file, micros) => {
    const { account } = await connect()
    let held = 0
    shared().upstream.behave('/audio/transcriptions', async (it) => {
      held = await heldOf(shared(), account)
      it.answer()
    })
    await ask(shared(), account, '/audio/transcriptions', form({ model, file: soundOf(file) }))
    expect(held).toBe(micros)
  },
)

test('seconds that the vendor does not count are estimated', async () => {
  const { account } = await connect()
  shared().upstream.behave('/audio/transcriptions', (it) => it.send(200, { text: said }))
  const body = form({ model: 'lab/hear', file: soundOf(wav(3)) })
  const reply = await ask(shared(), account, '/audio/transcriptions', body)
  expect(reply.body.usage).toEqual({ cost: 0.0004, estimated: true })
  await expectPaid(shared(), account, 400)
})

test.each([
  [{ model: 'lab/hear' }, 'file'],
  [{ file: soundOf(mp3) }, 'model'],
  [{ model: 'lab/hear', file: soundOf(Buffer.alloc(0)) }, 'file'],
  [{ model: 'lab/hear', file: 'a text' }, 'file'],
  [{ model: 'lab/hear', file: soundOf(mp3), response_format: 'pdf' }, 'response_format'],
  [{ model: 'lab/hear', file: soundOf(mp3), temperature: 'hot' }, 'temperature'],
  [{ model: 'lab/hear', file: soundOf(mp3), stream: 'true', response_format: 'vtt' }, 'stream'],
  [
    { model: 'lab/hear', file: soundOf(mp3), 'timestamp_granularities[]': 'word' },
    'timestamp_granularities',
  ],
])('the wrong form %# is refused, and free', async (fields, param) => {
  const { account } = await connect()
  const reply = await ask(
    shared(),
    account,
    '/audio/transcriptions',
    form(fields as unknown as Record<string, string | Blob>),
  )
  expect([reply.status, reply.body.error.param]).toEqual([400, param])
  expect(shared().upstream.asked).toHaveLength(0)
  await expectPaid(shared(), account, 0)
})

test('JSON instead of a form, and a file that is too large, are refused', async () => {
  const { account } = await connect()
  const json = await ask(shared(), account, '/audio/transcriptions', { model: 'lab/hear' })
  expect([json.status, json.body.error.param]).toEqual([400, 'file'])
  const large = form({ model: 'lab/hear', file: soundOf(Buffer.alloc(25_000_001)) })
  const refused = await ask(shared(), account, '/audio/transcriptions', large)
  expect([refused.status, refused.body.error.param]).toEqual([400, 'file'])
})

test('a transcript without the times that subtitles need is not sold', async () => {
  const { account } = await connect()
  shared().upstream.behave('/audio/transcriptions', (it) => it.send(200, { text: said }))
  const body = form({ model: 'lab/hear', response_format: 'srt', file: soundOf(mp3) })
  const reply = await ask(shared(), account, '/audio/transcriptions', body)
  expect(reply.body.error.code).toBe('upstream_error')
  await expectPaid(shared(), account, 0)
})
