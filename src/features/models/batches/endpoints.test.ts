// What lines of batches are asked at, and for how much.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Agent } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createModels } from '../llm/routing/models.ts'
import { atBatchPrices } from './endpoints.ts'

async function openModels(config: object, variables: readonly string[] = []) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-batches-'))
  const configPath = path.join(folder, 'llm.json')
  await writeFile(configPath, JSON.stringify(config))
  const dispatcher = new Agent()
  const keys = new Map(variables.map((name) => [`${name}_API_KEY`, 'key']))
  const parts = { shipped: shippedPrices, configPath, variables: keys, dispatcher, log }
  const models = await createModels(parts)
  onTestFinished(async () => {
    models.close()
    await dispatcher.destroy()
    await rm(folder, { recursive: true })
  })
  return { plain: models.current(), inBatches: atBatchPrices(models).current() }
}

const lab = (prices: object) => ({
  upstreams: {
    lab: {
      base_url: 'http://127.0.0.1:9',
      serves: ['lab/*'],
      batch_fields: { service_tier: 'flex' },
    },
  },
  prices,
})

test('a model with a price of batches is not asked elsewhere at its full price', async () => {
  const { plain, inBatches } = await openModels({}, ['OPENAI', 'OPENROUTER'])
  const named = (offer: typeof plain, slug: string) =>
    offer.routes(slug).map(({ upstream }) => upstream.name)
  expect(named(plain, 'openai/gpt-5')).toEqual(['openai', 'openrouter'])
  expect(named(inBatches, 'openai/gpt-5')).toEqual(['openai'])
  expect(named(inBatches, 'openai/gpt-4.1')).toEqual(['openai', 'openrouter'])
  const [first] = inBatches.routes('openai/gpt-5')
  expect(first?.upstream.extraFields).toEqual({ service_tier: 'flex' })
  expect(inBatches.routes('openai/gpt-5')[0]).toBe(first)
})

test('where the upstream is not asked for the price of batches, its full price holds', async () => {
  const price = { surface: 'embeddings', prompt: 2, batch: { prompt: 1, completion: 0 } }
  const { inBatches } = await openModels(lab({ 'lab/embed': price }))
  expect(inBatches.routes('lab/embed', 'embeddings')[0]?.price.prompt).toBe(2_000_000)
})

test('what a cache has read, and long prompts, cost no more in batches', async () => {
  const rates = { prompt: 2, completion: 8, cache_read: 1.5 }
  const long_context = [{ above: 1_000, prompt: 4, completion: 16 }]
  const batch = { prompt: 1, completion: 4 }
  const { inBatches } = await openModels(
    lab({
      'lab/one': { ...rates, batch, long_context },
      'lab/two': {
        ...rates,
        long_context,
        batch: { ...batch, long_context: [{ above: 1_000, prompt: 2, completion: 8 }] },
      },
    }),
  )
  expect(inBatches.routes('lab/one')[0]?.price).toMatchObject({
    prompt: 1_000_000,
    cache_read: 1_000_000,
    long_context: [{ prompt: 4_000_000 }],
  })
  expect(inBatches.routes('lab/two')[0]?.price.long_context).toMatchObject([{ prompt: 2_000_000 }])
})

test('a vendor has a quarter of an hour to find room', async () => {
  const { inBatches } = await openModels({
    ...lab({ 'lab/one': { prompt: 1, completion: 4 } }),
    timeouts: { answer_ms: 50 },
    timeouts_by_model: { 'lab/*': { answer_last_ms: 100 }, 'lab/one': { total_ms: 3_000_000 } },
  })
  expect(inBatches.timeouts).toMatchObject({ answer_ms: 900_000, answer_last_ms: 900_000 })
  expect(inBatches.timeoutsByModel['lab/*']).toMatchObject({ answer_last_ms: 900_000 })
  expect(inBatches.timeoutsByModel['lab/one']).toMatchObject({ total_ms: 3_000_000 })
})

test('the shipped prices of batches are half of the others', () => {
  const halved = [...shippedPrices.entries()].filter(([, { batch }]) => batch !== undefined)
  expect(halved.map(([slug]) => slug)).toEqual(
    expect.arrayContaining(['openai/gpt-5-nano', 'openai/gpt-5.4', 'openai/gpt-5.5']),
  )
  for (const [slug, { batch, ...price }] of halved) {
    expect.soft([slug, 2 * (batch?.prompt ?? 0)]).toEqual([slug, price.prompt])
    expect.soft([slug, 2 * (batch?.completion ?? 0)]).toEqual([slug, price.completion])
    expect.soft([slug, 2 * (batch?.cache_read ?? 0)]).toEqual([slug, price.cache_read])
    const longer = batch?.long_context?.map(({ prompt, completion }) => [
      2 * prompt,
      2 * completion,
    ])
    const others = price.long_context?.map(({ prompt, completion }) => [prompt, completion])
    expect.soft([slug, longer]).toEqual([slug, others])
  }
})
