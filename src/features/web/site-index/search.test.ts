import { passagesOfHtml } from '@tollway/reader'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createIndexRows, newIndexId } from './index-rows.ts'
import { handbook } from './link-lists.fixture.ts'
import { createPageStore } from './page-store.ts'
import { createIndexSearch, type IndexSearch } from './search.ts'
import { createSpelling } from './spelling.ts'
import { createStems } from './stems.ts'

const owner = { kind: 'wallet', accountId: '01970000-0000-7000-8000-000000000001' } as const
const notRecorded = async () => {}
const saver = { callId: undefined, effect: notRecorded }

interface TestPage {
  readonly url: string
  readonly title: string
  readonly content: string
}

async function openIndex(site: string, pages: readonly TestPage[]) {
  const connectionString = await createTestDatabase()
  const database = openDatabase({ connectionString, log })
  onTestFinished(database.close)
  const parts = {
    database,
    rows: createIndexRows({ database, clock }),
    stems: createStems(database),
    spelling: createSpelling(database),
  }
  const store = createPageStore({ ...parts, clock })
  const index = await parts.rows.create(owner, { id: newIndexId(clock), site }, notRecorded)
  const save = ({ url, title, content }: TestPage) =>
    store.save(index, { site, url, title, passages: passagesOfHtml(content, url) }, saver)
  for (const page of pages) await save(page)
  const { search } = createIndexSearch(parts)
  return { search, save }
}

const urlsOf = async (search: IndexSearch['search'], question: string, limit = 5) =>
  ((await search(owner, question, { limit })) ?? []).map(({ url }) => url)

test('pages that list links do not come before the page itself', async () => {
  const { search } = await openIndex(handbook.site, handbook.pages)
  const missed = []
  for (const { question, url } of handbook.questions) {
    const [first] = await urlsOf(search, question)
    if (first !== url) missed.push({ question, first })
  }
  expect(handbook.questions).toHaveLength(30)
  expect(missed).toEqual([])
})

const site = 'https://docs.example/'
const page = (path: string, title: string, content: string) => ({
  url: `${site}${path}`,
  title,
  content: `<h1>${title}</h1>${content}`,
})
const ropes = page('ropes', 'Ropes', '<p>Nylon stretches, and polyester hardly does.</p>')
const sails = page('sails', 'Sails', '<p>Reef the mainsail in a strong breeze.</p>')
const list = (said: string) =>
  page('list', 'List', `<ul><li><a href="/ropes#top">Ropes</a>: ${said}</li></ul>`)

test('a page is found by what a list says of it, also when the list is read first, until the list says otherwise', async () => {
  const { search, save } = await openIndex(site, [list('hawsers and halyards'), sails, ropes])
  expect(await urlsOf(search, 'hawsers')).toEqual([ropes.url, `${site}list`])
  await save(list('twine'))
  expect(await urlsOf(search, 'hawsers')).toEqual([])
  expect(await urlsOf(search, 'twine')).toEqual([ropes.url, `${site}list`])
})

test('a misspelt word finds what the word finds, and the snippet names the word', async () => {
  const { search } = await openIndex(site, [ropes, sails])
  for (const written of ['polyster', 'poylester', 'pollyester', 'polyesder', 'olyester'])
    expect([written, await urlsOf(search, written)]).toEqual([written, [ropes.url]])
  const [hit] = (await search(owner, 'stron breeeze', { limit: 1 })) ?? []
  expect(hit).toMatchObject({ url: sails.url, matchedWords: ['strong', 'breeze'] })
  expect(await urlsOf(search, 'polka')).toEqual([])
})

test('a word that the index has is not taken for another one', async () => {
  const { search } = await openIndex(site, [
    page('one', 'One', '<p>The bolt is made of brass.</p>'),
    page('two', 'Two', '<p>The boat is made of oak.</p>'),
  ])
  expect(await urlsOf(search, 'boat')).toEqual([`${site}two`])
})

test('pages with a quoted phrase come first, also when others say its words more often', async () => {
  const { search } = await openIndex(site, [
    page('one', 'Sails', '<p>A mainsail, strong. Strong is the mainsail, reef or no reef.</p>'),
    page('two', 'Weather', '<p>Much is said here before a strong mainsail is named at all.</p>'),
    ...Array.from({ length: 5 }, (_, at) => page(`${at}`, `Page ${at}`, '<p>Nothing of it.</p>')),
  ])
  const [one, two] = [`${site}one`, `${site}two`]
  expect(await urlsOf(search, 'strong mainsail reef')).toEqual([one, two])
  expect(await urlsOf(search, '"a strong mainsail" reef')).toEqual([two, one])
  expect(await urlsOf(search, '“no such mainsail” reef strong')).toEqual([one, two])
})

test('the order of the hits is the same however many are asked for', async () => {
  const { search } = await openIndex(handbook.site, handbook.pages)
  for (const { question } of handbook.questions.slice(0, 10)) {
    const all = await urlsOf(search, question, 20)
    expect(await urlsOf(search, question, 3)).toEqual(all.slice(0, 3))
  }
})
