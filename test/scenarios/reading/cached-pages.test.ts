// Pages that were read for an earlier call: shared by accounts and gateways, at the same price.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGateway, verify } from '#test/harness.ts'

const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'

const env = { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere/chromium' }
const shared = shareGateway({ env })
const neighbour = shareGateway(() => ({ env, databaseUrl: shared().databaseUrl }))

async function setUp() {
  const visited: string[] = []
  const server = createServer(({ url = '' }, reply) => {
    visited.push(url)
    const html = { 'content-type': 'text/html; charset=utf-8' }
    reply
      .writeHead(200, html)
      .end(
        `<title>${url}</title><main><h1>Visit ${visited.length}</h1>${paragraph.repeat(6)}</main>`,
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const port = portOf(server)
  const [first, second] = [shared(), neighbour()]
  const countKept = async () => (await first.database.query('select 1 from kept_page')).length
  const before = await countKept()
  /** The pages that this test has left. */
  const countOwn = async () => (await countKept()) - before
  const kept = async (count: number) => {
    while ((await countOwn()) < count);
  }
  return { countOwn, origin: `http://127.0.0.1:${port}`, visited, first, second, kept }
}

describe('max_age', () => {
  test('returns a page that another account has read at another gateway, and says so, for the same price', async () => {
    const { origin, visited, first, second, kept } = await setUp()
    const [one, other] = [await first.account(100), await second.account(100)]
    const body = { urls: [`${origin}/a`], max_age: 600 }
    const read = await one.call('tollway/onescrape', body)
    expect(read.body.data.rows[0]).not.toHaveProperty('cached')
    await kept(1)
    const again = await other.call('tollway/onescrape', body)
    expect(again.body.charged_cents).toBe(2)
    const [row] = again.body.data.rows
    expect(row).toMatchObject({
      cached: true,
      cached_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      content: read.body.data.rows[0].content,
      provider: 'fetch',
      hops: [{ provider: 'cache', action: 'find', ok: true }],
    })
    expect(visited).toEqual(['/a'])
    expect(await other.state()).toMatchObject({ availableCents: 98, heldCents: 0 })
    expect(await verify(first)).toMatchObject({ ok: true })
  })

  test('is for those who ask for it: other calls read the page, and leave none', async () => {
    const { countOwn, origin, visited, first, kept } = await setUp()
    const account = await first.account(100)
    const call = (fields: object) =>
      account.call('tollway/onescrape', { urls: [`${origin}/a`], ...fields })
    await call({})
    await call({ max_age: 600, cookies: { session: 'mine' } })
    await call({ max_age: 600 })
    await kept(1)
    await call({})
    await call({ max_age: 600, headers: { 'x-team': 'mill' } })
    expect((await call({ max_age: 600 })).body.data.rows[0].cached).toBe(true)
    expect(visited).toHaveLength(5)
    expect(await countOwn()).toBe(1)
  })

  test('a portion goes on from the same page', async () => {
    const { origin, visited, first, kept } = await setUp()
    const account = await first.account(100)
    const call = async (offset: number) => {
      const body = { urls: [`${origin}/a`], max_age: 600, max_tokens: 60, offset }
      return (await account.call('tollway/onescrape', body)).body.data.rows[0]
    }
    const start = await call(0)
    await kept(1)
    expect((await call(start.next_offset)).cached).toBe(true)
    expect(visited).toHaveLength(1)
  })

  test('in a deep job costs what the rung costs that read the page', async () => {
    const { origin, visited, first, kept } = await setUp()
    const account = await first.account(100)
    const read = async () => {
      const body = { urls: [`${origin}/a`], max_age: 600 }
      const { body: handle } = await account.call('tollway/onescrape-deep', body)
      const poll = { job_id: handle.data.job_id, wait_seconds: 50 }
      return (await account.call('tollway/result', poll)).body.data
    }
    const before = await read()
    await kept(1)
    const after = await read()
    expect(after.result.rows[0]).toMatchObject({ cached: true, charged_usd: '0.010000' })
    expect([before.charged_cents, after.charged_cents]).toEqual([1, 1])
    expect(visited).toHaveLength(1)
  })
})
