import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Hop } from '#core/action.ts'
import { anonymous } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { BodyCut } from '#platform/egress/body.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import { createPageRoom, type PageRoom } from '../pages/page-room.ts'
import { createPageWorkers } from '../pages/page-workers.ts'
import { createLadder } from './ladder.ts'
import type { Memory, Visit } from './memory.ts'
import type { Rung, RungReply, RungRequest } from './rungs.ts'

const workers = createPageWorkers({ threads: 1 })
afterAll(() => workers.close())

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const clock: Clock = { now: () => Date.now(), sleep: async () => {} }
const url = 'https://example.com/'

const text =
  '<title>Mill</title><h1>Mill</h1><p>The river ran past the old mill and the miller counted his sacks of flour every evening.</p>'
const wall = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'
const shell = '<title>App</title><div id="root"></div><script src="a.js"></script>'

const html = (body: string): RungReply => ({
  kind: 'html',
  body,
  finalUrl: `${url}final`,
  status: 200,
  headers: {},
})

function rung(
  position: number,
  provider: string,
  read: (request: RungRequest) => Promise<RungReply>,
): Rung {
  return {
    position,
    provider,
    action: 'read',
    availability: () => ({ ok: true }),
    read: vi.fn(read),
  }
}

async function climb(
  rungs: readonly Rung[],
  options: {
    urls?: string[]
    deadlineMs?: number
    signal?: AbortSignal
    memory?: Memory
    room?: PageRoom
    isHard?: boolean
  } = {},
) {
  const recorded: Hop[] = []
  const { urls = [url], signal = new AbortController().signal, isHard, ...rest } = options
  const ladder = createLadder({ rungs, workers, room: createPageRoom(), clock, log, ...rest })
  const caller = anonymous
  const calling = {
    caller,
    available: () => false,
    call: () => Promise.reject(new Error('no calls here')),
  }
  const request = {
    urls,
    format: 'markdown',
    mainContent: true,
    signal,
    isHard,
    ...calling,
  } as const
  const rows = await ladder.read({ ...request, record: (hop) => recorded.push(hop) })
  return { rows, row: rows[0], recorded }
}

test('the first rung that reads the page wins, and the others are not asked', async () => {
  const second = rung(2, 'second', async () => html(text))
  const { row, recorded } = await climb([rung(1, 'first', async () => html(text)), second])
  expect(row).toMatchObject({ provider: 'first', finalUrl: `${url}final`, flags: [] })
  expect(row?.page).toMatchObject({ title: 'Mill', format: 'markdown' })
  expect(row?.page?.content).toContain('sacks of flour')
  expect(second.read).not.toHaveBeenCalled()
  expect(recorded).toMatchObject([
    { provider: 'first', action: 'read', ok: true, charged_cents: 0 },
  ])
})

test('walls and shells escalate, and their hops did not read', async () => {
  const { row } = await climb([
    rung(1, 'first', async () => html(wall)),
    rung(2, 'second', async () => html(shell)),
    { ...rung(3, 'third', async () => html(text)), recordedByRunner: true },
  ])
  expect(row).toMatchObject({ provider: 'third', flags: [] })
  expect(row?.hops).toMatchObject([
    { provider: 'first', ok: false },
    { provider: 'second', ok: false },
    { provider: 'third', ok: true, charged_cents: 1 },
  ])
})

test('a page with a known wall is read by our browser and the deep rungs of vendors before a plain request', async () => {
  const rungs = () => [
    rung(1, 'plain', async () => html(wall)),
    rung(2, 'browser', async () => html(wall)),
    { ...rung(2, 'vendor', async () => html(text)), recordedByRunner: true as const },
    { ...rung(5, 'residential', async () => html(text)), recordedByRunner: true as const },
  ]
  const usual = await climb(rungs())
  expect(usual.row?.hops.map(({ provider }) => provider)).toEqual(['plain', 'browser', 'vendor'])
  const hard = await climb(rungs(), { isHard: true })
  expect(hard.row?.hops.map(({ provider }) => provider)).toEqual(['browser', 'residential'])
  expect(hard.recorded).toMatchObject([{ provider: 'browser', charged_cents: 0 }])
  const withoutBrowser = await climb([rung(1, 'plain', async () => html(text))], { isHard: true })
  expect(withoutBrowser.row?.provider).toBe('plain')
})

