// The deep tier through the door: the job, its budget, its rows and what they cost.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'
const article = (title: string, links: readonly string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1>${paragraph.repeat(6)}</main>${links.map((at) => `<a href="${at}">${at}</a>`).join('')}`
const wall =
  '<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Checking your browser</p>'

/** /p1, /p2, … are pages, /late1, … are missing once and then pages, /wall… are walls, / links to some of them. */
async function serveSite(robots?: string) {
  const visited: string[] = []
  const visitedAtMs: number[] = []
  const server = createServer((request, reply) => {
    const at = request.url ?? ''
    visited.push(at)
    visitedAtMs.push(Date.now())
    const html = { 'content-type': 'text/html; charset=utf-8' }
    if (at === '/robots.txt' && robots !== undefined) reply.writeHead(200).end(robots)
    else if (at.startsWith('/wall')) reply.writeHead(200, html).end(wall)
    else if (at.startsWith('/late') && visited.indexOf(at) < visited.length - 1)
      reply.writeHead(200, html).end(article(at))
    else if (at === '/')
      reply
        .writeHead(200, html)
        .end(article('Start', ['/p1', '/p2', '/blog/p3', '/wall1', 'https://elsewhere.example/']))
    else if (/\/p\d+$/.test(at)) reply.writeHead(200, html).end(article(`Page ${at}`))
    else if (at === '/file')
      reply.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 …')
    else reply.writeHead(404, html).end('<h1>Not found</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${portOf(server)}`
  return { origin, visited, visitedAtMs }
}

const shared = shareGatewayOfWorker({
  env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere/chromium' },
})

async function setUp(balanceCents = 1_000, robots?: string) {
  const site = await serveSite(robots)
  const gateway = shared()
  const account = await gateway.account(balanceCents)
  const submit = (body: object) => account.call('tollway/onescrape-deep', body)
  const finish = async (jobId: string) =>
    (await account.call('tollway/result', { job_id: jobId, wait_seconds: 50 })).body.data
  const read = async (body: object) => finish((await submit(body)).body.data.job_id)
  return { site, gateway, account, submit, finish, read }
}

interface Row {
  readonly url: string
  readonly charged_cents: number
  readonly charged_usd: string
  readonly error?: string
}

