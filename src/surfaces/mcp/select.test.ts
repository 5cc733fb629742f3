import { expect, test } from 'vitest'
import { selectFields } from './select.ts'

const answer = {
  total: 2,
  results: [
    { title: 'One', url: 'https://one.example', score: null },
    { title: 'Two', authors: [{ name: 'Ada' }, { name: 'Bob' }] },
  ],
  'a/b': { '~': 1 },
}

test.each([
  { pointers: ['/total'], data: { total: 2 } },
  { pointers: [''], data: answer },
  { pointers: ['/results/*/title'], data: { results: [{ title: 'One' }, { title: 'Two' }] } },
  { pointers: ['/results/1/title'], data: { results: [{ title: 'Two' }] } },
  {
    pointers: ['/total', '/results/*/url', '/results/*/authors/*/name'],
    data: {
      total: 2,
      results: [{ url: 'https://one.example' }, { authors: [{ name: 'Ada' }, { name: 'Bob' }] }],
    },
  },
  { pointers: ['/a~1b/~0'], data: { 'a/b': { '~': 1 } } },
  { pointers: ['/results/0/score'], data: { results: [{ score: null }] } },
])('$pointers select what they name, in the shape of the answer', ({ pointers, data }) => {
  expect(selectFields(answer, pointers)).toEqual({ data, missing: [] })
})

test('pointers that name nothing are reported, and the others still select', () => {
  expect(selectFields(answer, ['/total', '/results/*/nothing', '/total/deeper'])).toEqual({
    data: { total: 2 },
    missing: ['/results/*/nothing', '/total/deeper'],
  })
  expect(selectFields(answer, ['/constructor', '/__proto__'])).toEqual({
    data: null,
    missing: ['/constructor', '/__proto__'],
  })
  expect(selectFields('text', ['/length']).data).toBeNull()
})