test('an unread row keeps the best yield and the flags of the last attempt', async () => {
  const { row } = await climb([
    rung(1, 'first', async () => html(wall)),
    rung(2, 'second', async () => html('<title>x</title><p>two words</p>')),
    rung(3, 'third', async () => html('')),
  ])
  expect(row).toMatchObject({ page: null, provider: null, flags: ['thin_content'] })
  expect(row?.yield).toBeGreaterThan(0)
  expect(row?.yield).toBeLessThan(0.3)
})

test('a rung that fails is a failed hop and not a failed call', async () => {
  const { row } = await climb([
    rung(1, 'first', () => Promise.reject(new Error('socket hang up'))),
    rung(2, 'second', async () => html(text)),
  ])
  expect(row).toMatchObject({ provider: 'second' })
  expect(row?.hops).toMatchObject([{ ok: false }, { ok: true }])
})

test('a rung that is not set up is skipped with its reason', async () => {
  const missing: Rung = {
    ...rung(1, 'missing', async () => html(text)),
    availability: () => ({ ok: false, reason: 'not_configured' }),
  }
  const { row } = await climb([missing, rung(2, 'second', async () => html(text))])
  expect(row?.hops[0]).toEqual({
    provider: 'missing',
    action: 'read',
    ok: false,
    charged_cents: 0,
    latency_ms: 0,
    skipped: 'not_configured',
  })
  expect(missing.read).not.toHaveBeenCalled()
})

test('an address that may not be fetched is tried by one rung, once', async () => {
  const second = rung(2, 'second', async () => html(text))
  const refuse = () =>
    Promise.reject(new EgressRefusal('not_public', 'x is not on the public internet.'))
  const { row } = await climb([rung(1, 'first', refuse), second])
  expect(second.read).not.toHaveBeenCalled()
  expect(row).toMatchObject({
    page: null,
    trouble: { code: 'address_refused', message: 'x is not on the public internet.' },
  })
  expect(row?.hops[1]).toMatchObject({ skipped: 'address_refused' })
})

describe('a page that is not there', () => {
  const missing = '<title>Not found</title><h1>There is no such page</h1>'
  const answering =
    (status: number, body = missing) =>
    async () => ({ ...html(body), status })

  test.each([404, 410])('is given up when two kinds of request receive %i', async (status) => {
    const paid = rung(3, 'paid', async () => html(text))
    const { row } = await climb([
      rung(1, 'fetch', answering(status)),
      rung(2, 'renderer', answering(status)),
      rung(2, 'another renderer', answering(status)),
      paid,
    ])
    expect(row).toMatchObject({
      page: null,
      flags: ['thin_content'],
      trouble: { code: 'not_found', message: expect.stringContaining(`(status ${status})`) },
    })
    expect(row?.hops).toMatchObject([
      { provider: 'fetch', ok: false },
      { provider: 'renderer', ok: false },
      { provider: 'another renderer', skipped: 'not_found' },
      { provider: 'paid', skipped: 'not_found' },
    ])
    expect(paid.read).not.toHaveBeenCalled()
  })

  test.each([
    ['its site answers that only to bots', answering(404), answering(200, text)],
    ['a wall says so', answering(404, wall), answering(404, wall)],
    ['one of the two got no answer', answering(404), () => Promise.reject(new Error('reset'))],
    ['another says that it failed', answering(404), answering(500)],
  ])('is requested by the next rung when %s', async (_case, first, second) => {
    const { row } = await climb([
      rung(1, 'fetch', first),
      rung(2, 'renderer', second),
      rung(3, 'paid', async () => html(text)),
    ])
    expect(row?.page?.content).toContain('sacks of flour')
    expect(row?.hops.every(({ skipped }) => skipped === undefined)).toBe(true)
  })

  test('teaches nothing about the rung, nor does an empty page', async () => {
    const learn = vi.fn()
    const plan = async (_visit: Visit, rungs: readonly Rung[]) => ({
      rungs,
      hopeless: new Set<Rung>(),
    })
    const memory = { learn, plan, recent: async () => [], forgetOld: async () => {} }
    const walled = rung(2, 'renderer', answering(404, wall))
    const empty = rung(3, 'empty', answering(200, shell))
    await climb([rung(1, 'fetch', answering(404)), walled, empty], { memory })
    const visit = { host: 'example.com', accountId: anonymous.accountId }
    expect(learn.mock.calls).toEqual([[visit, walled, 'blocked']])
  })

  test('is not decided by two rungs of one position', async () => {
    const { row } = await climb([
      rung(1, 'fetch', answering(404)),
      rung(1, 'batch', answering(404)),
      rung(2, 'renderer', async () => html(text)),
    ])
    expect(row).toMatchObject({ provider: 'renderer', trouble: null })
  })
})

