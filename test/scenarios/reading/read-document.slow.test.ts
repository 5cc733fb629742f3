// Documents through the door: what their pages cost, and when they are free.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docx } from '#features/reading/documents/archive.fixture.ts'
import { pdf } from '#features/reading/documents/pdf.fixture.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { shareGateway, verify } from '#test/harness.ts'

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
const shared = shareGateway(() => ({ env: { EGRESS_ALLOW: server.host } }))

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
})
