// Batches: a file of requests, answered line by line and charged line by line.
import { describe, expect, test } from 'vitest'
import { OpenAI, toFile } from '#oracles/openai.ts'
import type { TestAccount } from '#test/harness.ts'
import { ask, expectPaid, shareSurfaceGateway } from '#test/models/surface-gateway.ts'
import type { SurfaceAsked } from '#test/models/surface-upstream.ts'

const shared = shareSurfaceGateway()
const connect = async (cents = 100) => {
  const account = await shared().account(cents)
  return { account, openai: clientOf(account) }
}
const clientOf = ({ key }: TestAccount) =>
  new OpenAI({ baseURL: `${shared().url}/api/llm/v1`, apiKey: key, maxRetries: 0 })

const embedding = (input: string, place: number) => ({
  custom_id: `line-${place}`,
  method: 'POST',
  url: '/v1/embeddings',
  body: { model: 'lab/embed', input },
})
const fileOf = (lines: readonly object[]) =>
  toFile(Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`), 'in.jsonl')

async function start(openai: OpenAI, lines: readonly object[], endpoint = '/v1/embeddings') {
  const { id } = await openai.files.create({ purpose: 'batch', file: await fileOf(lines) })
  return await openai.batches.create({
    input_file_id: id,
    endpoint: endpoint as '/v1/embeddings',
    completion_window: '24h',
    metadata: { job: 'nightly' },
  })
}
async function ended(openai: OpenAI, id: string) {
  let batch = await openai.batches.retrieve(id)
  await expect
    .poll(async () => {
      batch = await openai.batches.retrieve(id)
      return batch.status
    })
    .toMatch(/completed|failed|cancelled/)
  return batch
}
async function linesIn(openai: OpenAI, fileId: string | null | undefined) {
  if (!fileId) return []
  const text = await (await openai.files.content(fileId)).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the openai SDK', () => {
  test('sends a file, and reads an answer for each line, each charged as a call of its own', async () => {
    const { account, openai } = await connect()
    const lines = Array.from({ length: 30 }, (_, place) => embedding('abcd', place))
    const made = await start(openai, lines)
    expect(made).toMatchObject({ object: 'batch', endpoint: '/v1/embeddings' })
    const batch = await ended(openai, made.id)
    expect(batch).toMatchObject({
      status: 'completed',
      request_counts: { total: 30, completed: 30, failed: 0 },
      metadata: { job: 'nightly' },
    })
    expect(batch.error_file_id).toBeNull()
    const answers = await linesIn(openai, batch.output_file_id)
    expect(answers.map(({ custom_id }) => custom_id)).toEqual(lines.map((line) => line.custom_id))
    expect(answers[0]).toMatchObject({
      response: { status_code: 200, body: { model: 'lab/embed', usage: { prompt_tokens: 2 } } },
      error: null,
    })
    await expectPaid(shared(), account, 60)
    const { body } = await account.get('/api/v1/transactions?limit=100')
    const calls = body.transactions.filter(
      ({ action }: { action: string }) => action === 'llm/embeddings',
    )
    expect(calls).toHaveLength(30)
    expect(calls.map(({ transaction_id }: { transaction_id: string }) => transaction_id)).toContain(
      answers[0].response.request_id,
    )
    const files = await openai.files.list()
    expect(files.data.map(({ purpose }) => purpose).toSorted()).toEqual(['batch', 'batch_output'])
  })

  test('lists batches, and removes files', async () => {
    const { openai } = await connect()
    const first = await ended(openai, (await start(openai, [embedding('a', 1)])).id)
    const second = await ended(openai, (await start(openai, [embedding('a', 1)])).id)
    const ids = []
    for await (const { id } of openai.batches.list({ limit: 1 })) ids.push(id)
    expect(ids).toEqual([second.id, first.id])
    await openai.files.delete(first.input_file_id)
    await expect(openai.files.retrieve(first.input_file_id)).rejects.toMatchObject({ status: 404 })
  })
})

test('lines that fail are free, and named in the error file', async () => {
  const { account, openai } = await connect()
  shared().upstream.behave('/embeddings', (it) => {
    if (it.body.input === 'bad') it.send(400, { error: { code: 'invalid' } })
    else it.answer()
  })
  const lines = [
    embedding('ab', 1),
    embedding('bad', 2),
    { ...embedding('', 3), body: { model: 'lab/embed' } },
    { ...embedding('x', 4), body: { model: 'lab/unknown', input: 'x' } },
    embedding('cd', 5),
  ]
  const batch = await ended(openai, (await start(openai, lines)).id)
  expect(batch.request_counts).toEqual({ total: 5, completed: 2, failed: 3 })
  const failures = await linesIn(openai, batch.error_file_id)
  expect(failures.map(({ custom_id, response }) => [custom_id, response.status_code])).toEqual([
    ['line-2', 400],
    ['line-3', 400],
    ['line-4', 404],
  ])
  expect(failures[1].response.body.error).toMatchObject({ param: 'input' })
  await expectPaid(shared(), account, 2)
})

test.each([
  ['nothing', '', 'empty_file', null],
  ['no JSON', 'hello\n', 'invalid_json_line', 1],
  [
    'two lines of one name',
    `${JSON.stringify(embedding('a', 1))}\n${JSON.stringify(embedding('a', 1))}`,
    'duplicate_custom_id',
    2,
  ],
  [
    'another address',
    JSON.stringify({ ...embedding('a', 1), url: '/v1/moderations' }),
    'invalid_url',
    1,
  ],
  ['a GET', JSON.stringify({ ...embedding('a', 1), method: 'GET' }), 'invalid_method', 1],
])('a file with %s fails as a whole, and costs nothing', async (_what, text, code, line) => {
  const { account, openai } = await connect()
  const file = await toFile(Buffer.from(text), 'in.jsonl')
  const { id } = await openai.files.create({ purpose: 'batch', file })
  const made = await openai.batches.create({
    input_file_id: id,
    endpoint: '/v1/embeddings',
    completion_window: '24h',
  })
  const batch = await ended(openai, made.id)
  expect(batch.status).toBe('failed')
  expect(batch.errors?.data?.[0]).toMatchObject({ code, line })
  expect(shared().upstream.asked).toHaveLength(0)
  await expectPaid(shared(), account, 0)
})

test('a cancelled batch begins no other line, and keeps what it has', async () => {
  const { account, openai } = await connect()
  const waiting: (() => void)[] = []
  shared().upstream.behave('/embeddings', (it) => void waiting.push(() => it.answer()))
  const lines = Array.from({ length: 40 }, (_, place) => embedding('ab', place))
  const { id } = await start(openai, lines)
  await expect.poll(() => waiting.length).toBe(8)
  const cancelling = await openai.batches.cancel(id)
  expect(cancelling.status).toBe('cancelling')
  for (const answer of waiting) answer()
  const batch = await ended(openai, id)
  expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 40, completed: 8 } })
  expect(await linesIn(openai, batch.output_file_id)).toHaveLength(8)
  await expectPaid(shared(), account, 8)
})

test('a line that is refused for the moment is asked again', async () => {
  const { account, openai } = await connect()
  shared().upstream.behave(
    '/embeddings',
    (it) => it.send(429, {}, { 'retry-after': '5' }),
    (it) => it.answer(),
  )
  const batch = await ended(openai, (await start(openai, [embedding('ab', 1)])).id)
  expect(batch.request_counts).toEqual({ total: 1, completed: 1, failed: 0 })
  await expectPaid(shared(), account, 1)
})

test('a line whose upstream fails is asked again, and fails if that lasts', async () => {
  const { account, openai } = await connect()
  const fails = (it: SurfaceAsked) => it.send(500, {})
  shared().upstream.behave('/embeddings', fails, fails, (it) => it.answer())
  const first = await ended(openai, (await start(openai, [embedding('ab', 1)])).id)
  expect(first.request_counts).toEqual({ total: 1, completed: 1, failed: 0 })
  await expectPaid(shared(), account, 1)
  shared().upstream.behave('/embeddings', fails)
  const second = await ended(openai, (await start(openai, [embedding('ab', 1)])).id)
  const [failure] = await linesIn(openai, second.error_file_id)
  expect(failure.response.body.error).toMatchObject({ code: 'upstream_error' })
  await expectPaid(shared(), account, 1)
})

test('lines that the balance does not cover fail, and the others are paid', async () => {
  const { openai } = await connect(0)
  const batch = await ended(openai, (await start(openai, [embedding('ab', 1)])).id)
  const [failure] = await linesIn(openai, batch.error_file_id)
  expect(failure.response).toMatchObject({
    status_code: 402,
    body: { error: { code: 'insufficient_balance' } },
  })
})

describe('chats in a batch', () => {
  const line = {
    custom_id: 'c',
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'lab/chat', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 200 },
  }

  test('have the vendor’s price of batches, and ask for it', async () => {
    const { account, openai } = await connect()
    const made = await start(openai, [line], '/v1/chat/completions')
    const batch = await ended(openai, made.id)
    const [answer] = await linesIn(openai, batch.output_file_id)
    expect(answer.response.body.choices[0].message.content).toBe('Hello to you.')
    expect(shared().upstream.asked[0]?.body.service_tier).toBe('flex')
    await expectPaid(shared(), account, (100 * 1 + 50 * 4) / 2)
    const alone = await ask(shared(), account, '/chat/completions', line.body)
    expect(alone.status).toBe(200)
    expect(shared().upstream.asked[1]?.body.service_tier).toBeUndefined()
    await expectPaid(shared(), account, 150 + 300)
  })

  test('that wait for room do not make other chats avoid their vendor', async () => {
    const { account, openai } = await connect()
    const { upstream } = shared()
    upstream.behave('/chat/completions', (it) => it.send(429, {}, { 'retry-after': '4' }))
    const { id } = await start(openai, [line], '/v1/chat/completions')
    await expect.poll(() => upstream.asked.length).toBeGreaterThan(0)
    const { body } = await account.get('/api/llm/v1/models/lab/chat/endpoints')
    expect(body.data.endpoints).toMatchObject([{ status: 0 }])
    await openai.batches.cancel(id)
    await ended(openai, id)
  })

  test('are not streamed', async () => {
    const { openai } = await connect()
    const streamed = { ...line, body: { ...line.body, stream: true } }
    const batch = await ended(openai, (await start(openai, [streamed], '/v1/chat/completions')).id)
    const [failure] = await linesIn(openai, batch.error_file_id)
    expect(failure.response.body.error).toMatchObject({ param: 'stream' })
  })
})

test('a batch with an idempotency key is made once', async () => {
  const { account, openai } = await connect()
  const { id } = await openai.files.create({
    purpose: 'batch',
    file: await fileOf([embedding('ab', 1)]),
  })
  const body = { input_file_id: id, endpoint: '/v1/embeddings', completion_window: '24h' }
  const headers = { 'idempotency-key': 'once' }
  const first = await ask(shared(), account, '/batches', body, { headers })
  const again = await ask(shared(), account, '/batches', body, { headers })
  expect(again.body.id).toBe(first.body.id)
  const other = { ...body, metadata: { a: 'b' } }
  expect((await ask(shared(), account, '/batches', other, { headers })).status).toBe(422)
  await ended(openai, first.body.id)
  await expectPaid(shared(), account, 1)
})

test('batches and files of others are not found', async () => {
  const { openai } = await connect()
  const batch = await ended(openai, (await start(openai, [embedding('a', 1)])).id)
  const { openai: stranger } = await connect()
  const notFound = { status: 404 }
  await expect(stranger.batches.retrieve(batch.id)).rejects.toMatchObject(notFound)
  await expect(stranger.batches.cancel(batch.id)).rejects.toMatchObject(notFound)
  await expect(stranger.files.retrieve(batch.input_file_id)).rejects.toMatchObject(notFound)
  await expect(stranger.files.content(batch.output_file_id ?? '')).rejects.toMatchObject(notFound)
  await expect(
    stranger.batches.create({
      input_file_id: batch.input_file_id,
      endpoint: '/v1/embeddings',
      completion_window: '24h',
    }),
  ).rejects.toMatchObject(notFound)
})

test.each([
  [{ endpoint: '/v1/videos' }, 'endpoint'],
  [{ completion_window: '1h' }, 'completion_window'],
  [{ input_file_id: 7 }, 'input_file_id'],
  [{ metadata: { a: 1 } }, 'metadata'],
])('the wrong batch %# is refused', async (changes, param) => {
  const { account } = await connect()
  const body = { input_file_id: 'x', endpoint: '/v1/embeddings', completion_window: '24h' }
  const reply = await ask(shared(), account, '/batches', { ...body, ...changes })
  expect([reply.status, reply.body.error.param]).toEqual([400, param])
})
