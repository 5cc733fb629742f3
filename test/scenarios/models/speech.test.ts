// Speech: bytes of sound, charged by the character or by the vendor's tokens.
import { describe, expect, test } from 'vitest'
import { OpenAI } from '#oracles/openai.ts'
import { systemClock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { lastTransaction } from '#test/llm-gateway.ts'
import { ask, expectPaid, heldOf, shareSurfaceGateway } from '#test/models/surface-gateway.ts'
import { beginToSpeak, soundPieces } from '#test/models/surface-upstream.ts'

const shared = shareSurfaceGateway()
const whole = soundPieces.join('')
const connect = async (cents = 100) => {
  const account = await shared().account(cents)
  const baseURL = `${shared().url}/api/llm/v1`
  return { account, openai: new OpenAI({ baseURL, apiKey: account.key, maxRetries: 0 }) }
}
const hello = { model: 'lab/tts', input: 'Grüß dich 👋', voice: 'alloy' }
/** Eleven characters at 15 micro-dollars each. */
const helloMicros = 165
const tokensMicros = 14 * 1 + 101 * 12

describe('the openai SDK', () => {
  test('gets sound, and pays for each character', async () => {
    const { account, openai } = await connect()
    const reply = await openai.audio.speech.create({
      ...hello,
      response_format: 'wav',
      speed: 1.5,
      instructions: 'Whisper.',
    })
    expect(reply.headers.get('content-type')).toBe('audio/wav')
    expect(Buffer.from(await reply.arrayBuffer()).toString()).toBe(whole)
    expect(shared().upstream.asked[0]?.body).toEqual({
      ...hello,
      model: 'tts',
      response_format: 'wav',
      speed: 1.5,
      instructions: 'Whisper.',
    })
    await expectPaid(shared(), account, helloMicros)
    expect(await lastTransaction(account)).toMatchObject({
      action: 'llm/speech',
      inference: { model: 'lab/tts', used: { characters: 11 }, ending: 'complete' },
    })
  })

  test('pays what the vendor counts for a model of tokens, and gets bytes', async () => {
    const { account, openai } = await connect()
    const reply = await openai.audio.speech.create({ ...hello, model: 'lab/tts-tokens' })
    expect(reply.headers.get('content-type')).toBe('audio/mpeg')
    expect(Buffer.from(await reply.arrayBuffer()).toString()).toBe(whole)
    expect(shared().upstream.asked[0]?.body.stream_format).toBe('sse')
    await expectPaid(shared(), account, tokensMicros)
  })
})

test('sound reaches the caller while the vendor still speaks, and the worst case is held meanwhile', async () => {
  const { account } = await connect()
  let finish = () => {}
  shared().upstream.behave('/audio/speech', async (it) => {
    beginToSpeak(it, 1)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    it.response.end(whole.slice(soundPieces[0].length))
  })
  const reply = await fetch(`${shared().url}/api/llm/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify(hello),
  })
  const reader = reply.body?.getReader()
  const first = await reader?.read()
  expect(Buffer.from(first?.value ?? []).toString()).toBe(soundPieces[0])
  expect(await heldOf(shared(), account)).toBe(helloMicros)
  finish()
  let rest = ''
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
    rest += Buffer.from(read.value).toString()
  expect(soundPieces[0] + rest).toBe(whole)
  await expectPaid(shared(), account, helloMicros)
})

describe.each(['lab/tts', 'lab/tts-tokens'])('%s', (model) => {
  const micros = model === 'lab/tts' ? helloMicros : tokensMicros

  test('that breaks off in the middle is free, and its caller sees it', async () => {
    const { account } = await connect()
    shared().upstream.behave('/audio/speech', (it) => {
      beginToSpeak(it, 1)
      it.socket.destroySoon()
    })
    await expect(ask(shared(), account, '/audio/speech', { ...hello, model })).rejects.toThrow()
    await expectPaid(shared(), account, 0)
  })

  test('that is down is tried once more, and then an error', async () => {
    const { account } = await connect()
    shared().upstream.behave('/audio/speech', (it) => it.send(500, {}))
    const reply = await ask(shared(), account, '/audio/speech', { ...hello, model })
    expect(reply.body.error.code).toBe('upstream_error')
    expect(shared().upstream.asked).toHaveLength(2)
    await expectPaid(shared(), account, 0)
  })

  test.each([
    ['application/json; charset=utf-8', '{"error":{"message":"quota","type":"server_error"}}'],
    ['text/html', '<html>Bad gateway</html>'],
  ])('that sends %s in place of sound is an error and free', async (type, page) => {
    const { account } = await connect()
    shared().upstream.behave('/audio/speech', (it) => {
      it.response.writeHead(200, { 'content-type': type })
      it.response.end(page)
    })
    const reply = await ask(shared(), account, '/audio/speech', { ...hello, model })
    expect([reply.status, reply.body.error.code]).toEqual([500, 'upstream_error'])
    await expectPaid(shared(), account, 0)
  })

  test('is paid in full by a caller who leaves in the middle', async () => {
    const { account } = await connect()
    const leaving = new AbortController()
    shared().upstream.behave('/audio/speech', async (it) => {
      beginToSpeak(it, 2)
      await expect.poll(() => leaving.signal.aborted).toBe(true)
      const last =
        it.body.stream_format === 'sse'
          ? `data: ${JSON.stringify({ type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101 } })}\n\n`
          : 'third'
      it.response.end(last)
    })
    const reply = await fetch(`${shared().url}/api/llm/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}` },
      body: JSON.stringify({ ...hello, model }),
      signal: leaving.signal,
    })
    await reply.body?.getReader().read()
    leaving.abort()
    await expectPaid(shared(), account, micros)
  })

  test('is repeated from its idempotency key for free', async () => {
    const { account } = await connect()
    const headers = { 'idempotency-key': `speech-${model}` }
    const body = { ...hello, model }
    const first = await ask(shared(), account, '/audio/speech', body, { headers })
    const again = await ask(shared(), account, '/audio/speech', body, { headers })
    expect(again.bytes.toString()).toBe(whole)
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(shared().upstream.asked).toHaveLength(1)
    await expectPaid(shared(), account, micros)
  })
})

test('events that end without their last one are not a whole sound', async () => {
  const { account } = await connect()
  shared().upstream.behave('/audio/speech', (it) => {
    beginToSpeak(it)
    it.response.end()
  })
  const body = { ...hello, model: 'lab/tts-tokens' }
  await expect(ask(shared(), account, '/audio/speech', body)).rejects.toThrow()
  await expectPaid(shared(), account, 0)
})

test.each([
  [{ input: '' }, 'input'],
  [{ input: 'a'.repeat(4_097) }, 'input'],
  [{ input: 'a', voice: 7 }, 'voice'],
  [{ response_format: 'ogg' }, 'response_format'],
  [{ speed: 5 }, 'speed'],
  [{ stream_format: 'json' }, 'stream_format'],
  [{ model: 'tollway/voice' }, 'voice'],
  [{ model: 'tollway/voice', voice: 'en', response_format: 'opus' }, 'response_format'],
])('the wrong request %# is refused, and free', async (changes, param) => {
  const { account } = await connect()
  const reply = await ask(shared(), account, '/audio/speech', { ...hello, ...changes })
  expect([reply.status, reply.body.error.param]).toEqual([400, param])
  expect(shared().upstream.asked).toHaveLength(0)
  await expectPaid(shared(), account, 0)
})

const missing = await createSandbox({ clock: systemClock }).missing()
test.skipIf(missing !== undefined)(
  'the voice of this machine speaks without any vendor',
  async () => {
    const { account, openai } = await connect()
    const input = 'The tide turns at noon.'
    const speech = { model: 'tollway/voice', input, voice: 'en' }
    const reply = await openai.audio.speech.create({ ...speech, response_format: 'wav' })
    const sound = Buffer.from(await reply.arrayBuffer())
    expect(sound.subarray(0, 4).toString()).toBe('RIFF')
    expect(sound.length).toBeGreaterThan(20_000)
    await expectPaid(shared(), account, input.length)
    expect(shared().upstream.asked).toHaveLength(0)
  },
)
