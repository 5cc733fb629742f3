// Limits of a key on models that are asked for other things than chats, also by lines of batches.
import { expect, test } from 'vitest'
import { OpenAI, toFile } from '#oracles/openai.ts'
import { ask, expectPaid, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()

async function keyWith(limits: object) {
  const gateway = shared()
  const account = await gateway.account(100)
  const { status, body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: limits,
  })
  expect([status, body]).toMatchObject([201, limits])
  return { account, limited: { ...account, key: body.api_key as string } }
}

test('a key uses the models that it lists, on every surface', async () => {
  const { account, limited } = await keyWith({ models: ['lab/embed', 'lab/chat'] })
  const allowed = await ask(shared(), limited, '/embeddings', { model: 'lab/embed', input: 'ab' })
  expect(allowed.status).toBe(200)
  const refused: [string, object][] = [
    ['/embeddings', { model: 'tollway/embedding-small', input: 'ab' }],
    ['/images/generations', { model: 'lab/draw', prompt: 'a' }],
    ['/audio/speech', { model: 'lab/tts', input: 'a', voice: 'alloy' }],
    ['/moderations', { model: 'lab/moderate', input: 'a' }],
    ['/rerank', { model: 'lab/rank', query: 'a', documents: ['b'] }],
  ]
  for (const [surface, body] of refused) {
    const { status, body: answer } = await ask(shared(), limited, surface, body)
    expect([surface, status, answer.error]).toMatchObject([
      surface,
      403,
      { code: 'forbidden', param: 'model', data: { limit: 'models' } },
    ])
  }
  expect(shared().upstream.asked).toHaveLength(1)
  await expectPaid(shared(), account, allowed.body.usage.prompt_tokens)
})

test('tokens of a surface count for the limit of tokens per minute', async () => {
  const { limited } = await keyWith({ tokens_per_minute: 10 })
  const body = { model: 'lab/embed', input: 'x'.repeat(90) }
  const { status, body: answer } = await ask(shared(), limited, '/embeddings', body)
  expect([status, answer.error]).toMatchObject([
    400,
    { code: 'bad_request', data: { limit: 'tokens_per_minute', most: 10 } },
  ])
  expect(shared().upstream.asked).toHaveLength(0)
})

test('lines of a batch keep to the models that the key lists when they run', async () => {
  const { account, limited } = await keyWith({ models: ['lab/embed'] })
  const openai = new OpenAI({
    baseURL: `${shared().url}/api/llm/v1`,
    apiKey: limited.key,
    maxRetries: 0,
  })
  const lines = ['lab/embed', 'tollway/embedding-small'].map((model) =>
    JSON.stringify({
      custom_id: model,
      method: 'POST',
      url: '/v1/embeddings',
      body: { model, input: 'abcd' },
    }),
  )
  const file = await toFile(Buffer.from(`${lines.join('\n')}\n`), 'in.jsonl')
  const { id: fileId } = await openai.files.create({ purpose: 'batch', file })
  const { id } = await openai.batches.create({
    input_file_id: fileId,
    endpoint: '/v1/embeddings',
    completion_window: '24h',
  })
  await expect.poll(async () => (await openai.batches.retrieve(id)).status).toBe('completed')
  const batch = await openai.batches.retrieve(id)
  expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 })
  const errors = await (await openai.files.content(batch.error_file_id ?? '')).text()
  expect(JSON.parse(errors)).toMatchObject({
    custom_id: 'tollway/embedding-small',
    response: { status_code: 403, body: { error: { code: 'forbidden' } } },
  })
  await expectPaid(shared(), account, 2)
})
