import { expect, test } from 'vitest'
import { quotePrice } from '#core/price.ts'
import type { Provider } from '#core/provider.ts'
import { replayAction } from '#test/run-action.ts'
import { createPlatformProviders } from '../providers.ts'
import type { ActorChoices } from './actions.ts'
import { platformTable } from './table.ts'

const find = (id: string, choices?: ActorChoices) => {
  const [platform, kind = ''] = id.split('/')
  const provider = createPlatformProviders(choices).find((one) => one.id === platform) as Provider
  const action = provider.actions.find(({ name }) => name === kind)
  return { provider, kind, action }
}
const exchange = (actor: string, body: object, maxItems: number, reply: unknown, status = 201) => ({
  request: {
    method: 'POST',
    path: `/acts/${actor}/run-sync-get-dataset-items`,
    query: {
      format: 'json',
      clean: 'true',
      timeout: '90',
      maxItems: String(maxItems),
      maxTotalChargeUsd: String(Math.max(0.1, maxItems / 100)),
    },
    body,
  },
  reply: { status, body: reply },
})
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

test('every identifier that the specification names has an action', () => {
  const identifiers = new Set(
    platformTable.flatMap(({ identifier, optional }) => [identifier, optional?.name]),
  )
  for (const name of [
    ...['targetUrls', 'jobTitles', 'locations', 'searchQuery', 'searchTerms', 'user_names'],
    ...['startUrls', 'postUrls', 'username', 'usernames', 'hashtags', 'keywords', 'searchQueries'],
    ...['searchStringsArray', 'productUrls', 'asins', 'urls', 'position', 'url', 'postURLs'],
  ])
    expect(identifiers).toContain(name)
})

test.each([
  [1, 1],
  [25, 1],
  [26, 2],
  [50, 2],
  [1_000, 40],
])('%i rows cost %i cents', (maxItems, cents) => {
  const { action } = find('tiktok/search')
  const input = action?.input.parse({ searchQueries: ['tea'], maxItems })
  expect(quotePrice(action?.price ?? 'free', input).micros).toBe(cents * 10_000)
})

test.each(platformTable)('$id takes its one identifier and only bounded input', (row) => {
  const { action } = find(row.id)
  const accepts = (input: object) => action?.input.safeParse(input).success
  const identified = { [row.identifier]: row.example }
  expect(accepts(identified)).toBe(true)
  expect(accepts({ ...identified, maxItems: row.rowsMax })).toBe(true)
  for (const refused of [
    {},
    { ...identified, maxItems: row.rowsMax + 1 },
    { ...identified, maxItems: 0 },
    { ...identified, maxItems: 1.5 },
    { ...identified, query: 'tea' },
    { [row.identifier]: Array.isArray(row.example) ? [] : '' },
    { [row.identifier]: Array.isArray(row.example) ? Array(101).fill(row.example[0]) : [''] },
  ])
    expect(accepts(refused)).toBe(false)
})

test('a limit that the actor applies to each identifier is divided among them, and extra rows are cut', async () => {
  const { provider, kind } = find('tiktok/search')
  const searchQueries = ['a', 'b', 'c']
  const { output } = await replayAction(provider, kind, {
    exchanges: [
      exchange('clockworks~tiktok-scraper', { searchQueries, resultsPerPage: 4 }, 10, rows(12)),
    ],
    input: { searchQueries, maxItems: 10 },
  })
  expect(output).toMatchObject({ rows: rows(10), row_count: 10, requested: 10 })
  expect(output.items.map(({ id }: { id: string }) => Number(id))).toEqual([...Array(10).keys()])
})

test('an actor with a minimum is asked for at least that many rows', async () => {
  const { provider, kind } = find('twitter/followers')
  const body = { getFollowers: true, getFollowing: false, user_names: ['nasa'], maxFollowers: 200 }
  const { output } = await replayAction(provider, kind, {
    exchanges: [
      exchange('kaitoeasyapi~premium-x-follower-scraper-following-data', body, 5, rows(200)),
    ],
    input: { user_names: ['nasa'], maxItems: 5 },
  })
  expect(output.row_count).toBe(5)
})

test('the operator can name another actor and the name of its limit', async () => {
  const choices = { 'weibo/search': { actor: 'me/weibo', limitField: 'max' } }
  expect(find('weibo/search').action?.unavailable).toContain('PLATFORM_ACTORS')
  const { provider, kind, action } = find('weibo/search', choices)
  expect(action?.unavailable).toBeUndefined()
  const { output } = await replayAction(provider, kind, {
    exchanges: [exchange('me~weibo', { keywords: ['tea'], max: 3 }, 3, [])],
    input: { keywords: ['tea'], maxItems: 3 },
  })
  expect(output).toEqual({ rows: [], items: [], row_count: 0, requested: 3 })
  expect(() => createPlatformProviders({ 'myspace/posts': { actor: 'a/b' } })).toThrow(
    'PLATFORM_ACTORS names myspace/posts',
  )
})

test.each([
  [400, 'invalid-input', 'bad_request'],
  [400, 'run-failed', 'upstream_error'],
  [400, 'run-timeout-exceeded', 'upstream_error'],
  [401, 'user-or-token-not-found', 'upstream_error'],
  [402, 'not-enough-usage-to-run-paid-actor', 'upstream_error'],
  [404, 'record-not-found', 'upstream_error'],
  [408, 'run-timeout-exceeded', 'upstream_error'],
  [429, 'rate-limit-exceeded', 'rate_limited'],
])('%i %s is %s', async (status, type, code) => {
  const { provider, kind } = find('tiktok/search')
  const reply = { error: { type, message: 'the vendor’s own words' } }
  const body = { searchQueries: ['tea'], resultsPerPage: 25 }
  const { error } = await replayAction(provider, kind, {
    exchanges: [exchange('clockworks~tiktok-scraper', body, 25, reply, status)],
    input: { searchQueries: ['tea'] },
  })
  expect(error?.code).toBe(code)
  expect(error?.message).not.toContain('own words')
})

test('raw rows and read rows stand side by side, also among odd ones', async () => {
  const { provider, kind } = find('reddit/posts')
  const body = { startUrls: [{ url: 'https://www.reddit.com/r/tea/' }], maxItems: 25 }
  const reply = [{ id: 'p', dataType: 'post' }, 'odd', { id: 'c', dataType: 'comment' }]
  const { output } = await replayAction(provider, kind, {
    input: { startUrls: body.startUrls },
    exchanges: [exchange('trudax~reddit-scraper-lite', body, 25, reply)],
  })
  expect(output.rows.map(({ id }: { id: string }) => id)).toEqual(['p', 'c'])
  expect(output.items).toMatchObject([
    { type: 'post', id: 'p' },
    { type: 'comment', id: 'c' },
  ])
})

test('another actor takes the identifier as the caller sends it', async () => {
  const { provider, kind } = find('airbnb/listing', { 'airbnb/listing': { actor: 'me/homes' } })
  const url = 'https://www.airbnb.com/rooms/12345678'
  const { output } = await replayAction(provider, kind, {
    input: { url },
    exchanges: [exchange('me~homes', { url }, 25, [{ title: 'Cabin' }])],
  })
  expect(output.items).toMatchObject([{ type: 'place', name: 'Cabin' }])
})