describe('tollway/onescrape-deep', () => {
  test('holds ten cents a page, charges each page by its rung, and gives back the rest', async () => {
    const { site, gateway, account, submit, finish } = await setUp()
    const urls = ['/p1', '/p2', '/wall1', '/late1'].map((at) => site.origin + at)
    const { body } = await submit({ urls })
    expect(body).toMatchObject({
      ok: true,
      data: { status: 'queued', async: true },
      charged_cents: 0,
      balance_remaining_cents: 960,
    })
    const job = await finish(body.data.job_id)
    expect(job).toMatchObject({
      ok: true,
      status: 'succeeded',
      charged_cents: 2,
      result: {
        url_count: 4,
        row_count: 4,
        read_count: 3,
        blocked_count: 1,
        skipped_count: 0,
        spent_cents: 2,
        spent_usd: '0.020000',
        budget_cents: 40,
        format: 'markdown',
      },
    })
    const charges = (row: Row) => [row.url, row.charged_cents, row.charged_usd, row.error]
    expect(job.result.rows.map(charges)).toEqual([
      [urls[0], 1, '0.005000', undefined],
      [urls[1], 0, '0.005000', undefined],
      [urls[2], 0, '0.000000', 'blocked'],
      [urls[3], 1, '0.010000', undefined],
    ])
    expect(job.result.rows[2].hops).toContainEqual(
      expect.objectContaining({ provider: 'unblock', skipped: 'not_configured' }),
    )
    expect(await account.state()).toEqual({ availableCents: 998, heldCents: 0, transactions: 1 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('charges pages of rung 1 together: twenty cost two cents, fifteen one and a half', async () => {
    const { site, gateway, account, read } = await setUp()
    const pagesOf = (count: number) =>
      Array.from({ length: count }, (_, page) => `${site.origin}/p${page}`)
    const twenty = await read({ urls: pagesOf(20) })
    expect(twenty).toMatchObject({ charged_cents: 2, result: { spent_cents: 2 } })
    const fifteen = await read({ urls: pagesOf(15) })
    expect(fifteen).toMatchObject({ charged_cents: 2, result: { spent_usd: '0.015000' } })
    const cents = fifteen.result.rows.map((row: Row) => row.charged_cents)
    expect(cents).toEqual([1, 1, ...Array(13).fill(0)])
    // 1000 - 3.5, of which a balance shows whole cents.
    expect(await account.state()).toMatchObject({ availableCents: 996, heldCents: 0 })
    const { body } = await account.get('/api/v1/account')
    expect(body).toMatchObject({ available_usd: '9.965000' })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('spends no more than its budget: pages that it does not reach are over budget, and free', async () => {
    const { site, account, read } = await setUp()
    const urls = Array.from({ length: 14 }, (_, page) => `${site.origin}/late${page}`)
    const job = await read({ urls, budgetCents: 10 })
    expect(job).toMatchObject({ status: 'succeeded', charged_cents: 10 })
    expect(job.result).toMatchObject({
      read_count: 10,
      skipped_count: 4,
      blocked_count: 0,
      spent_cents: 10,
    })
    const sum = job.result.rows.reduce((cents: number, row: Row) => cents + row.charged_cents, 0)
    expect(sum).toBe(10)
    expect(await account.state()).toMatchObject({ availableCents: 990, heldCents: 0 })
  })

  test('of a site maps it for 1¢ and reads its own pages, the seed first', async () => {
    const { site, read } = await setUp()
    const job = await read({ site: { url: site.origin, max_pages: 10, exclude: ['/wall'] } })
    expect(job).toMatchObject({ status: 'succeeded', charged_cents: 2 })
    expect(job.result.site).toEqual({ url: `${site.origin}/`, mapped_pages: 4 })
    expect(job.result.rows.map((row: Row) => row.url)).toEqual(
      ['/', '/p1', '/p2', '/blog/p3'].map((at) => site.origin + at),
    )
    expect(job.result).toMatchObject({ budget_cents: 101, spent_cents: 2 })
  })

  test('of a site that robots.txt closes reads nothing, and costs nothing', async () => {
    const { site, read } = await setUp(1_000, 'User-agent: *\nDisallow: /')
    const job = await read({ site: { url: site.origin } })
    expect(job).toMatchObject({ status: 'failed', error: 'all_blocked', charged_cents: 0 })
    expect(job.result.rows).toMatchObject([
      { content: null, error: 'robots', hops: [{ skipped: 'robots' }] },
    ])
    expect(site.visited).toEqual(['/robots.txt'])
  })

  test('asks the pages of a site as seldom as robots.txt wants', async () => {
    const { site, read } = await setUp(1_000, 'User-agent: *\nCrawl-delay: 1')
    const job = await read({ site: { url: site.origin, max_pages: 4, exclude: ['/wall', '/p2'] } })
    expect(job.result.read_count).toBe(3)
    // The seed, two sitemaps that are not there, and then the pages: six starts, five pauses of a second. Without the
    // wish, five pauses take one second in all.
    const [, first = 0, ...others] = site.visitedAtMs
    expect(others.length).toBeGreaterThanOrEqual(5)
    expect((others.at(-1) ?? 0) - first).toBeGreaterThan(3_000)
  })

  test('reads what a caller names without asking robots.txt', async () => {
    const { site, read } = await setUp(1_000, 'User-agent: *\nDisallow: /')
    const job = await read({ urls: [`${site.origin}/p1`] })
    expect(job).toMatchObject({ status: 'succeeded', charged_cents: 1 })
    expect(site.visited).toEqual(['/p1'])
  })

  test('takes include globs', async () => {
    const { site, read } = await setUp()
    const job = await read({ site: { url: site.origin, include: ['*/blog/*'] } })
    expect(job.result.rows.map((row: Row) => row.url)).toEqual([
      `${site.origin}/`,
      `${site.origin}/blog/p3`,
    ])
  })

  test('that reads no page is failed and free, with its rows', async () => {
    const { site, account, read } = await setUp()
    const job = await read({ urls: [`${site.origin}/wall1`, `${site.origin}/nothing`] })
    expect(job).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'all_blocked',
      charged_cents: 0,
    })
    expect(job.result.rows).toHaveLength(2)
    expect(await account.state()).toMatchObject({ availableCents: 1_000, heldCents: 0 })
  })

  test('does not fail for one document among pages', async () => {
    const { site, read } = await setUp()
    const job = await read({ urls: [`${site.origin}/file`, `${site.origin}/p1`] })
    expect(job).toMatchObject({ status: 'succeeded', charged_cents: 1 })
    expect(job.result.rows[0]).toMatchObject({
      content: null,
      error: 'document',
      hops: [{ skipped: 'document' }],
    })
  })

  const refusals = [
    { title: 'neither urls nor site', body: {}, error: 'bad_request' },
    {
      title: 'both urls and site',
      body: { urls: ['a.com'], site: { url: 'a.com' } },
      error: 'bad_request',
    },
    {
      title: 'fifty-one pages',
      body: { urls: Array.from({ length: 51 }, (_, page) => `a.com/${page}`) },
      error: 'bad_request',
    },
    { title: 'a budget of 9', body: { urls: ['a.com'], budgetCents: 9 }, error: 'bad_request' },
    { title: 'a budget of 501', body: { urls: ['a.com'], budgetCents: 501 }, error: 'bad_request' },
    {
      title: 'max_pages 51',
      body: { site: { url: 'a.com', max_pages: 51 } },
      error: 'bad_request',
    },
    {
      title: 'an unknown field of site',
      body: { site: { url: 'a.com', depth: 2 } },
      error: 'bad_request',
    },
    {
      title: 'an empty glob',
      body: { site: { url: 'a.com', include: [''] } },
      error: 'bad_request',
    },
    { title: 'a social platform', body: { urls: ['https://x.com/a'] }, error: 'onescrape_social' },
    { title: 'a document', body: { urls: ['https://a.com/a.pdf'] }, error: 'onescrape_document' },
    { title: 'a private site', body: { site: { url: 'http://10.0.0.1/' } }, error: 'bad_url' },
  ]
  test.each(refusals)('refuses $title: 400 $error, nothing held', async ({ body, error }) => {
    const account = await shared().account(1_000)
    const reply = await account.call('tollway/onescrape-deep', body)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ ok: false, error })
    expect(await account.state()).toEqual({ availableCents: 1_000, heldCents: 0, transactions: 0 })
  })

  test('a ceiling below the usual budget is the budget, which is quoted, held and spent', async () => {
    const { site, account, submit, finish } = await setUp()
    const urls = ['/p1', '/p2', '/p3'].map((at) => site.origin + at)
    const body = { urls: [...urls, `${urls[0]}#top`], max_cost_cents: 20 }
    const { body: quoted } = await account.call('tollway/onescrape-deep?quote=true', body)
    expect(quoted.data).toMatchObject({ allowed: true, price: { cents: 20, max_cents: 30 } })
    const { body: handle } = await submit(body)
    expect(handle.balance_remaining_cents).toBe(980)
    const { result } = await finish(handle.data.job_id)
    expect(result).toMatchObject({ read_count: 3, budget_cents: 20 })
    const stated = await submit({ ...body, budgetCents: 21 })
    expect([stated.status, stated.body.error]).toEqual([402, 'max_cost_exceeded'])
  })

  test('above the balance is 402 credits_required', async () => {
    const { site, submit } = await setUp(29)
    const reply = await submit({
      urls: [`${site.origin}/p1`, `${site.origin}/p2`, `${site.origin}/p3`],
    })
    expect(reply.status).toBe(402)
    expect(reply.body.error).toBe('credits_required')
  })
})
