import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Hop, StopReason } from '#core/action.ts'
import { anonymous } from '#core/caller.ts'
import { centsToMicros } from '#core/money.ts'
import { quotePrice } from '#core/price.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createLadder } from '../ladder/ladder.ts'
import type { Rung, RungReply, RungRequest } from '../ladder/rungs.ts'
import { createPageRoom } from '../pages/page-room.ts'
import { createPageWorkers } from '../pages/page-workers.ts'
import type { SiteMapper } from '../sites/map.ts'
import { createPoliteness } from '../sites/politeness.ts'
import { allowAll } from '../sites/robots.ts'
import { createOnescrapeDeep } from './onescrape-deep.ts'

const workers = createPageWorkers({ threads: 1 })
beforeAll(() =>
  workers.readMarkup({
    html: '<p>x',
    url: 'https://a.example/',
    format: 'html',
    mainContent: true,
  }),
)
afterAll(() => workers.close())
afterEach(() => void vi.restoreAllMocks())

const log = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: () => Date.now(), sleep: async () => {} }
const text =
  '<title>Mill</title><h1>Mill</h1><p>The river ran past the old mill and the miller counted his sacks of flour every evening.</p>'
const wall = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'

const answer = async ({ url }: RungRequest): Promise<RungReply> => ({
  kind: 'html',
  body: url.includes('/wall') ? wall : text,
  finalUrl: url,
  status: 200,
  headers: {},
})
/** A host that accepts connections and never answers. */
const silence = () => new Promise<never>(() => {})

function rung(position: number, provider: string, read: Rung['read']): Rung {
  return { position, provider, action: 'read', availability: () => ({ ok: true }), read }
}

const hurry = 200
/** Beyond the job's own time, to tell a job that ends in time from one that is ended. */
const graceMs = 1_000

/** A minute of deadlines passes in 0.3 seconds, in which a busy machine can still parse a small page. */
function hurryDeadlines() {
  const original = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => original(ms / hurry))
}

function createAction(rungs: readonly Rung[], mapSite: SiteMapper['mapSite'] = silence) {
  return createOnescrapeDeep({
    ladder: createLadder({ rungs, workers, room: createPageRoom(), clock, log }),
    guard: createEgressGuard({ lookup: async () => [] }),
    mapper: { mapSite },
    politeness: createPoliteness({ clock }),
    robots: { rulesFor: async () => allowAll },
  })
}

function setUp(rungs: readonly Rung[], mapSite: SiteMapper['mapSite'] = silence) {
  const checkpoints = new Map<string, unknown>()
  const action = createAction(rungs, mapSite)
  return async (
    body: object,
    stopReason: () => Promise<StopReason | undefined> = async () => undefined,
  ) => {
    const recorded: Hop[] = []
    const input = action.input.parse(body)
    const context = {
      input,
      maxCents: quotePrice(action.price, input).micros / centsToMicros(1),
      caller: anonymous,
      clock,
      signal: AbortSignal.timeout((action.timeoutMs ?? 0) + graceMs * hurry),
      available: () => false,
      checkpoints,
      save: async (name: string, value: unknown) => void checkpoints.set(name, value),
      report: async () => {},
      stopReason,
      record: (hop: Hop) => recorded.push(hop),
    }
    const run = action.run as (context: object) => Promise<unknown>
    return { output: action.output.parse(await run(context)) as UntypedJson, recorded }
  }
}

test('a page that runs out of time keeps its hops', async () => {
  hurryDeadlines()
  const read = setUp([
    rung(1, 'first', answer),
    rung(2, 'second', (request) => (request.url.includes('/wall') ? silence() : answer(request))),
    rung(4, 'third', answer),
  ])
  const { output } = await read({ urls: ['https://a.example/wall', 'https://b.example/'] })
  expect(output.rows[0]).toMatchObject({
    error: 'blocked',
    quality_flags: ['blocked'],
    hops: [
      { provider: 'first', ok: false },
      { provider: 'second', ok: false },
      { provider: 'third', skipped: 'deadline' },
    ],
  })
})

test('a silent host with many pages does not stop the pages of other hosts', async () => {
  hurryDeadlines()
  const read = setUp([
    rung(1, 'first', (request) => (request.url.includes('silent') ? silence() : answer(request))),
  ])
  const silent = Array.from({ length: 49 }, (_, page) => `https://silent.example/${page}`)
  const { output } = await read({ urls: [...silent, 'https://b.example/'] })
  expect(output).toMatchObject({ row_count: 50, read_count: 1, spent_cents: 1 })
  expect(output.rows[48]).toMatchObject({ error: 'timeout', hops: [{ skipped: 'deadline' }] })
})

