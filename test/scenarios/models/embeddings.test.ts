// Embeddings: what is sent, what is answered, what is held and charged.
import { describe, expect, test } from 'vitest'
import { OpenAI } from '#oracles/openai.ts'
import { lastTransaction } from '#test/llm-gateway.ts'
import { ask, expectPaid, heldOf, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()
const connect = async (cents = 100) => {
  const account = await shared().account(cents)
  const baseURL = `${shared().url}/api/llm/v1`
  return { account, openai: new OpenAI({ baseURL, apiKey: account.key, maxRetries: 0 }) }
}

describe('the openai SDK', () => {
  test.each(['float', 'base64', undefined] as const)(
    'reads vectors as %s, and pays what the vendor counts',
    async (encoding_format) => {
      const { account, openai } = await connect()
      const reply = await openai.embeddings.create({
        model: 'lab/embed',
        input: ['one', 'two'],
        ...(encoding_format && { encoding_format }),
      })
      expect(reply.model).toBe('lab/embed')
      expect(reply.usage).toEqual({ prompt_tokens: 4, total_tokens: 4, cost: 0.000004 })
      const [, second] = reply.data.map(({ embedding }) => embedding as unknown)
      const numbers =
        encoding_format === 'base64'
          ? [...new Float32Array(new Uint8Array(Buffer.from(second as string, 'base64')).buffer)]
          : (second as number[])
      expect(numbers.map((number) => Number(number.toFixed(3)))).toEqual([1, 0.5, 0.333, 0.25])
      await expectPaid(shared(), account, 4)
      expect(await lastTransaction(account)).toMatchObject({
        action: 'llm/embeddings',
        inference: { model: 'lab/embed', upstream: 'lab', used: { promptTokens: 4 } },
      })
    },
  )

  test('sends tokens, dimensions and a user, and no other field', async () => {
    const { account, openai } = await connect()
    await openai.embeddings.create({
      model: 'lab/embed',
      input: [[1, 2, 3], [4]],
      dimensions: 3,
      encoding_format: 'float',
      user: 'u',
      max_cost_cents: 5,
      session: 'x',
    } as never)
    expect(shared().upstream.asked[0]?.body).toEqual({
      model: 'embed',
      input: [[1, 2, 3], [4]],
      dimensions: 3,
      encoding_format: 'float',
      user: 'u',
    })
    await expectPaid(shared(), account, 4)
  })

  test('embeds 2048 texts at once, in their order', async () => {
    const { account, openai } = await connect()
    const input = Array.from({ length: 2_048 }, (_, place) => `t${place % 10}`)
    const reply = await openai.embeddings.create({ model: 'lab/embed', input })
    expect(reply.data.map(({ embedding }) => embedding[0])).toEqual([...input.keys()])
    await expectPaid(shared(), account, 2_048)
  })

  test('asks the model of this machine, which needs no vendor', async () => {
    const { account, openai } = await connect()
    const reply = await openai.embeddings.create({
      model: 'tollway/embedding-small',
      input: ['which companies raised money?', 'startup funding rounds', 'my dog barks at night'],
    })
    const [raised = [], funding = [], dog = []] = reply.data.map(({ embedding }) => embedding)
    const cosine = (a: number[], b: number[]) =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    expect(raised).toHaveLength(256)
    expect(cosine(raised, raised)).toBeCloseTo(1, 5)
    expect(cosine(raised, funding)).toBeGreaterThan(cosine(raised, dog) + 0.1)
    const tokens = reply.usage.prompt_tokens
    expect(tokens).toBeGreaterThan(9)
    await expectPaid(shared(), account, Math.ceil((tokens * 5_000) / 1_000_000))
    expect(shared().upstream.asked).toHaveLength(0)
  })
})

test.each([
  [['ä'.repeat(30), 'b'], 61, 31],
  // The vendor counts more than was held: no caller pays more than that.
  ['word '.repeat(200), 100, 100],
])(
  'a token for every byte is held, up to the limit of the model (%#)',
  async (input, micros, paid) => {
    const { account } = await connect()
    let held = 0
    shared().upstream.behave('/embeddings', async (it) => {
      held = await heldOf(shared(), account)
      it.answer()
    })
    await ask(shared(), account, '/embeddings', { model: 'lab/embed', input })
    expect(held).toBe(micros)
    await expectPaid(shared(), account, paid)
  },
)

test.each([
  ['of several lengths', [{ embedding: [1, 2] }, { embedding: [1] }]],
  [
    'between two texts',
    [
      { index: 0.5, embedding: [1] },
      { index: 1, embedding: [2] },
    ],
  ],
])('vectors %s fail the call, which is free', async (_what, data) => {
  const { account } = await connect()
  shared().upstream.behave('/embeddings', (it) => it.send(200, { data }))
  const reply = await ask(shared(), account, '/embeddings', {
    model: 'lab/embed',
    input: ['a', 'b'],
  })
  expect(reply.body.error.code).toBe('upstream_error')
  await expectPaid(shared(), account, 0)
})

describe('nothing is sent, held or charged for', () => {
  test.each([
    [{}, 'model'],
    [{ model: 'lab/embed' }, 'input'],
    [{ model: 'lab/embed', input: '' }, 'input'],
    [{ model: 'lab/embed', input: [] }, 'input'],
    [{ model: 'lab/embed', input: ['a', ''] }, 'input'],
    [{ model: 'lab/embed', input: ['a', 1] }, 'input'],
    [{ model: 'lab/embed', input: { a: 1 } }, 'input'],
    [{ model: 'lab/embed', input: Array(2_049).fill('a') }, 'input'],
    [{ model: 'lab/embed', input: Array(101).fill(7) }, 'input'],
    [{ model: 'lab/embed', input: 'a'.repeat(1_700) }, 'input'],
    [{ model: 'lab/embed', input: Array(60).fill(Array(90).fill(7)) }, 'input'],
    [{ model: 'lab/embed', input: 'a', dimensions: 0 }, 'dimensions'],
    [{ model: 'lab/embed', input: 'a', encoding_format: 'hex' }, 'encoding_format'],
    [{ model: 'lab/embed', input: 'a', provider: { order: ['x'] } }, 'provider'],
    [{ model: 'lab/embed', input: 'a', max_cost_cents: 1.5 }, 'max_cost_cents'],
    [{ model: 'tollway/embedding-small', input: 'a', dimensions: 64 }, 'dimensions'],
    [{ model: 'tollway/embedding-small', input: [[1, 2]] }, 'input'],
  ])('the wrong request %#', async (body, param) => {
    const { account } = await connect()
    const reply = await ask(shared(), account, '/embeddings', body)
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', param })
    expect(shared().upstream.asked).toHaveLength(0)
    await expectPaid(shared(), account, 0)
  })

  test.each([
    ['lab/unknown', 404],
    ['openai/gpt-5-nano', 404],
    ['openai/text-embedding-3-small', 503],
  ])('a model that is not served for it: %s', async (model, status) => {
    const { account } = await connect()
    expect((await ask(shared(), account, '/embeddings', { model, input: 'a' })).status).toBe(status)
  })

  test('a call above the ceiling, the balance or the rights of its key', async () => {
    const poor = await shared().account(0)
    const body = { model: 'lab/embed', input: 'a' }
    expect((await ask(shared(), poor, '/embeddings', body)).status).toBe(402)
    const { account } = await connect()
    const ceiling = await ask(shared(), account, '/embeddings', { ...body, max_cost_cents: 0 })
    expect([ceiling.status, ceiling.body.error.code]).toEqual([402, 'max_cost_exceeded'])
    const limited = await shared().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { actions: ['llm/chat'] },
    })
    const other = { ...account, key: limited.body.api_key }
    expect((await ask(shared(), other, '/embeddings', body)).status).toBe(403)
    expect(shared().upstream.asked).toHaveLength(0)
    await expectPaid(shared(), account, 0)
  })
})

