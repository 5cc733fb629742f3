import { expect, test } from 'vitest'
import { z } from 'zod'
import { readLeniently } from './lenient.ts'

const answer = z.looseObject({
  total: z.number(),
  rows: z.array(
    z.looseObject({
      id: z.string(),
      size: z.number().nullable(),
      tag: z.string().optional(),
      parts: z.array(z.looseObject({ name: z.string() })).optional(),
    }),
  ),
})
const good = { id: 'a', size: 1 }
const read = (rows: unknown, total: unknown = 1) => readLeniently(answer, { total, rows })

test('an answer that fits is passed on unchanged', () => {
  expect(read([good])).toEqual({ data: { total: 1, rows: [good] }, misfits: [], dropped: 0 })
})

test.each<[string, unknown, unknown]>([
  ['a number written as text', { ...good, size: '12' }, { ...good, size: 12 }],
  ['a text written as a number', { ...good, id: 7 }, { ...good, id: '7' }],
  ['a field that may be null', { ...good, size: 'many' }, { ...good, size: null }],
  ['a field that may be absent', { ...good, tag: ['x'] }, good],
  [
    'a row inside a row',
    { ...good, parts: [{ name: 'x' }, 5, { nothing: 1 }] },
    { ...good, parts: [{ name: 'x' }] },
  ],
  ['all the rows inside a row', { ...good, parts: [5] }, { ...good, parts: [] }],
])('one odd row keeps its place: %s', (_name, odd, mended) => {
  const found = read([good, odd, good])
  expect(found).toMatchObject({ data: { rows: [good, mended, good] } })
  expect('misfits' in found && found.misfits[0]).toMatch(/^rows\.1/)
})

test.each([[null], ['text'], [7], [{}], [[]], [{ size: 3 }]])(
  'a row that cannot be read, %o, is left out, and the others stay',
  (odd) => {
    const rows = [{ ...good, parts: [{ name: 'x' }, {}] }, odd, odd, { ...good, size: 'many' }]
    expect(read(rows)).toMatchObject({
      data: {
        rows: [
          { ...good, parts: [{ name: 'x' }] },
          { ...good, size: null },
        ],
      },
      dropped: 3,
    })
  },
)

test('the fields around the rows are checked strictly, and an answer that would lose all its rows is refused', () => {
  for (const [rows, total] of [
    [undefined, 1],
    [null, 1],
    [{ 0: good }, 1],
    ['text', 1],
    [[good], 'one'],
    [[null, 'text'], 1],
  ])
    expect(read(rows, total)).toHaveProperty('error')
})

test('the provider’s reply itself is not changed', () => {
  const raw = { total: 1, rows: [good, { id: 3 }, null] }
  const before = structuredClone(raw)
  readLeniently(answer, raw)
  expect(raw).toEqual(before)
})
