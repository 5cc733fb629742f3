// GET /read/{address}: a page as Markdown with one line of shell.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGateway, verify } from '#test/harness.ts'

const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'

const shared = shareGateway({
  env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere/chromium' },
})

async function setUp() {
  const visited: string[] = []
  const server = createServer((request, reply) => {
    const at = request.url ?? ''
    visited.push(at)
    const type = at.startsWith('/notes') ? 'text/plain' : 'text/html; charset=utf-8'
    if (at.startsWith('/gone')) reply.writeHead(404, { 'content-type': type }).end('<h1>Gone</h1>')
    else if (at.startsWith('/old')) reply.writeHead(301, { location: '/new' }).end()
    else reply.writeHead(200, { 'content-type': type }).end(`<h1>${at}</h1>${paragraph.repeat(6)}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const port = portOf(server)
  const gateway = shared()
  const account = await gateway.account(100)
  const ask = (method: string, address: string, headers: Record<string, string> = {}) =>
    gateway.request(method, `/read/${address}`, { key: account.key, headers })
  return { origin: `http://127.0.0.1:${port}`, visited, gateway, account, ask }
}

describe('GET /read/{address}', () => {
  test('answers with the page as Markdown, for the price of onescrape', async () => {
    const { origin, visited, gateway, account, ask } = await setUp()
    const reply = await ask('GET', `${origin}/page?x=1&y=%20a`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-location')).toBe(`${origin}/page?x=1&y=%20a`)
    expect(reply.headers.get('x-charged-usd')).toBe('0.020000')
    expect(reply.body).toContain('every posting has its opposite')
    expect(visited).toEqual(['/page?x=1&y=%20a'])
    expect(await account.state()).toEqual({ availableCents: 98, heldCents: 0, transactions: 1 })
    const id = reply.headers.get('x-transaction-id')
    const { body } = await account.get(`/api/v1/transactions/${id}`)
    expect(body).toMatchObject({ action: 'tollway/onescrape', charged_cents: 2 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('takes the address as it is, encoded as a whole, and with one slash where a proxy joined two', async () => {
    const { origin, visited, ask } = await setUp()
    const spellings = [
      `${origin}/a?b=c`,
      encodeURIComponent(`${origin}/a?b=c`),
      `${origin}/a?b=c`.replace('://', ':/'),
    ]
    for (const spelling of spellings)
      expect([spelling, (await ask('GET', spelling)).status]).toEqual([spelling, 200])
    expect(visited).toEqual(Array(3).fill('/a?b=c'))
  })

  test('says text/plain of text, and where a redirect ended', async () => {
    const { origin, ask } = await setUp()
    const notes = await ask('GET', `${origin}/notes`)
    expect(notes.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const moved = await ask('GET', `${origin}/old`)
    expect(moved.headers.get('content-location')).toBe(`${origin}/new`)
  })

  test('charges once for an idempotency key', async () => {
    const { origin, visited, account, ask } = await setUp()
    const once = { 'idempotency-key': 'page-1' }
    const first = await ask('GET', `${origin}/a`, once)
    const second = await ask('GET', `${origin}/a`, once)
    expect(second.body).toBe(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(visited).toHaveLength(1)
    expect(await account.state()).toMatchObject({ availableCents: 98, transactions: 1 })
  })

  test('HEAD checks the address, reads nothing and is free', async () => {
    const { origin, visited, account, ask } = await setUp()
    const head = await ask('HEAD', `${origin}/a`)
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
    // Nothing is known of the length that a GET would have.
    expect(head.headers.has('content-length')).toBe(false)
    expect((await ask('HEAD', 'http://10.0.0.1/')).status).toBe(400)
    expect(visited).toEqual([])
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  })

  test.each([
    { address: 'gone', status: 502, says: 'No page could be read, and nothing was charged.' },
    { address: '', status: 400, says: '"" cannot be read. It is empty.' },
    { address: 'http://10.0.0.1/', status: 400, says: 'Send the address of a public web page.' },
    { address: 'https://x.com/a', status: 400, says: 'social platform' },
    { address: 'https://a.example/b.pdf', status: 400, says: 'is a document (pdf)' },
  ])('$status for "$address", in one sentence of text, free', async ({ address, status, says }) => {
    const { origin, account, ask } = await setUp()
    const reply = await ask('GET', address === 'gone' ? `${origin}/gone` : address)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(reply.body).toContain(says)
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('without a key it is 401 in text, and with other methods 405', async () => {
    const { origin, gateway, ask } = await setUp()
    for (const method of ['GET', 'HEAD']) {
      const reply = await gateway.request(method, `/read/${origin}/a`)
      expect([method, reply.status]).toEqual([method, 401])
    }
    const posted = await ask('POST', `${origin}/a`)
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(posted.body).toBe('This address takes GET, HEAD, OPTIONS.\n')
  })
})
