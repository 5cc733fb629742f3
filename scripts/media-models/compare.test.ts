import { describe, expect, test } from 'vitest'
import { differences, type TableRow, unlisted, type VendorModel } from './compare.ts'

const row: TableRow = {
  endpoint: 'owner/film',
  parameters: {
    properties: { prompt: {}, duration: { enum: ['5', '10'] }, style: {} },
    required: ['prompt'],
  },
  price: {
    per: 'second',
    cents: 7,
    variants: [{ when: { duration: '10' }, cents: 14 }],
    seconds: { parameter: 'duration' },
  },
}
const price = { endpoint_id: 'owner/film', unit_price: 0.07, unit: 'seconds', currency: 'USD' }
const modelWith = (
  properties: object,
  required: string[] = ['prompt'],
  metadata = {},
): VendorModel => ({
  endpoint_id: 'owner/film',
  metadata: { status: 'active', category: 'text-to-video', ...metadata },
  openapi: {
    paths: {
      '/owner/film': {
        post: {
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/FilmInput' } } },
          },
        },
      },
    },
    components: {
      schemas: { FilmInput: { properties, required }, Seconds: { enum: ['5', '10', '15'] } },
    },
  },
})
const same = {
  prompt: {},
  style: {},
  duration: { allOf: [{ $ref: '#/components/schemas/Seconds' }] },
}
const compare = (models: readonly VendorModel[], prices: readonly (typeof price)[] = [price]) =>
  differences({ film: row }, { prices, models })

describe('the table', () => {
  test('that agrees with the lists has no differences', () => {
    expect(compare([modelWith(same)])).toEqual([])
    expect(compare([modelWith(same)], [{ ...price, unit_price: 0.14 }])).toEqual([])
    expect(compare([modelWith({ ...same, seed: {} })])).toEqual([])
  })

  test.each([
    [[], [price], '- film: the vendor does not list owner/film'],
    [[modelWith(same)], [], '~ film: the vendor lists no price'],
    [
      [modelWith(same)],
      [{ ...price, unit_price: 0.08 }],
      '~ film: 8 cents for seconds, and the table has 7, 14 per second',
    ],
    [
      [modelWith(same, ['prompt'], { status: 'deprecated' })],
      [price],
      '~ film: the vendor says that it is deprecated',
    ],
    [
      [modelWith({ ...same, style: undefined })],
      [price],
      '~ film: style is not a parameter any more',
    ],
    [
      [modelWith(same, ['prompt', 'voice'])],
      [price],
      '~ film: voice is required and the table does not have it',
    ],
    [
      [modelWith({ ...same, duration: { enum: ['5'] } })],
      [price],
      '~ film: duration cannot be 10 any more',
    ],
    [[{ endpoint_id: 'owner/film' }], [price], '~ film: the vendor lists no parameters'],
  ])('is compared line by line (%#)', (models, prices, line) => {
    expect(compare(models, prices)).toEqual([line])
  })

  test('lacks models of the wanted categories, and no others', () => {
    const other = (endpoint_id: string, category: string, status = 'active') => ({
      endpoint_id,
      metadata: { category, status },
    })
    const models = [
      other('owner/film', 'text-to-video'),
      other('owner/new', 'text-to-video'),
      other('owner/old', 'text-to-video', 'deprecated'),
      other('owner/llm', 'llm'),
    ]
    expect(unlisted({ film: row }, models, ['text-to-video'])).toEqual([
      '+ owner/new (text-to-video)',
    ])
  })
})
