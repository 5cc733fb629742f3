import { deflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import {
  createPageCache,
  type KeptPage,
  type PageAsked,
  type PageCacheLimits,
} from './page-cache.ts'

async function open(limits?: PageCacheLimits) {
  const connectionString = await createTestDatabase()
  const database = openDatabase({ connectionString, log })
  onTestFinished(database.close)
  const cache = () => createPageCache({ database, log, ...(limits && { limits }) })
  /** The ladder does not wait until a page is kept; the tests do. */
  const kept = async (count: number) => {
    for (;;) {
      const rows = await database.query('select 1 from kept_page')
      if (rows.length >= count) return
    }
  }
  return { database, cache, kept }
}

const asked: PageAsked = {
  url: 'https://mill.example/wheel',
  format: 'markdown',
  mainContent: true,
  maxAgeSeconds: 60,
}
const page = (content: string): KeptPage => ({
  finalUrl: 'https://mill.example/wheel',
  page: {
    title: 'The wheel',
    content,
    format: 'markdown',
    forms: {},
    metadata: {
      description: null,
      author: null,
      publishedAt: null,
      modifiedAt: null,
      language: 'en',
      siteName: null,
      canonicalUrl: null,
      imageUrl: null,
    },
  },
  reply: { status: 200, contentType: 'text/html' },
  provider: 'fetch',
  yield: 0.7,
  flags: [],
  hard: false,
  price: 'batch',
  truncated: false,
})

test('a page that one gateway has kept is found by another, as it was', async () => {
  const { cache, kept } = await open()
  cache().keep(asked, page('The wheel turns.'))
  await kept(1)
  const found = await cache().find(asked)
  expect(found).toEqual({ ...page('The wheel turns.'), readAt: expect.any(Date) })
})

test.each([
  ['cannot be decompressed', Buffer.from([0xff, 0xff])],
  ['is not JSON', deflateRawSync('{"finalUrl"')],
])('a kept page that %s is read anew', async (_name, damaged) => {
  const { database, cache, kept } = await open()
  cache().keep(asked, page('The wheel turns.'))
  await kept(1)
  await database.query('update kept_page set page = $1', [damaged])
  expect(await cache().find(asked)).toBeUndefined()
})

test.each<[string, Partial<PageAsked>]>([
  ['another address', { url: 'https://mill.example/dam' }],
  ['another format', { format: 'html' }],
  ['the whole page', { mainContent: false }],
  ['another form', { also: ['links'] }],
  ['a part of the page', { include: ['article'] }],
  ['another language', { visit: { language: 'de' } }],
  ['a phone', { visit: { isMobile: true } }],
  ['a wait', { visit: { waitFor: 500 } }],
  ['own headers', { visit: { headers: { authorization: 'mine' } } }],
  ['own cookies', { visit: { cookies: { session: 'mine' } } }],
  ['a caller who accepts no earlier page', { maxAgeSeconds: undefined }],
])('it is not found for %s', async (_title, change) => {
  const { cache, kept } = await open()
  cache().keep(asked, page('The wheel turns.'))
  await kept(1)
  expect(await cache().find({ ...asked, ...change })).toBeUndefined()
})

test('what was read with own headers or cookies, or for a caller who accepts no earlier page, is not kept', async () => {
  const { cache, kept, database } = await open()
  cache().keep({ ...asked, visit: { headers: { authorization: 'mine' } } }, page('secret'))
  cache().keep({ ...asked, visit: { cookies: { session: 'mine' } } }, page('secret'))
  cache().keep({ ...asked, maxAgeSeconds: undefined }, page('secret'))
  cache().keep(asked, page('public'))
  await kept(1)
  expect(await database.query('select 1 from kept_page')).toHaveLength(1)
  expect((await cache().find(asked))?.page?.content).toBe('public')
})

test('a page is found until it is older than its caller accepts, and a newer read takes its place', async () => {
  const { cache, kept, database } = await open()
  cache().keep(asked, page('before'))
  await kept(1)
  await database.query("update kept_page set read_at = now() - interval '2 minutes'")
  expect(await cache().find(asked)).toBeUndefined()
  expect(await cache().find({ ...asked, maxAgeSeconds: 180 })).toBeDefined()
  const writer = cache()
  writer.keep(asked, page('now'))
  await expect.poll(async () => (await cache().find(asked))?.page?.content).toBe('now')
  expect(await database.query('select 1 from kept_page')).toHaveLength(1)
})

test('beyond the limits the oldest pages go, and so do those older than any caller accepts', async () => {
  const { cache, kept, database } = await open({
    pagesMax: 3,
    bytesMax: 1_000_000,
    bytesPerPageMax: 10_000,
  })
  const at = (name: string) => ({ ...asked, url: `https://mill.example/${name}` })
  for (const [index, name] of ['one', 'two', 'three', 'four', 'five'].entries()) {
    cache().keep(at(name), page(name))
    await kept(index + 1)
  }
  await database.query(
    "update kept_page set read_at = now() - interval '2 days' where read_at = (select max(read_at) from kept_page)",
  )
  await cache().forgetOld()
  const found = await Promise.all(
    ['one', 'two', 'three', 'four', 'five'].map(
      async (name) => (await cache().find(at(name))) !== undefined,
    ),
  )
  expect(found).toEqual([false, true, true, true, false])
})

test('pages have a limit in bytes together, and each by itself', async () => {
  const { cache, kept, database } = await open({
    pagesMax: 100,
    bytesMax: 700,
    bytesPerPageMax: 600,
  })
  const noise = (length: number) =>
    Array.from({ length }, () => Math.random().toString(36).slice(2, 3)).join('')
  const writer = cache()
  writer.keep(asked, page(noise(5_000)))
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    writer.keep({ ...asked, url: `https://mill.example/${name}` }, page(noise(100)))
    await kept(index + 1)
  }
  expect(await writer.find(asked)).toBeUndefined()
  await writer.forgetOld()
  const [row] = await database.query<{ bytes: number }>(
    'select sum(bytes)::int as bytes from kept_page',
  )
  expect(row?.bytes).toBeLessThanOrEqual(700)
  expect(row?.bytes).toBeGreaterThan(0)
})

test('neither addresses nor text stand in the table', async () => {
  const { cache, kept, database } = await open()
  cache().keep(asked, page('The wheel turns '.repeat(50)))
  await kept(1)
  const [row] = await database.query<{ key: Buffer; page: Buffer }>(
    'select key, page from kept_page',
  )
  expect(row?.key).toHaveLength(32)
  expect(row?.page.toString('latin1')).not.toMatch(/mill\.example|wheel turns/)
})