test('a picture is not a page and is not rendered', async () => {
  const second = rung(2, 'second', async () => html(text))
  const { row } = await climb([
    rung(1, 'first', async () => ({
      ...html(''),
      kind: 'other',
      headers: { 'content-type': 'image/png' },
    })),
    second,
  ])
  expect(second.read).not.toHaveBeenCalled()
  expect(row).toMatchObject({
    page: null,
    trouble: { code: 'not_a_page', message: expect.stringContaining('image/png') },
  })
})

test('a document ends the call at once', async () => {
  const urls = [url, 'https://example.com/slow']
  const first = rung(1, 'first', ({ url: asked, signal }) =>
    asked === url
      ? Promise.reject(fail('onescrape_document'))
      : new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        ),
  )
  await expect(climb([first], { urls })).rejects.toMatchObject({ code: 'onescrape_document' })
})

test('rows keep the order of the addresses, whichever is done first, and five run at once', async () => {
  const urls = Array.from({ length: 7 }, (_each, index) => `https://example.com/${index}`)
  let running = 0
  let most = 0
  const first = rung(1, 'first', async ({ url: asked }) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 20 - 2 * Number(asked.at(-1))))
    running -= 1
    return html(text)
  })
  const { rows } = await climb([first], { urls })
  expect(rows.map((row) => row.url)).toEqual(urls)
  expect(most).toBe(5)
})

test('at the deadline the rows that are done stay, and the others say so', async () => {
  const urls = [url, 'https://example.com/slow']
  const first = rung(1, 'first', ({ url: asked, signal }) =>
    asked === url
      ? Promise.resolve(html(text))
      : new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        ),
  )
  const second = rung(2, 'second', async () => html(text))
  const { rows } = await climb([first, second], { urls, deadlineMs: 100 })
  expect(rows[0]).toMatchObject({ provider: 'first' })
  expect(rows[1]).toMatchObject({ page: null })
  expect(rows[1]?.hops).toMatchObject([{ ok: false }, { provider: 'second', skipped: 'deadline' }])
  expect(second.read).not.toHaveBeenCalled()
})

test('the call ends when the caller leaves', async () => {
  const controller = new AbortController()
  const first = rung(1, 'first', async () => {
    controller.abort(new Error('gone'))
    return html(wall)
  })
  await expect(climb([first], { signal: controller.signal })).rejects.toThrow('gone')
})

