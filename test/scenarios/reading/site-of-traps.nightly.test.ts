// A site of 200 pages, with everything that readers of sites get lost in, read by the deep tier through the door.
import { expect, test } from 'vitest'
import { page, serveLargeSite } from '#features/web/reading/sites/site.fixture.ts'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'

interface Row {
  readonly url: string
  readonly content: string | null
  readonly provider: string | null
  readonly charged_cents: number
  readonly error?: string
  readonly hops: readonly { readonly skipped?: string }[]
}

const shared = shareGatewayOfWorker({
  env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere/chromium' },
})

async function readSite(options: { maxPages: number; exclude?: string[]; closed?: string }) {
  const host = '127.0.0.1'
  const words = `<h1>A page</h1>${paragraph.repeat(6)}`
  const site = await serveLargeSite({ host, words })
  // Slow, and there in the end.
  site.answers.set('/slow', (response, incoming) =>
    setTimeout(() => page(words)(response, incoming), 3_000),
  )
  if (options.closed !== undefined)
    site.answers.set('/s1', (response) => {
      response.writeHead(302, { location: options.closed }).end()
    })
  const gateway = shared()
  const account = await gateway.account(1_000)
  const { maxPages, exclude } = options
  const url = site.url('/')
  const { body } = await account.call('tollway/onescrape-deep', {
    site: { url, max_pages: maxPages, ...(exclude ? { exclude } : {}) },
  })
  const jobId: string = body.data.job_id
  for (let polls = 0; polls < 8; polls += 1) {
    const polled = await account.call('tollway/result', { job_id: jobId, wait_seconds: 50 })
    if (polled.body.data.status === 'succeeded' || polled.body.data.status === 'failed') {
      const books = await verify(gateway)
      await site.close()
      const rows: Row[] = polled.body.data.result.rows
      const paths = rows.map((row) => row.url.slice(url.length - 1))
      return { job: polled.body.data, rows, paths, site, state: await account.state(), books }
    }
  }
  throw new Error('The job did not end.')
}

const numbered = (count: number, path: string) =>
  Array.from({ length: count }, (_each, n) => `${path}${n}`)
/** Only a request for each of them can tell that they are not pages. */
const strays = ['/gone', '/disguised', '/old', '/away', '/big', '/slow', '/hop']
const exclude = strays.map((path) => `*${path}`)

const sum = (rows: readonly Row[]) => rows.reduce((cents, row) => cents + row.charged_cents, 0)

test('fifty pages of it are the right ones, each at its price, and the map besides', async () => {
  const { job, rows, paths, site, state, books } = await readSite({ maxPages: 50 })
  expect(job.status).toBe('succeeded')
  expect(paths).toEqual([
    '/',
    ...numbered(10, '/s'),
    ...['/gone', '/disguised', '/old', '/away', '/loop/', '/big', '/slow', '/hop'],
    ...numbered(10, '/list?sort='),
    ...numbered(19, '/s0/p'),
    ...numbered(2, '/s1/p'),
  ])
  const unread = rows.filter(({ content }) => content === null)
  // A 404, a document, a redirect to a place that is not allowed, a page that only sends its readers on.
  expect(unread.map(({ url, error }) => [new URL(url).pathname, error])).toEqual([
    ['/gone', 'not_found'],
    ['/disguised', 'document'],
    ['/away', 'robots'],
    ['/hop', 'blocked'],
  ])
  expect(job.charged_cents).toBe(1 + sum(rows))
  // The map, a tenth of a cent for each page of rung 1, and a cent for each of the others.
  const byFetch = rows.filter(({ provider }) => provider === 'fetch').length
  const byOthers = rows.length - unread.length - byFetch
  expect(job.charged_cents).toBe(Math.ceil(1 + byFetch * 0.1 + byOthers))
  expect(state).toMatchObject({ availableCents: 1_000 - job.charged_cents, heldCents: 0 })
  expect(books).toMatchObject({ ok: true })
  expect(site.hits).not.toContain('GET /private/')
  expect(site.hits.filter((hit) => hit.includes('/calendar/')).length).toBeLessThan(10)
})

test('a page that leads to one that robots.txt closes is not read, and not climbed for', async () => {
  const { rows, site } = await readSite({ maxPages: 12, exclude, closed: '/private/' })
  const [row] = rows.filter(({ url }) => url.endsWith('/s1'))
  expect(row).toMatchObject({ content: null, error: 'robots', charged_cents: 0 })
  expect(row?.hops.slice(1).every(({ skipped }) => skipped === 'robots')).toBe(true)
  expect(site.hits).not.toContain('GET /private/')
  expect(site.hits.filter((hit) => hit === 'GET /s1')).toHaveLength(1)
})
