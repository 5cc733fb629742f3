import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../../../training/discover-catalog.ts'
import { createConsult } from './consult.ts'

const { catalog } = openWholeCatalog()
const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
const consult = createConsult({ catalog: () => catalog, rank, ownNamespace, clock, composeFilm })

async function ask(intent: string) {
  const input = consult.input.parse({ intent, style: 'cards' })
  const answer: UntypedJson = consult.output.parse(await consult.run({ input } as never))
  return answer
}

test('a card has the action, its parameters, and the values that the intent says', async () => {
  const { cards, calls } = await ask('get 50 tweets about openai')
  expect(calls).toEqual([])
  expect(cards).toHaveLength(1)
  const [{ candidates }] = cards
  expect(candidates.length).toBeGreaterThan(0)
  expect(candidates.length).toBeLessThanOrEqual(3)
  const card = candidates.find(({ action }: { action: string }) => action === 'twitter/search')
  expect(card).toMatchObject({
    required: ['searchTerms'],
    values: { searchTerms: ['openai'], maxItems: 50 },
    parameters: { searchTerms: expect.any(String), maxItems: expect.any(String) },
  })
})

test('each goal has its cards, without references to calls that are not made', async () => {
  const { cards } = await ask('Look up the drug ibuprofen, then open the record of the first hit.')
  expect(cards).toHaveLength(2)
  expect(JSON.stringify(cards)).not.toContain('$step')
})

test.each([
  'find jobs for rust developers in Germany posted in the last week',
  'Create a sandbox, run `ls -la /`, then terminate it, then find companies like ramp.com, then read https://example.com, then send a fax to +15551234567 with https://example.com/a.pdf',
  'full report on datadog: funding, news, filings and people',
])('an answer has at most 1,200 tokens: %s', async (intent) => {
  const { cards } = await ask(intent)
  expect(countTokens(JSON.stringify(cards))).toBeLessThanOrEqual(1_200)
})
