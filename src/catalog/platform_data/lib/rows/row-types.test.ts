import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { platformTable } from '../table.ts'
import { type RowType, readRow, rowSchema } from './row-types.ts'

const folder = path.join(import.meta.dirname, '../../fixtures')
const fixtures = readdirSync(folder).map((file) => {
  const { output } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  return { file, items: output.items as Record<string, unknown>[] }
})

/** What makes a row useful without its raw form. */
const core: Readonly<Record<RowType, readonly string[]>> = {
  post: ['id', 'url', 'text', 'author', 'published_at', 'likes', 'comments'],
  comment: ['id', 'text', 'author', 'published_at', 'likes', 'subject_url'],
  profile: ['id', 'url', 'username', 'name', 'about', 'followers'],
  place: ['id', 'url', 'name', 'category', 'latitude', 'longitude', 'rating', 'reviews'],
  product: ['id', 'url', 'title', 'price', 'currency', 'rating', 'reviews'],
  job: ['id', 'url', 'title', 'company', 'location', 'description', 'published_at'],
}

test('every action of the table has a kind of row', () => {
  expect(platformTable.filter(({ rows }) => rows === undefined)).toEqual([])
})

test('of the rows of all actors nine in ten fields that matter are filled', () => {
  const fields = fixtures.flatMap(({ file, items }) =>
    items.flatMap((item) =>
      core[item.type as RowType].map((name) => ({ at: `${file} ${name}`, value: item[name] })),
    ),
  )
  const missing = fields.filter(({ value }) => value === null).map(({ at }) => at)
  expect(missing.length / fields.length, missing.join(', ')).toBeLessThanOrEqual(0.1)
  expect(fields.length).toBeGreaterThan(150)
})

test.each(Object.keys(core) as RowType[])('a %s of which nothing is told is all null', (type) => {
  for (const raw of [{}, { id: {} }, { url: 'no address', likes: 'many', createdAt: 'soon' }]) {
    const row = readRow(type, raw)
    expect(rowSchema(type).safeParse(row).success).toBe(true)
    expect(Object.values(row).filter((value) => value !== null)).toEqual([type])
  }
})

test.each([
  [1_789_300_000, '2026-09-13T11:46:40.000Z'],
  [1_789_300_000_000, '2026-09-13T11:46:40.000Z'],
  ['1789300000', '2026-09-13T11:46:40.000Z'],
  ['2026-09-13T11:46:40.000Z', '2026-09-13T11:46:40.000Z'],
  ['2026-09-13T13:46:40+02:00', '2026-09-13T11:46:40.000Z'],
  ['2026-09-13', '2026-09-13T00:00:00.000Z'],
  ['Fri Sep 11 17:49:36 +0000 2026', '2026-09-11T17:49:36.000Z'],
  ['2 weeks ago', null],
  ['', null],
])('the time %j is read as %s', (createdAt, expected) => {
  expect(readRow('post', { createdAt }).published_at).toBe(expected)
})

test.each([
  [12, 12],
  ['1,234', 1234],
  ['1.2K', 1200],
  ['3M', 3_000_000],
  ['$199.99', 199.99],
  ['none', null],
  [null, null],
])('the number %j is read as %j', (price, expected) => {
  expect(readRow('product', { price }).price).toBe(expected)
})

test('the first readable place of a value counts', () => {
  const raw = { linkedinUrl: '', url: 'https://example.com/1', author: 'Ada', ownerUsername: 'bo' }
  expect(readRow('post', raw)).toMatchObject({ url: 'https://example.com/1', author: 'bo' })
})
