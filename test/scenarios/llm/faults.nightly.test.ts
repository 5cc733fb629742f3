// For every way in which an upstream or a caller can fail: the right answer, the right charge, nothing left open.
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  gzipSync,
} from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  chat,
  expectSettled,
  hello,
  lastTransaction,
  shareLlmGateway,
  shortTimeouts,
  textOf,
} from '#test/llm-gateway.ts'
import {
  type Behaviour,
  breaksAfter,
  cuts,
  type Exchange,
  refuses,
  resets,
  sentence,
  silence,
} from '#test/model-upstream.ts'

const shared = shareLlmGateway()
const impatient = shareLlmGateway({ config: { timeouts: shortTimeouts } })
const text = sentence.join('')
const bytesPerToken = 6
const promptBytes = Buffer.byteLength(JSON.stringify({ messages: hello }))
/** The charge without a token count: dollars per million tokens are micro-dollars per token. */
const estimated = (delivered: string) =>
  Math.floor(promptBytes / bytesPerToken) +
  4 * Math.floor(Buffer.byteLength(delivered) / bytesPerToken)

const raw =
  (head: Record<string, string>, body: string, status = 200): Behaviour =>
  ({ response }) => {
    response.writeHead(status, head)
    response.end(body)
  }
const compressors = {
  gzip: createGzip,
  deflate: createDeflate,
  br: createBrotliCompress,
  zstd: createZstdCompress,
}
/** An ordinary answer, each piece compressed and sent at once. */
const compressed =
  (encoding: keyof typeof compressors): Behaviour =>
  async (it: Exchange) => {
    const { response } = it
    const encoder = compressors[encoding]()
    const pieces: string[] = []
    const write = response.write.bind(response)
    response.setHeader('content-encoding', encoding)
    const keep = (piece: unknown) => pieces.push(String(piece)) > 0
    Object.assign(response, { write: keep, end: (piece?: unknown) => piece && keep(piece) })
    it.answer()
    Object.assign(response, { write })
    encoder.on('data', (chunk) => write(chunk))
    for (const piece of pieces) {
      encoder.write(piece)
      await new Promise<void>((resolve) => encoder.flush(resolve))
    }
    encoder.end()
    await once(encoder, 'end')
    const end: () => unknown = ServerResponse.prototype.end
    end.call(response)
  }
const rewritten =
  (rewrite: (events: string[]) => string[], pauseMs = 0): Behaviour =>
  async (exchange: Exchange) => {
    exchange.openStream()
    for (const event of rewrite(exchange.events())) {
      exchange.response.write(event)
      if (pauseMs > 0) await delay(pauseMs)
    }
    exchange.response.end()
  }
const replaced = (usage: unknown): Behaviour =>
  rewritten((events) =>
    events.map((event) =>
      event.replace(/"usage":\{.*?\}\}(?=\})/, `"usage":${JSON.stringify(usage)}`),
    ),
  )

interface Row {
  readonly name: string
  readonly stream: boolean
  readonly behaviours: [Behaviour, ...Behaviour[]]
  /** The upstream falls silent, and is waited for only shortly. */
  readonly isSilent?: true
  readonly status: number
  /** The whole text, an error in the stream, or nothing but the status. */
  readonly ends: 'well' | 'in-band' | 'refused'
  readonly micros: number
  readonly code?: string
  readonly asked?: number
}

const both = (row: Omit<Row, 'stream'>): Row[] => [
  { ...row, stream: false },
  { ...row, stream: true },
]
const streamed = (row: Omit<Row, 'stream' | 'status'> & { status?: number }): Row => ({
  status: 200,
  ...row,
  stream: true,
})

