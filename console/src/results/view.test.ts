import { expect, test } from 'vitest'
import { viewsOf } from './view.ts'

test('rows are a table of their columns that hold something', () => {
  const rows = [
    { title: 'One', year: 2020, abstract: null },
    { title: 'Two', doi: '10.1/x', abstract: null },
  ]
  expect(viewsOf({ rows, next_cursor: null })).toEqual([
    { kind: 'table', name: 'rows', columns: ['title', 'year', 'doi'], rows },
  ])
})

test('the text of one page is Markdown', () => {
  const read = { url: 'https://one.example/', content: '# One' }
  expect(viewsOf({ rows: [read] })).toContainEqual({
    kind: 'markdown',
    name: 'content',
    text: '# One',
  })
})

test.for([
  ['https://files.example/a.png', undefined, 'image'],
  ['https://files.example/x?sig=1', 'audio/mpeg', 'audio'],
  ['https://files.example/film.mp4?x=1', undefined, 'video'],
  ['https://files.example/report', 'application/pdf', 'link'],
])('the file %s of type %s is shown as %s', ([address, mime, kind]) => {
  expect(viewsOf({ get_url: address, mime })).toEqual([{ kind, name: 'get_url', address }])
})

test('an address of a script is not shown as media', () => {
  expect(viewsOf({ url: 'javascript:alert(1)//a.png' })).toEqual([])
})

test('an answer without parts to show has none', () => {
  expect([viewsOf(null), viewsOf(3), viewsOf({ ok: true }), viewsOf([])]).toEqual([[], [], [], []])
})