test('once it should stop, pages that wait for their turn are not begun, and what was read is charged', async () => {
  const begun: (() => void)[] = []
  const read = setUp([
    rung(1, 'first', async (request) => {
      await new Promise<void>((resolve) => begun.push(resolve))
      return await answer(request)
    }),
  ])
  const told = Promise.withResolvers<void>()
  const urls = Array.from({ length: 20 }, (_, page) => `https://slow.example/${page}`)
  // The host admits two pages at once.
  const reading = read({ urls }, async () => {
    if (begun.length < 2) return undefined
    told.resolve()
    return 'cancelled'
  })
  await told.promise
  await new Promise(setImmediate)
  for (const finish of begun) finish()
  const { output } = await reading
  expect(begun).toHaveLength(2)
  expect(output).toMatchObject({ row_count: 20, read_count: 2, blocked_count: 0, spent_cents: 1 })
  const errors = output.rows.flatMap(({ error }: { error?: string }) => error ?? [])
  expect(errors).toEqual(Array(18).fill('cancelled'))
})

test('a map under way ends once the job should stop', async () => {
  const mapSite: SiteMapper['mapSite'] = ({ signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const asked = vi.fn(async () => (asked.mock.calls.length > 1 ? 'cancelled' : undefined))
  const read = setUp([rung(1, 'first', answer)], mapSite)
  const reading = read({ site: { url: 'https://a.example/' } }, asked as never)
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
})

const mapOf = (status: 'read' | 'failed') => async () => ({
  urls: ['https://a.example/', 'https://a.example/b'],
  found: 2,
  sources: [{ url: 'https://a.example/', kind: 'page', status } as const],
})

test.each([
  { status: 'read', cents: 1 },
  { status: 'failed', cents: 0 },
] as const)(
  'the map of a site that was $status is a call like the others, for $cents¢',
  async ({ status, cents }) => {
    const read = setUp([rung(1, 'first', answer)], mapOf(status))
    const { output, recorded } = await read({ site: { url: 'https://a.example/' } })
    const call = { provider: 'ladder', action: 'map', ok: cents > 0, charged_cents: cents }
    expect(output.calls[0]).toMatchObject({ url: 'https://a.example/', ...call })
    expect(output.calls).toHaveLength(4)
    expect(recorded[0]).toMatchObject(call)
    const sum = (calls: readonly Hop[]) =>
      calls.reduce((total, each) => total + each.charged_cents, 0)
    expect(sum(output.calls)).toBeCloseTo(output.spent_cents)
    expect(sum(recorded)).toBeCloseTo(output.spent_cents)
  },
)

test('a job that is taken up again shows its earlier calls, and calls nothing twice', async () => {
  const first = vi.fn(answer)
  const mapSite = vi.fn(mapOf('read'))
  const read = setUp([rung(1, 'first', first)], mapSite)
  const before = await read({ site: { url: 'https://a.example/' } })
  const after = await read({ site: { url: 'https://a.example/' } })
  expect(first).toHaveBeenCalledTimes(2)
  expect(mapSite).toHaveBeenCalledTimes(1)
  expect(after).toEqual(before)
})

/** The books refuse a longer answer. */
const answerCharactersMax = 20_000_000

test('pages that do not fit into the answer are left out for free, and the others are read', async () => {
  const long = 'The miller counted his "sacks" of flour.\n'.repeat(100_000)
  const read = setUp([
    rung(1, 'first', async (request) => {
      const body = request.url.includes('/long') ? long : 'The mill stands still today.'
      return { ...(await answer(request)), kind: 'text', body }
    }),
  ])
  const urls = ['long/1', 'long/2', 'long/3', 'long/4', 'long/5', 'short'].map(
    (at) => `https://a.example/${at}`,
  )
  const { output } = await read({ urls })
  expect(JSON.stringify(output).length).toBeLessThan(answerCharactersMax)
  expect(output).toMatchObject({ row_count: 6, read_count: 4, spent_cents: 1 })
  expect(output.rows.map(({ error }: { error?: string }) => error)).toEqual([
    ...[undefined, undefined, undefined],
    ...['too large', 'too large', undefined],
  ])
  expect(output.rows[4]).toMatchObject({ content: null, chars: 0, charged_cents: 0 })
  expect(output.rows[4].hops).toMatchObject([{ ok: true, charged_cents: 0 }])
})

test('twenty pages without scripts cost two cents, and each row shows its share', async () => {
  const read = setUp([rung(1, 'first', answer)])
  const urls = Array.from({ length: 20 }, (_, page) => `https://p${page}.example/`)
  const { output } = await read({ urls })
  expect(output).toMatchObject({ read_count: 20, spent_cents: 2, spent_usd: '0.020000' })
  for (const row of output.rows) expect(row.charged_usd).toBe('0.001000')
  const cents = output.rows.map(({ charged_cents }: { charged_cents: number }) => charged_cents)
  expect(cents).toEqual([1, 1, ...Array(18).fill(0)])
})

test('pages beyond the budget are over budget and free, and no request is made for them', async () => {
  const second = vi.fn(answer)
  const read = setUp([
    rung(1, 'first', (request) => Promise.reject(new Error(`no ${request.url}`))),
    rung(2, 'second', second),
  ])
  const urls = Array.from({ length: 14 }, (_, page) => `https://p${page}.example/`)
  const { output } = await read({ urls, budgetCents: 10 })
  expect(output).toMatchObject({
    read_count: 10,
    skipped_count: 4,
    blocked_count: 0,
    spent_cents: 10,
    next: expect.stringContaining('larger budgetCents'),
    spent_usd: '0.100000',
  })
  const over = output.rows.filter(({ error }: { error?: string }) => error === 'over budget')
  expect(over).toMatchObject(Array(4).fill({ hops: [], charged_cents: 0 }))
  expect(second).toHaveBeenCalledTimes(10)
})

test('with only part of a cent left, a page is read by rung 1 or is over budget', async () => {
  const read = setUp([
    rung(1, 'first', (request) =>
      request.url.includes('/plain') ? answer(request) : Promise.reject(new Error('no page')),
    ),
    rung(2, 'second', answer),
  ])
  const plain = Array.from({ length: 11 }, (_, page) => `https://p${page}.example/plain`)
  const busy = Array.from({ length: 9 }, (_, page) => `https://b${page}.example/`)
  const { output } = await read({
    urls: [...plain, ...busy, 'https://a.example/plain'],
    budgetCents: 10,
  })
  expect(output).toMatchObject({ read_count: 20, skipped_count: 1, spent_usd: '0.092000' })
  expect(output.rows[19]).toMatchObject({
    error: 'over budget',
    charged_usd: '0.000000',
    hops: [
      { provider: 'first', ok: false },
      { provider: 'second', skipped: 'budget' },
    ],
  })
  expect(output.rows[20]).toMatchObject({ provider: 'first', charged_usd: '0.001000' })
})

const three = ['https://a.example/', 'https://b.example/', 'https://c.example/']

test.each([
  { body: { urls: three }, ceiling: undefined, cents: 30 },
  { body: { urls: three }, ceiling: 20, cents: 20 },
  { body: { urls: three }, ceiling: 30, cents: 30 },
  { body: { urls: three }, ceiling: 10, cents: 10 },
  { body: { urls: three }, ceiling: 9, cents: 'max_cost_exceeded' },
  { body: { urls: three, budgetCents: 21 }, ceiling: 20, cents: 'max_cost_exceeded' },
  { body: { urls: three, budgetCents: 20 }, ceiling: 20, cents: 20 },
  { body: { site: { url: 'https://a.example/', max_pages: 3 } }, ceiling: undefined, cents: 31 },
  { body: { site: { url: 'https://a.example/', max_pages: 3 } }, ceiling: 15, cents: 15 },
  {
    body: { urls: ['https://a.example/', 'https://A.example/#top'] },
    ceiling: undefined,
    cents: 10,
  },
  {
    body: { urls: Array.from({ length: 50 }, () => 'https://a.example/') },
    ceiling: undefined,
    cents: 10,
  },
])('$body with the ceiling $ceiling holds $cents', ({ body, ceiling, cents }) => {
  const action = createAction([])
  const input = action.input.parse(body)
  const quote = () =>
    quotePrice(action.price, input, ceiling && centsToMicros(ceiling)).micros / centsToMicros(1)
  if (typeof cents === 'number') expect(quote()).toBe(cents)
  else expect(quote).toThrow(expect.objectContaining({ code: cents }))
})