test('with an idempotency key the answer is stored, repeated for free, and bound to its request', async () => {
  const { account } = await connect()
  const once = { headers: { 'idempotency-key': 'k1' } }
  const body = { model: 'lab/embed', input: 'a' }
  const first = await ask(shared(), account, '/embeddings', body, once)
  const again = await ask(shared(), account, '/embeddings', body, once)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await ask(shared(), account, '/embeddings', { ...body, input: 'b' }, once)
  expect(other.body.error.code).toBe('idempotency_key_reused')
  expect(shared().upstream.asked).toHaveLength(1)
  await expectPaid(shared(), account, 1)
})

describe('a vendor that fails is not paid by the caller', () => {
  test.each([
    [
      'refuses',
      400,
      (it: { send: (status: number, value: unknown) => void }) =>
        it.send(400, {
          error: { code: 'invalid', message: 'secret vendor words', param: 'input' },
        }),
    ],
    ['is down', 500, (it) => it.send(500, {})],
    ['answers something else', 500, (it) => it.send(200, { data: [] })],
    ['answers an error in a 200', 500, (it) => it.send(200, { error: { message: 'oops' } })],
    [
      'sends vectors that are none',
      500,
      (it) => it.send(200, { data: [{ index: 0, embedding: ['x'] }], usage: { prompt_tokens: 1 } }),
    ],
  ] as [string, number, (it: { send: (status: number, value: unknown) => void }) => void][])(
    'it %s',
    async (_what, status, behaviour) => {
      const { account } = await connect()
      shared().upstream.behave('/embeddings', behaviour)
      const reply = await ask(shared(), account, '/embeddings', { model: 'lab/embed', input: 'a' })
      expect(reply.status).toBe(status)
      expect(JSON.stringify(reply.body)).not.toContain('secret')
      await expectPaid(shared(), account, 0)
    },
  )

  test('a usage that is missing is estimated, and said to be', async () => {
    const { account } = await connect()
    shared().upstream.behave('/embeddings', (it) =>
      it.send(200, { data: [{ index: 0, embedding: [1] }] }),
    )
    const input = 'word '.repeat(12)
    const reply = await ask(shared(), account, '/embeddings', { model: 'lab/embed', input })
    expect(reply.body.usage).toEqual({
      prompt_tokens: 10,
      total_tokens: 10,
      cost: 0.00001,
      estimated: true,
    })
    await expectPaid(shared(), account, 10)
  })

  test('a caller who leaves before the answer pays nothing, and the vendor is left', async () => {
    const { account } = await connect()
    const leaving = new AbortController()
    shared().upstream.behave('/embeddings', () => leaving.abort())
    const body = { model: 'lab/embed', input: 'a' }
    await expect(
      ask(shared(), account, '/embeddings', body, { signal: leaving.signal }),
    ).rejects.toThrow()
    await expectPaid(shared(), account, 0)
    await expect.poll(() => shared().upstream.asked[0]?.abandoned).toBe(true)
  })
})
