// What is for sale on the surfaces of models, the cap of the day, and another upstream when one fails.
import { describe, expect, test } from 'vitest'
import {
  ask,
  expectPaid,
  shareSurfaceGateway,
  surfacePrices,
} from '#test/models/surface-gateway.ts'

const requests: [surface: string, body: object][] = [
  ['/embeddings', { model: 'lab/embed', input: 'ab' }],
  ['/images/generations', { model: 'lab/draw', prompt: 'a' }],
  ['/audio/speech', { model: 'lab/tts', input: 'a', voice: 'alloy' }],
  ['/rerank', { model: 'lab/rank', query: 'a', documents: ['b'] }],
]

describe('when an account may spend nothing in a day', () => {
  const capped = shareSurfaceGateway({ env: { INFERENCE_DAY_CENTS_MAX: '0' } })

  test.each(requests)('%s is refused, and nothing is sent', async (surface, body) => {
    const account = await capped().account(100)
    const reply = await ask(capped(), account, surface, body)
    expect([reply.status, reply.body.error.code]).toEqual([429, 'rate_limited'])
    expect(reply.headers.get('x-should-retry')).toBe('false')
    expect(capped().upstream.asked).toHaveLength(0)
    await expectPaid(capped(), account, 0)
  })
})

describe('with two upstreams of one model', () => {
  const shared = shareSurfaceGateway({
    config: (url: string) => {
      const upstream = { base_url: url, api_key: 'LAB_API_KEY', serves: ['lab/*'] }
      const away = { base_url: 'http://127.0.0.1:9', serves: ['lab/*'] }
      return { upstreams: { away, lab: upstream }, prices: surfacePrices }
    },
  })

  test.each(requests)('%s is answered by the other one', async (surface, body) => {
    const account = await shared().account(100)
    const reply = await ask(shared(), account, surface, body)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-attempts')).toBe('2')
    expect(shared().upstream.asked).toHaveLength(1)
  })

  test('a conversation with a model of another surface is refused, and the refusal says what it is for', async () => {
    const account = await shared().account(100)
    const messages = [{ role: 'user', content: 'a' }]
    const reply = await ask(shared(), account, '/chat/completions', {
      model: 'lab/embed',
      messages,
    })
    expect([reply.status, reply.body.error.message]).toEqual([
      404,
      expect.stringContaining('a model for embeddings'),
    ])
    await expectPaid(shared(), account, 0)
  })

  test('models and prices are listed by what they are asked for', async () => {
    const account = await shared().account(100)
    const { body: models } = await account.get('/api/llm/v1/models')
    const ids = models.data.map(({ id }: { id: string }) => id)
    for (const id of ['lab/embed', 'lab/draw', 'lab/chat', 'tollway/embedding-small'])
      expect(ids).toContain(id)
    const { body: pricing } = await account.get('/api/llm/v1/pricing')
    const priceOf = (id: string) => pricing.models.find((model: { id: string }) => model.id === id)
    expect(priceOf('lab/hear')).toMatchObject({ surface: 'transcriptions', usd_per_minute: 0.006 })
    expect(priceOf('lab/rank')).toMatchObject({ surface: 'rerank', usd_per_thousand_searches: 2 })
    expect(priceOf('lab/tts')).toMatchObject({ usd_per_million_characters: 15 })
    expect(priceOf('lab/flat-draw').usd_per_picture.standard['1792x1024']).toBe(0.08)
    expect(priceOf('lab/chat')).toMatchObject({ prompt: 1, batch: { prompt: 0.5 } })
    expect(priceOf('lab/chat').surface).toBeUndefined()
  })

  test('a chat cannot ask a model of another surface, nor the other way round', async () => {
    const account = await shared().account(100)
    const chat = { model: 'lab/embed', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await ask(shared(), account, '/chat/completions', chat)).status).toBeGreaterThan(399)
    const body = { model: 'lab/chat', input: 'a' }
    expect((await ask(shared(), account, '/embeddings', body)).status).toBe(404)
    expect(shared().upstream.asked).toHaveLength(0)
  })
})
