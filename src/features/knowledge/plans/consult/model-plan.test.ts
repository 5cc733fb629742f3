// A language model that proposes plans: what is taken, what is repaired, and what falls back to the rules.
import { afterAll, expect, test } from 'vitest'
import type { ModelRouter } from '#core/model-router.ts'
import type { Clock } from '#core/ports.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../../../training/discover-catalog.ts'
import { createConsult } from './consult.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)
const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })

const centsMax = 5
const usage = { promptTokens: 500, completionTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 }

interface Asked {
  readonly max_tokens: number
  readonly messages: readonly { readonly content: string }[]
}

type Answer = (round: number, signal: AbortSignal) => unknown

/** The model of the test that asks. */
const model = { answer: (() => null) as Answer, asked: [] as Asked[], clock: systemClock }
const clock = { ...systemClock, sleep: ((...time) => model.clock.sleep(...time)) as Clock['sleep'] }
const router = {
  offers: () => [{ model: 'tollway/cheap', price: { prompt: 1, completion: 1 } as never }],
  async complete(chat: unknown, { signal }: { signal: AbortSignal }) {
    model.asked.push(chat as Asked)
    const content = await model.answer(model.asked.length, signal)
    return {
      upstream: 'test',
      model: 'm',
      usage,
      costUsd: 0,
      completion: { choices: [{ message: { content } }] },
    }
  },
} as unknown as ModelRouter
/** One for all tests: its first question reads all that it was taught. */
const consult = createConsult({
  catalog: () => catalog,
  rank,
  ownNamespace,
  composeFilm,
  clock,
  model: { router, clock, microsMax: centsMax * 10_000 },
})

/** Consult with a model that gives these answers, one for each round. */
function consultWith(answer: Answer, clock = systemClock) {
  const asked: Asked[] = []
  const ask = async (body: object) => {
    Object.assign(model, { answer, asked, clock })
    const input = consult.input.parse(body)
    const context = {
      input,
      signal: new AbortController().signal,
      record: () => {},
      spend: () => {},
    }
    return consult.output.parse(await consult.run(context as never)) as {
      readonly engine: string
      readonly mode: string
      readonly calls: readonly { readonly action: string; readonly params: object }[]
    }
  }
  return { ask, asked }
}

const planOf = (...steps: readonly object[]) => JSON.stringify({ steps })
const intent = 'take a screenshot of https://example.com/pricing'
const shot = (url: string) => ({
  id: 'shot',
  action: 'tollway/screenshot',
  params: { url, full_page: true },
})

test('a plan that passes the checks is taken', async () => {
  const { ask } = consultWith(() => planOf(shot('https://example.com/pricing')))
  expect(await ask({ intent })).toMatchObject({
    engine: 'model',
    mode: 'call',
    calls: [{ action: 'tollway/screenshot', params: { full_page: true } }],
  })
})

test.each([
  [
    'an address that the request does not name',
    shot('https://evil.example/x'),
    'not in the request',
  ],
  [
    'an action outside the catalog',
    { id: 'a', action: 'ns_bank/wire', params: {} },
    'not one of the listed',
  ],
  [
    'parameters that the action refuses',
    { id: 'a', action: 'tollway/screenshot', params: { page: 1 } },
    'screenshot',
  ],
])('%s is refused, and the model may repair it', async (_what, wrong, why) => {
  const right = planOf(shot('https://example.com/pricing'))
  const { ask, asked } = consultWith((round) => (round === 1 ? planOf(wrong) : right))
  expect(await ask({ intent })).toMatchObject({ engine: 'model' })
  expect(asked).toHaveLength(2)
  expect(JSON.stringify(asked[1]?.messages)).toContain(why)
})

test.each([
  ['garbage', () => 'I would rather not. {"steps": [{]'],
  ['a plan that is wrong each time', () => planOf({ id: 'a', action: 'no/such', params: {} })],
  ['nothing', () => null],
])('a model that answers %s is asked three times, and the rules answer', async (_what, answer) => {
  const { ask, asked } = consultWith(answer)
  expect(await ask({ intent })).toMatchObject({
    engine: 'rules',
    calls: [{ action: 'tollway/screenshot' }],
  })
  expect(asked).toHaveLength(3)
})

test('a model that refuses, or is slow, leaves the answer to the rules', async () => {
  const refusing = consultWith(() => Promise.reject(new Error('503')))
  expect(await refusing.ask({ intent })).toMatchObject({ engine: 'rules', mode: 'call' })
  // The deadline comes at once.
  const hasty = { ...systemClock, sleep: async () => {} }
  const slow = consultWith(
    (_round, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    hasty,
  )
  expect(await slow.ask({ intent })).toMatchObject({ engine: 'rules', mode: 'call' })
})

test('a model does not spend more than the operator allows', async () => {
  const unpaid = createConsult({
    catalog: () => catalog,
    rank,
    ownNamespace,
    composeFilm,
    clock: systemClock,
    model: {
      clock: systemClock,
      microsMax: 0,
      router: {
        offers: () => [{ model: 'm', price: { prompt: 10, completion: 10 } as never }],
        complete: () => Promise.reject(new Error('It must not be asked.')),
      },
    },
  })
  const input = unpaid.input.parse({ intent })
  const context = { input, signal: new AbortController().signal, record: () => {}, spend: () => {} }
  expect(await unpaid.run(context as never)).toMatchObject({ engine: 'rules' })
})

test('a plan above the budget is not taken', async () => {
  const { ask } = consultWith(() => planOf(shot('https://example.com/pricing')))
  const manifest = { constraints: { budget_cents: 0 } }
  expect(await ask({ intent, manifest })).toMatchObject({ engine: 'rules', mode: 'converse' })
})