test.each([
  ['json', '{"a":[1,2]}', '```json\n{"a":[1,2]}\n```', 'markdown'],
  [
    'xml',
    '<rss><title>News</title></rss>',
    '```xml\n<rss><title>News</title></rss>\n```',
    'markdown',
  ],
  ['text', 'Plain words,\nas they are.', 'Plain words,\nas they are.', 'text'],
  ['markdown', '# Title\n\nWords', '# Title\n\nWords', 'markdown'],
  ['json', '{"fence":"\n````"}', '`````json\n{"fence":"\n````"}\n`````', 'markdown'],
] as const)('a %s file is read as what it is', async (kind, body, content, format) => {
  const { row } = await climb([rung(1, 'first', async () => ({ ...html(body), kind }))])
  expect(row?.page).toMatchObject({ content, format })
})

test.each(['html', 'text'] as const)(
  'of a %s file is left out what no database stores',
  async (kind) => {
    const { row } = await climb([
      rung(1, 'first', async () => ({ ...html(text.replace('sacks', 'sacks\0 \ud83d')), kind })),
    ])
    expect(row?.page?.content).toContain('sacks \ufffd of flour')
  },
)

test('a page that is too large for one rung is given up', async () => {
  const others = [
    rung(2, 'browser', async () => html(text)),
    rung(3, 'other', async () => html(text)),
  ]
  const { row } = await climb([
    rung(1, 'first', async () => {
      throw new FetchFailure('too_large', 'The page is larger than 5 MB.')
    }),
    ...others,
  ])
  expect(row?.hops.map(({ skipped }) => skipped)).toEqual([undefined, 'too_large', 'too_large'])
  expect(row?.trouble).toMatchObject({
    code: 'too_large',
    message: 'The page is larger than 5 MB.',
  })
  for (const other of others) expect(other.read).not.toHaveBeenCalled()
})

const cut = (body: string, truncated: BodyCut) => async () => ({ ...html(body), truncated })

test.each(['size', 'time', 'encoding', 'connection'] as const)(
  'a page that was cut by %s is read when its beginning reads well',
  async (reason) => {
    const { row } = await climb([rung(1, 'first', cut(text, reason))])
    expect(row).toMatchObject({ provider: 'first', truncated: true, trouble: null })
  },
)

test.each([
  ['size', 'too_large'],
  ['time', 'timeout'],
  ['encoding', 'undecodable'],
] as const)('a page that was cut by %s and reads badly is given up', async (reason, code) => {
  const second = rung(2, 'second', async () => html(text))
  const { row } = await climb([rung(1, 'first', cut(shell, reason)), second])
  expect(row).toMatchObject({ page: null, truncated: false, trouble: { code } })
  expect(row?.hops[1]).toMatchObject({ skipped: code })
  expect(second.read).not.toHaveBeenCalled()
})

test.each([
  ['a wall', 'size', wall],
  ['a page whose connection broke', 'connection', shell],
] as const)('%s is asked for by the next rung', async (_what, reason, body) => {
  const { row } = await climb([
    rung(1, 'first', cut(body, reason)),
    rung(2, 'second', async () => html(text)),
  ])
  expect(row).toMatchObject({ provider: 'second', truncated: false })
})

test('where too many pages are read already, the call ends with 429 and reads nothing', async () => {
  const room = createPageRoom({ pagesMax: 1, waitingMax: 0 })
  const { signal } = new AbortController()
  const places = await room.enter({ owner: 'another', pages: 1, signal })
  const first = rung(1, 'first', async () => html(text))
  const refusal = { code: 'rate_limited', retryAfterSeconds: 5 }
  await expect(climb([first], { room })).rejects.toMatchObject(refusal)
  expect(first.read).not.toHaveBeenCalled()
  places.leave()
  expect((await climb([first], { room })).row?.provider).toBe('first')
})

test('a page keeps its room until it is judged, and its places are free when the call ends', async () => {
  const sizes = [{ above: 10, upTo: 1_000_000, bytesMax: 1_000_000, bytesPerOwnerMax: 1_000_000 }]
  const room = createPageRoom({ pagesMax: 1, sizes, waitMs: 60_000 })
  for (let calls = 0; calls < 3; calls += 1) {
    const { row } = await climb([rung(1, 'first', async () => html(text))], { room })
    expect(row?.provider).toBe('first')
  }
})
