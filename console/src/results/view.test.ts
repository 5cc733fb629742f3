import { expect, test } from 'vitest'
import { viewsOf } from './view.ts'

test('rows are a table of their columns that hold something', () => {
  const rows = [
    { title: 'One', year: 2020, abstract: null },
    { title: 'Two', doi: '10.1/x', abstract: null },
  ]
  expect(viewsOf({ rows, next_cursor: null })).toEqual([
    { kind: 'table', name: 'rows', columns: ['title', 'year', 'doi'], leftOut: [], rows },
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

test('a part of a call that is charged as a whole does not say that it was free', () => {
  const row = { url: 'https://one.example/', content: '# One', hard: false, charged_cents: 0 }
  expect(JSON.stringify(viewsOf({ rows: [row] }))).not.toContain('charged_cents')
  expect(JSON.stringify(viewsOf({ rows: [{ ...row, charged_cents: 9 }] }))).toContain(
    'charged_cents',
  )
})

const long = 'A sentence of some words. '.repeat(20)

test('rows with long texts are items: short fields together, and texts below them', () => {
  const pages = [
    { id: 'a', url: 'https://one.example/', content: `# One\n${long}`, chars: 500, title: 'One' },
    { id: 'b', url: 'https://two.example/', content: null, chars: 0, title: 'Two' },
  ]
  expect(viewsOf({ rows: pages, read_count: 1 })).toEqual([
    { kind: 'fields', name: '', fields: [['read_count', 1]] },
    {
      kind: 'items',
      name: 'rows',
      items: [
        {
          title: '1. One',
          views: [
            {
              kind: 'fields',
              name: '',
              fields: [
                ['id', 'a'],
                ['url', 'https://one.example/'],
                ['chars', 500],
                ['title', 'One'],
              ],
            },
            { kind: 'markdown', name: 'content', text: `# One\n${long}` },
          ],
        },
        {
          title: '2. Two',
          views: [
            {
              kind: 'fields',
              name: '',
              fields: [
                ['id', 'b'],
                ['url', 'https://two.example/'],
                ['chars', 0],
                ['title', 'Two'],
              ],
            },
          ],
        },
      ],
    },
  ])
})

test('what one page says of itself stands beside its text', () => {
  const read = { url: 'https://one.example/', title: 'One', content: '# One', cost: { cents: 1 } }
  expect(viewsOf({ rows: [read], next: 'Nothing.' })).toEqual([
    { kind: 'fields', name: '', fields: [['next', 'Nothing.']] },
    {
      kind: 'fields',
      name: '',
      fields: [
        ['url', 'https://one.example/'],
        ['title', 'One'],
        ['cost', { cents: 1 }],
      ],
    },
    { kind: 'markdown', name: 'content', text: '# One' },
  ])
})

test('long texts of other fields are texts, bytes are JSON, and HTML is not Markdown', () => {
  const kindsOf = (row: object) => viewsOf(row).map((view) => [view.name, view.kind])
  expect(kindsOf({ abstract: long })).toEqual([['abstract', 'text']])
  expect(kindsOf({ bytes: 'aGVsbG8='.repeat(200) })).toEqual([['bytes', 'json']])
  expect(kindsOf({ content: `<p>${long}</p>`, format: 'html' })).toEqual([
    ['', 'fields'],
    ['content', 'text'],
  ])
  // A signed address is long, and stays a link.
  expect(kindsOf({ rows: [{ at: `https://a.example/${'x'.repeat(400)}` }, {}] })).toEqual([
    ['rows', 'table'],
  ])
})

test('a table names the columns for which it has no room', () => {
  const row = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`c${index}`, index]))
  expect(viewsOf([row, row])).toMatchObject([{ kind: 'table', leftOut: ['c8', 'c9'] }])
})

test('what is nested without end becomes JSON', () => {
  let nested: object = { abstract: long }
  for (let depth = 0; depth < 10; depth++) nested = { inner: [nested, {}], depth }
  let kinds = ''
  const walk = (views: Readonly<ReturnType<typeof viewsOf>>) => {
    for (const view of views) {
      kinds += ` ${view.kind}`
      if (view.kind === 'items') for (const { views: inner } of view.items) walk(inner)
    }
  }
  walk(viewsOf(nested))
  expect(kinds).toBe(' fields items fields items fields items fields json')
})