const rows: Row[] = [
  ...both({
    name: '500 twice',
    behaviours: [refuses(500)],
    status: 500,
    ends: 'refused',
    micros: 0,
    asked: 2,
  }),
  ...both({
    name: '500 once',
    behaviours: [refuses(500), (it) => it.answer()],
    status: 200,
    ends: 'well',
    micros: 300,
  }),
  ...both({
    name: 'a reset once',
    behaviours: [resets, (it) => it.answer()],
    status: 200,
    ends: 'well',
    micros: 300,
  }),
  ...both({
    name: '429 for long',
    behaviours: [refuses(429, { 'retry-after': '30' })],
    status: 429,
    ends: 'refused',
    micros: 0,
    code: 'rate_limited',
    asked: 1,
  }),
  ...both({
    name: '429 for a moment',
    behaviours: [refuses(429, { 'retry-after': '0' }), (it) => it.answer()],
    status: 200,
    ends: 'well',
    micros: 300,
  }),
  ...both({
    name: 'a wrong key',
    behaviours: [refuses(401)],
    status: 500,
    ends: 'refused',
    micros: 0,
    asked: 1,
  }),
  ...both({
    name: 'a demand for payment',
    behaviours: [refuses(402)],
    status: 500,
    ends: 'refused',
    micros: 0,
    asked: 1,
  }),
  ...both({
    name: 'an invalid request',
    behaviours: [
      refuses(
        400,
        {},
        {
          type: 'invalid_request_error',
          code: 'unsupported_value',
          param: 'temperature',
          message: 'secret vendor words',
        },
      ),
    ],
    status: 400,
    ends: 'refused',
    micros: 0,
    code: 'bad_request',
    asked: 1,
  }),
  ...both({
    name: 'too much for its context',
    behaviours: [refuses(400, {}, { code: 'context_length_exceeded', message: 'x' })],
    status: 400,
    ends: 'refused',
    micros: 0,
    code: 'bad_request',
    asked: 1,
  }),
  ...both({
    name: 'its content filter',
    behaviours: [refuses(400, {}, { code: 'content_filter', message: 'x' })],
    status: 400,
    ends: 'refused',
    micros: 0,
    code: 'content_policy_violation',
    asked: 1,
  }),
  ...both({
    name: 'silence before the headers',
    isSilent: true,
    behaviours: [silence],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  ...both({
    name: 'a page of HTML',
    behaviours: [raw({ 'content-type': 'text/html' }, '<html>busy</html>')],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  ...both({
    name: 'an empty answer',
    behaviours: [raw({}, '')],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  ...both({
    name: 'a redirect',
    behaviours: [raw({ location: 'http://127.0.0.1:1/' }, '', 302)],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  ...both({
    name: 'damaged gzip',
    behaviours: [raw({ 'content-encoding': 'gzip' }, 'no gzip at all')],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  ...both({
    name: 'an unknown encoding',
    behaviours: [raw({ 'content-encoding': 'rot13' }, 'x')],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  ...(['gzip', 'deflate', 'br', 'zstd'] as const).flatMap((encoding) =>
    both({
      name: `an answer in ${encoding}`,
      behaviours: [compressed(encoding)],
      status: 200,
      ends: 'well',
      micros: 300,
    }),
  ),
  ...both({
    name: 'a refusal in gzip',
    behaviours: [
      ({ response }) => {
        response.writeHead(400, { 'content-encoding': 'gzip' })
        response.end(gzipSync('{"error":{"code":"context_length_exceeded","message":"x"}}'))
      },
    ],
    status: 400,
    ends: 'refused',
    micros: 0,
    code: 'bad_request',
  }),
  streamed({
    name: 'a whole answer instead of events',
    behaviours: [
      (it) => {
        it.body.stream = false
        it.answer()
      },
    ],
    ends: 'well',
    micros: 300,
  }),
  streamed({
    name: 'a whole error instead of events',
    behaviours: [raw({}, '{"error":{"code":502,"message":"x"}}')],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  streamed({
    name: 'lines that end with a bare CR',
    behaviours: [rewritten((events) => events.map((event) => event.replaceAll('\n', '\r')), 2)],
    ends: 'well',
    micros: 300,
  }),
  ...both({
    name: 'an error in a 200',
    behaviours: [raw({}, 'data: {"error":{"code":502,"message":"x"}}\n\n')],
    status: 500,
    ends: 'refused',
    micros: 0,
  }),
  {
    name: 'an error in a 200',
    stream: false,
    behaviours: [raw({}, '{"error":{"code":502,"message":"x"}}')],
    status: 500,
    ends: 'refused',
    micros: 0,
  },
  {
    name: 'garbage',
    stream: false,
    behaviours: [raw({}, '{"choices":[{"mess')],
    status: 500,
    ends: 'refused',
    micros: 0,
  },
  {
    name: 'events for a whole answer',
    stream: false,
    behaviours: [raw({}, 'data: {}\n\n')],
    status: 500,
    ends: 'refused',
    micros: 0,
  },
  {
    name: 'a cut in the middle',
    stream: false,
    behaviours: [breaksAfter(0, cuts)],
    status: 500,
    ends: 'refused',
    micros: 0,
    asked: 2,
  },
  {
    name: 'no usage',
    stream: false,
    behaviours: [(it) => it.answer({ usage: 'none' })],
    status: 200,
    ends: 'well',
    micros: estimated(text),
  },
  streamed({
    name: 'no usage',
    behaviours: [(it) => it.answer({ usage: 'none' })],
    ends: 'well',
    micros: estimated(text),
  }),
  streamed({
    name: 'silence in the middle',
    isSilent: true,
    behaviours: [breaksAfter(6, silence)],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'a cut in the middle',
    behaviours: [breaksAfter(6, cuts)],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'a reset in the middle',
    behaviours: [breaksAfter(6, resets)],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'a clean early end',
    behaviours: [breaksAfter(6, ({ response }) => response.end())],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'usage in a later piece',
    behaviours: [rewritten((events) => events, 8)],
    ends: 'well',
    micros: 300,
  }),
]

const openAiRows: Row[] = [
  streamed({
    name: 'an event cut in its middle',
    behaviours: [
      breaksAfter(6, ({ response, socket }) => {
        response.write('data: {"choices":[{"delta":{"cont')
        socket.destroySoon()
      }),
    ],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'no [DONE]',
    behaviours: [rewritten((events) => events.slice(0, -1))],
    ends: 'well',
    micros: 300,
  }),
  streamed({
    name: 'no blank line after the last event',
    behaviours: [rewritten((events) => [...events.slice(0, -1), 'data: [DONE]'])],
    ends: 'well',
    micros: 300,
  }),
  streamed({
    name: 'bytes after [DONE]',
    behaviours: [
      rewritten((events) => [...events, 'data: {"choices":[{"delta":{"content":"more"}}]}\n\n']),
    ],
    ends: 'well',
    micros: 300,
  }),
  streamed({
    name: 'a damaged event among good ones',
    behaviours: [
      rewritten((events) => [
        ...events.slice(0, 4),
        'data: {"choices":[{"de\n\n',
        ...events.slice(4),
      ]),
    ],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'a damaged count after the end',
    behaviours: [
      rewritten((events) => [
        ...events.slice(0, -2),
        'data: {"usage":{"pro\n\n',
        'data: [DONE]\n\n',
      ]),
    ],
    ends: 'well',
    micros: estimated(text),
  }),
  streamed({
    name: 'nothing but malformed events',
    behaviours: [rewritten((events) => events.map((event) => `data: {${event}`))],
    ends: 'refused',
    micros: 0,
    status: 500,
  }),
  streamed({
    name: 'silence where the usage should be',
    isSilent: true,
    behaviours: [
      async (it) => {
        it.openStream()
        for (const event of it.events().slice(0, -2)) it.response.write(event)
      },
    ],
    ends: 'well',
    micros: estimated(text),
  }),
  streamed({
    name: 'one byte at a time, with CRLF, a BOM and comments',
    behaviours: [
      rewritten((events) => [...`\ufeff: hi\r\n\r\n${events.join('').replaceAll('\n', '\r\n')}`]),
    ],
    ends: 'well',
    micros: 300,
  }),
  streamed({
    name: 'an error as the second event',
    behaviours: [
      rewritten((events) => [events[0] ?? '', 'data: {"error":{"code":500,"message":"x"}}\n\n']),
    ],
    ends: 'refused',
    micros: 0,
    status: 500,
  }),
  streamed({
    name: 'an error in the middle',
    behaviours: [
      rewritten((events) => [
        ...events.slice(0, 5),
        'data: {"error":{"code":500,"message":"x"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}\n\n',
      ]),
    ],
    ends: 'in-band',
    micros: 0,
    code: 'upstream_error',
  }),
  streamed({
    name: 'usage on the last choice',
    behaviours: [
      rewritten((events) => [
        ...events.slice(0, -3),
        (events.at(-3) ?? '').replace(
          '"usage":null',
          '"usage":{"prompt_tokens":100,"completion_tokens":50}',
        ),
        'data: [DONE]\n\n',
      ]),
    ],
    ends: 'well',
    micros: 300,
  }),
  streamed({
    name: 'usage that grows with every event',
    behaviours: [
      rewritten((events) =>
        events.map((event, place) =>
          event.replace(
            '"usage":null',
            `"usage":{"prompt_tokens":100,"completion_tokens":${place}}`,
          ),
        ),
      ),
    ],
    ends: 'well',
    micros: 300,
  }),
  ...[{ prompt_tokens: 0, completion_tokens: 0 }].map((usage) =>
    streamed({ name: 'usage of zero', behaviours: [replaced(usage)], ends: 'well', micros: 0 }),
  ),
  ...[null, -5, 1.5, '50', 1e15].map((completion_tokens) =>
    streamed({
      name: `usage of ${completion_tokens}`,
      behaviours: [replaced({ prompt_tokens: 100, completion_tokens })],
      ends: 'well',
      micros: estimated(text),
    }),
  ),
  streamed({
    name: 'words that look like usage',
    behaviours: [(it) => it.answer({ tokens: ['"usage":{"prompt_tokens":9}', text] })],
    ends: 'well',
    micros: 300,
  }),
]

function check(model: string, row: Row) {
  return async () => {
    const gateway = row.isSilent ? impatient() : shared()
    const account = await gateway.account(100)
    gateway.upstream.behave('one', ...row.behaviours)
    const reply = await chat(gateway, account, { model, stream: row.stream })
    expect(reply.status).toBe(row.status)
    expect(reply.text).not.toContain('secret vendor words')
    if (row.ends === 'well') {
      expect(textOf(reply)).toContain(text)
      expect(row.stream === reply.done).toBe(true)
    } else if (row.ends === 'in-band') {
      expect(reply.done).toBe(false)
      expect(reply.events.at(-1)).toMatchObject({ ok: false, error: { code: row.code } })
      expect(text.startsWith(textOf(reply))).toBe(true)
    } else {
      expect(reply.body).toMatchObject({ ok: false, error: { code: row.code ?? 'upstream_error' } })
      expect(Number(reply.headers.get('x-attempts'))).toBe(0)
    }
    if (row.asked !== undefined) expect(gateway.upstream.asked).toHaveLength(row.asked)
    await expectSettled(gateway, account, row.micros)
    const { status, charged_usd: charged } = await lastTransaction(account)
    expect({ status, charged: Number(charged) * 1e6 }).toEqual({
      status: row.ends === 'well' ? 'succeeded' : 'failed',
      charged: row.micros,
    })
  }
}

describe.each(['lab/one', 'claude/one'])('%s', (model) => {
  for (const row of rows) {
    test(`${row.name} (${row.stream ? 'stream' : 'whole'})`, check(model, row))
  }
})
describe('lab/one', () => {
  for (const row of openAiRows) test(row.name, check('lab/one', row))
})

describe('a caller that disconnects', () => {
  const leave = async (
    model: string,
    stream: boolean,
    upTo: number,
    whenSeen: (text: string) => boolean,
  ) => {
    const gateway = shared()
    const account = await gateway.account(100)
    gateway.upstream.behave('one', breaksAfter(upTo, silence))
    const left = new AbortController()
    const reply = fetch(`${gateway.url}/api/llm/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}` },
      body: JSON.stringify({ model, messages: hello, stream }),
      signal: left.signal,
    })
    let seen = ''
    const reading = (async () => {
      if (whenSeen('')) await expect.poll(() => gateway.upstream.asked.length).toBe(1)
      else
        for await (const piece of (await reply).body ?? []) {
          seen += Buffer.from(piece).toString()
          if (whenSeen(seen)) break
        }
      left.abort()
    })()
    await Promise.allSettled([reply, reading])
    await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
    return { gateway, account }
  }

  test.each(['lab/one', 'claude/one'])('%s: before any output pays nothing', async (model) => {
    for (const stream of [false, true]) {
      shared().upstream.reset()
      const { gateway, account } = await leave(model, stream, stream ? 1 : 0, () => true)
      await expectSettled(gateway, account, 0)
      expect(await lastTransaction(account)).toMatchObject({
        status: 'failed',
        error: 'client_closed_request',
      })
    }
  })

  test('in the middle pays for the delivered part only', async () => {
    const { gateway, account } = await leave('lab/one', true, 5, (seen) => seen.includes('fox'))
    await expectSettled(gateway, account, estimated('The quick brown fox '))
    expect((await lastTransaction(account)).inference).toMatchObject({
      ending: 'client_gone',
      estimated: true,
    })
  })

  test('in the middle pays for the prompt by its count if that is known', async () => {
    const { gateway, account } = await leave('claude/one', true, 7, (seen) => seen.includes('fox'))
    await expectSettled(
      gateway,
      account,
      100 + 4 * Math.floor('The quick brown fox '.length / bytesPerToken),
    )
  })
})

test('afterwards only idle connections to the upstream are open', async () => {
  const gateway = shared()
  await expect.poll(() => gateway.upstream.asked.filter((it) => !it.abandoned).length).toBe(0)
  expect(gateway.upstream.openSockets()).toBeLessThan(20)
})
