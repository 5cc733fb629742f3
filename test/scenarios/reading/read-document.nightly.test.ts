// Documents through the door: what their pages cost, and when they are free.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docx } from '#features/web/reading/documents/archive.fixture.ts'
import { pdf } from '#features/web/reading/documents/pdf.fixture.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

/** What stands on every page alike is a running header, so each page has a sentence of its own. */
const grains = ['wheat', 'rye', 'barley', 'oats', 'millet', 'spelt', 'maize']
const pages = grains.map((grain, index) => ({
  texts: [{ text: `The mill ground sacks of ${grain}.`, x: 72, y: 600 - 40 * index }],
}))

let server: LoopbackServer
beforeAll(async () => {
  server = await serve((incoming, response) => {
    const isFound = incoming.url === '/mill.pdf'
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/pdf' })
    response.end(isFound ? pdf(pages) : '')
  })
})
afterAll(() => server.close())
const shared = shareGatewayOfWorker({ env: { EGRESS_ALLOW: '127.0.0.0/8' } })

test('the pages that were read are charged, and a document that cannot be read is free', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const read = async (body: object) => (await account.call('tollway/read-document', body)).body

  const whole = await read({ url: `${server.origin}/mill.pdf` })
  expect(whole).toMatchObject({ ok: true, charged_cents: 2, data: { page_count: 7 } })
  const part = await read({ url: `${server.origin}/mill.pdf`, first_page: 3, max_pages: 2 })
  expect(part).toMatchObject({ charged_cents: 1, data: { truncated: true, next_page: 5 } })
  const word = docx('<w:p><w:r><w:t>Flour</w:t></w:r></w:p>').toString('base64')
  expect(await read({ content_base64: word })).toMatchObject({
    ok: true,
    charged_cents: 1,
    balance_remaining_cents: 96,
    data: { type: 'docx', pages: [{ number: 1, markdown: 'Flour', tables: [] }] },
  })

  expect(await read({ url: `${server.origin}/none.pdf` })).toMatchObject({
    ok: false,
    error: 'document_unavailable',
  })
  expect(await read({ content_base64: 'AAECAwQF' })).toMatchObject({
    ok: false,
    error: 'document_unreadable',
  })
  expect((await account.get('/api/v1/account')).body).toMatchObject({ balance_cents: 96 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('a document in the file store of the caller is read, and one of another caller is not found', async () => {
  const gateway = shared()
  const [account, other] = await Promise.all([gateway.account(100), gateway.account(100)])
  const bytes = new Uint8Array(pdf(pages))
  const upload = { filename: 'mill.pdf', size_bytes: bytes.length }
  const { put_url, file_id } = (await account.call('files/upload', upload)).body.data
  const read = async (by: typeof account) =>
    (await by.call('tollway/read-document', { file_id, max_pages: 2 })).body
  expect(await read(account)).toMatchObject({ error: 'file_pending' })
  expect((await fetch(put_url, { method: 'PUT', body: bytes })).status).toBe(200)
  expect(await read(account)).toMatchObject({
    ok: true,
    charged_cents: 1,
    data: { type: 'pdf', final_url: null, page_count: 2 },
  })
  expect(await read(other)).toMatchObject({ error: 'not_found' })
  expect(await other.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  const quoted = async (by: typeof account) =>
    await by.call('tollway/read-document?quote=true', { file_id, max_pages: 2 })
  expect((await quoted(account)).body.data).toMatchObject({ allowed: true })
  expect((await quoted(other)).body).toMatchObject({ error: 'not_found' })
})

test('a plan with a file of another account is refused before it costs anything', async () => {
  const gateway = shared()
  const [account, other] = await Promise.all([gateway.account(100), gateway.account(100)])
  const upload = { filename: 'mill.pdf', size_bytes: 9 }
  const { file_id } = (await account.call('files/upload', upload)).body.data
  for (const action of ['tollway/read-document', 'ns_assembler/upload']) {
    const steps = [
      { id: 'first', action: 'test/echo' },
      { id: 'read', action, params: { file_id } },
    ]
    const body = { steps, max_cost_cents: 50 }
    const refused = (await other.call('tollway/run-plan', body)).body
    expect(refused, action).toMatchObject({
      ok: false,
      error: 'not_found',
      message: expect.stringContaining('read'),
    })
  }
  expect(await other.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test('documents that cannot be read count as processor time, until the account reads 429', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const read = async (content: Buffer) =>
    (
      await account.call('tollway/read-document', {
        content_base64: content.toString('base64'),
        max_pages: 1,
      })
    ).body
  const counted = async () =>
    await gateway.database.query<{ micros: number }>(
      'select micros from uncharged_day where account_id = $1',
      [account.id],
    )
  expect(await read(pdf(pages))).toMatchObject({ ok: true })
  expect(await counted()).toEqual([])
  expect(await read(Buffer.from('%PDF-1.7 broken'))).toMatchObject({ error: 'document_unreadable' })
  const [row] = await counted()
  expect(row?.micros).toBeGreaterThan(0)
  await gateway.database.query('update uncharged_day set micros = 2000000 where account_id = $1', [
    account.id,
  ])
  expect(await read(pdf(pages))).toMatchObject({
    error: 'rate_limited',
    data: { reason: 'uncharged_cap' },
  })
  expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
})
