import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { drugs } from './provider.ts'

const product = (number: number) => ({ product_ndc: `0002-${1_000 + number}` })

const ask = (input: object, search: string, query: object, total: number, listed: number) =>
  replayAction(drugs, 'search', {
    exchanges: [
      {
        request: { method: 'GET', path: '/drug/ndc.json', query: { search, ...query } },
        reply: {
          status: 200,
          body: {
            meta: { results: { total } },
            results: Array.from({ length: listed }, (_, number) => product(number)),
          },
        },
      },
    ],
    input,
  })

test.each([
  [0, 45, 20, 20],
  [20, 45, 20, 40],
  [40, 45, 5, null],
  [25_000, 90_000, 20, null],
])('from offset %i of %i products the list goes on', async (offset, total, listed, next) => {
  const query = { limit: '20', ...(offset > 0 ? { skip: String(offset) } : {}) }
  const input = { labeler: 'Lilly', offset }
  const { output } = await ask(input, 'labeler_name:"Lilly"', query, total, listed)
  expect(output).toMatchObject({ total, next_offset: next })
})

test('filters narrow the results of a name', async () => {
  const { error } = await ask(
    { q: 'aspirin', labeler: 'Bayer', dosage_form: 'TABLET', route: 'ORAL', limit: 1 },
    '(brand_name:"aspirin" generic_name:"aspirin" active_ingredients.name:"aspirin") AND labeler_name:"Bayer" AND dosage_form:"TABLET" AND route:"ORAL"',
    { limit: '1' },
    1,
    1,
  )
  expect(error).toBeUndefined()
})

test.each([{}, { dosage_form: 'TABLET' }, { q: 'aspirin', offset: 25_001 }])(
  '%o is refused',
  async (input) => {
    const { error } = await replayAction(drugs, 'search', { exchanges: [], input })
    expect(error?.name).toBe('ZodError')
  },
)
