// Files of an account: reserved, sent to the signed address, served from another one, deleted.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'

const quotaBytes = 1_000_000
const gateway = shareGatewayOfWorker({ env: { FILES_QUOTA_MB: '1' } })
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(5_000)])
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const put = (url: string, body: Uint8Array | ReadableStream, headers = {}) =>
  fetch(url, { method: 'PUT', body: body as BodyInit, headers, duplex: 'half' } as RequestInit)

async function reserve(account: TestAccount, fields: object = {}) {
  const body = { filename: 'photo.png', size_bytes: png.length, ...fields }
  const { status, body: answer } = await account.call('files/upload', body)
  expect([status, answer]).toEqual([200, expect.objectContaining({ charged_cents: 1 })])
  return answer.data
}

/** An account with one stored file. */
async function withFile(fields: object = {}, bytes: Uint8Array = png) {
  const account = await gateway().account(10)
  const file = await reserve(account, { size_bytes: bytes.length, ...fields })
  expect((await put(file.put_url, bytes)).status).toBe(200)
  return { account, file }
}

test('an uploaded file is served whole, and its record tells what it is', async () => {
  const account = await gateway().account(10)
  const described = { tags: ['holiday', 'ä'.repeat(40)], note: 'n'.repeat(500), mime: 'text/plain' }
  const reserved = await reserve(account, described)
  expect(reserved).toMatchObject({ status: 'pending', sha256: null, size: png.length })
  const early = await fetch(reserved.get_url)
  expect([early.status, (await early.json()).error]).toEqual([409, 'file_pending'])

  const sent = await put(reserved.put_url, png)
  const record = (await sent.json()).data
  expect(record).toMatchObject({
    file_id: reserved.file_id,
    filename: 'photo.png',
    source: 'upload',
    status: 'stored',
    tags: described.tags,
    note: described.note,
    size: png.length,
    mime: 'image/png',
    sha256: sha256(png),
  })
  const got = (await account.call('files/get', { file_id: record.file_id })).body
  expect(got).toMatchObject({ charged_cents: 0, data: record })
  const served = await fetch(got.data.get_url)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(png)
  expect(await account.state()).toMatchObject({ availableCents: 9, heldCents: 0 })
})

test.each([
  ['filename', { filename: '' }],
  ['filename', { filename: 'x'.repeat(501) }],
  ['filename', { filename: 'a\r\nset-cookie: b' }],
  ['size_bytes', { size_bytes: -1 }],
  ['size_bytes', { size_bytes: 100_000_001 }],
  ['size_bytes', { size_bytes: 1.5 }],
  ['tags', { tags: Array.from({ length: 11 }, String) }],
  ['tags', { tags: ['x'.repeat(41)] }],
  ['note', { note: 'x'.repeat(501) }],
  ['folder', { folder: 'private' }],
])('a wrong %s is refused for free', async (field, fields) => {
  const account = await gateway().account(10)
  const refused = await account.call('files/upload', {
    filename: 'photo.png',
    size_bytes: 1,
    ...fields,
  })
  expect([refused.status, refused.body.error]).toEqual([400, 'bad_request'])
  expect(refused.body.message).toContain(field)
  expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
})

test('the longest name, tags and note are taken', async () => {
  const account = await gateway().account(10)
  const longest = {
    filename: 'ü'.repeat(500),
    tags: Array.from({ length: 10 }, (_each, at) => `${at}`.padEnd(40, '.')),
    note: 'x'.repeat(500),
  }
  expect(await reserve(account, longest)).toMatchObject(longest)
})

test('more bytes than announced are refused with 413, announced or not', async () => {
  const account = await gateway().account(10)
  const { put_url, file_id } = await reserve(account, { size_bytes: 4 })
  const announced = await put(put_url, Buffer.from('12345'))
  expect([announced.status, (await announced.json()).error]).toEqual([413, 'payload_too_large'])
  const chunked = await put(put_url, new Blob(['123', '45']).stream())
  expect([chunked.status, (await chunked.json()).error]).toEqual([413, 'payload_too_large'])
  const { data } = (await account.call('files/get', { file_id })).body
  expect(data.status).toBe('pending')
  expect((await put(put_url, new Blob(['12', '34']).stream())).status).toBe(200)
})

test('fewer bytes leave the file pending, and it can be sent again', async () => {
  const account = await gateway().account(10)
  const { put_url, file_id } = await reserve(account, { size_bytes: 4 })
  for (const body of [Buffer.from('123'), new Blob(['1', '23']).stream(), new Uint8Array()]) {
    const short = await put(put_url, body)
    expect([short.status, (await short.json()).error]).toEqual([400, 'bad_request'])
    const { data } = (await account.call('files/get', { file_id })).body
    expect(data).toMatchObject({ status: 'pending', sha256: null })
  }
  expect((await put(put_url, Buffer.from('1234'))).status).toBe(200)
})

test('stored bytes never change', async () => {
  const { file } = await withFile()
  const again = await put(file.put_url, randomBytes(png.length))
  expect([again.status, (await again.json()).error]).toEqual([409, 'file_already_uploaded'])
  expect((await fetch(file.get_url)).headers.get('etag')).toBe(`"${sha256(png)}"`)
})

test('an empty file is a file', async () => {
  const { file } = await withFile({ filename: 'empty.txt', mime: 'text/plain' }, new Uint8Array())
  const served = await fetch(file.get_url)
  expect([served.status, await served.text()]).toEqual([200, ''])
})

test.each([
  ['bytes=0-9', 206, 'bytes 0-9', png.subarray(0, 10)],
  ['bytes=5000-', 206, 'bytes 5000-5007', png.subarray(5_000)],
  ['bytes=-8', 206, 'bytes 5000-5007', png.subarray(5_000)],
  ['bytes=5007-9999', 206, 'bytes 5007-5007', png.subarray(5_007)],
  ['bytes=5008-', 416, 'bytes *', Buffer.alloc(0)],
  ['bytes=0-1,3-4', 200, null, png],
  ['lines=0-1', 200, null, png],
] as const)('the range %s is answered with %i', async (range, status, contentRange, bytes) => {
  const { file } = await withFile()
  const served = await fetch(file.get_url, { headers: { range } })
  const expected = contentRange && `${contentRange}/${png.length}`
  expect([served.status, served.headers.get('content-range')]).toEqual([status, expected])
  expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)
})

test('a client that has the content is told so, and HEAD tells its size', async () => {
  const { file } = await withFile()
  const head = await fetch(file.get_url, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(png.length))
  const etag = head.headers.get('etag') ?? ''
  for (const tag of [etag, `"other", W/${etag}`, '*']) {
    const same = await fetch(file.get_url, { headers: { 'if-none-match': tag } })
    expect([same.status, await same.text()]).toEqual([304, ''])
  }
  const stale = { range: 'bytes=0-1', 'if-range': '"other"' }
  expect((await fetch(file.get_url, { headers: stale })).status).toBe(200)
  const fresh = { range: 'bytes=0-1', 'if-range': etag }
  expect((await fetch(file.get_url, { headers: fresh })).status).toBe(206)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
test.each([
  ['a.png', 'text/html', png, 'image/png', 'inline'],
  ['a.pdf', 'application/pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf', 'inline'],
  ['a.svg', 'image/svg+xml', Buffer.from(svg), 'image/svg+xml', 'attachment'],
  ['a.html', 'text/html', Buffer.from('<script>1</script>'), 'text/html', 'attachment'],
  ['a.png', 'image/png', Buffer.from('<html>'), 'application/octet-stream', 'attachment'],
  ['a.zip', '', Buffer.from('PK\u0003\u0004 and more'), 'application/zip', 'attachment'],
])('%s declared as "%s" cannot run scripts here', async (filename, mime, bytes, type, shown) => {
  const { file } = await withFile({ filename, mime }, bytes)
  const { headers } = await fetch(file.get_url)
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('content-disposition')).toMatch(new RegExp(`^${shown};`))
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain("script-src 'none'")
})

test('a download keeps the name of the file', async () => {
  const { file } = await withFile({ filename: 'Ärger/"50 %" 😀.bin' })
  const disposition = (await fetch(file.get_url)).headers.get('content-disposition')
  expect(disposition).toBe(
    `inline; filename="_rger__50 __ __.bin"; filename*=UTF-8''%C3%84rger_%2250%20%25%22%20%F0%9F%98%80.bin`,
  )
})

test('files are listed newest first, by tag and by name', async () => {
  const account = await gateway().account(10)
  const names = ['Invoice 1.pdf', 'invoice 2.pdf', 'photo.png'] as const
  for (const [at, filename] of names.entries())
    await reserve(account, { filename, size_bytes: at, tags: at === 1 ? ['paid', 'may'] : ['may'] })
  const list = async (body: object) => (await account.call('files/list', body)).body.data
  const namesOf = async (body: object) =>
    (await list(body)).files.map((file: { filename: string }) => file.filename)
  expect(await namesOf({})).toEqual(names.toReversed())
  expect(await namesOf({ tags: ['may'], query: 'INVOICE' })).toEqual([names[1], names[0]])
  expect(await namesOf({ tags: ['may', 'paid'] })).toEqual([names[1]])
  expect(await namesOf({ query: '%' })).toEqual([])
  const first = await list({ limit: 2 })
  expect(first).toMatchObject({ used_bytes: 3, quota_bytes: quotaBytes })
  expect(await namesOf({ limit: 2, cursor: first.next_cursor })).toEqual([names[0]])
})

test('a deleted file is gone, and its room is free', async () => {
  const { account, file } = await withFile()
  const gone = await account.call('files/delete', { file_id: file.file_id })
  expect(gone.body.data).toEqual({
    file_id: file.file_id,
    deleted: true,
    freed_bytes: png.length,
  })
  expect((await account.call('files/list', {})).body.data).toMatchObject({
    files: [],
    used_bytes: 0,
  })
  for (const answer of [
    await fetch(file.get_url),
    await put(file.put_url, png),
    await account.call('files/get', { file_id: file.file_id }),
    await account.call('files/delete', { file_id: file.file_id }),
  ])
    expect(answer.status).toBe(404)
  const rows = await gateway().database.query('select 1 from stored_file where id = $1', [
    file.file_id,
  ])
  expect(rows).toEqual([])
})

test('the files of others are not found', async () => {
  const { account, file } = await withFile()
  const other = await gateway().account(10)
  for (const action of ['get', 'delete']) {
    const asked = await other.call(`files/${action}`, { file_id: file.file_id })
    expect([asked.status, asked.body.error]).toEqual([404, 'not_found'])
  }
  expect((await other.call('files/list', {})).body.data.files).toEqual([])
  expect((await account.call('files/get', { file_id: file.file_id })).status).toBe(200)
})

test('an address serves one purpose and one file', async () => {
  const { file } = await withFile()
  const { search } = new URL(file.put_url)
  const upload = new URL(search, file.get_url)
  const other = file.get_url.replace(file.file_id, randomUUID())
  for (const url of [
    upload,
    other,
    file.get_url.replace('sig=', 'sig=A'),
    file.get_url.split('?')[0],
  ])
    expect((await fetch(url)).status).toBe(404)
  expect((await put(file.get_url, png)).status).toBe(404)
})

test('reserved room counts at once, to the byte', async () => {
  const account = await gateway().account(100)
  await reserve(account, { size_bytes: quotaBytes - 10 })
  const refused = await account.call('files/upload', { filename: 'x', size_bytes: 11 })
  expect([refused.status, refused.body.error]).toEqual([413, 'file_quota_exceeded'])
  expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
  await reserve(account, { size_bytes: 10 })
})

test('fifty uploads at once into a nearly full quota take no byte too many', async () => {
  const account = await gateway().account(100)
  await reserve(account, { size_bytes: quotaBytes - 70_000 })
  const bytes = randomBytes(10_000)
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const { body } = await account.call('files/upload', {
        filename: 'x',
        size_bytes: bytes.length,
      })
      return body.ok ? (await put(body.data.put_url, bytes)).status : body.error
    }),
  )
  expect(answers.filter((answer) => answer === 200)).toHaveLength(7)
  expect(answers.filter((answer) => answer === 'file_quota_exceeded')).toHaveLength(43)
  expect((await account.call('files/list', {})).body.data).toMatchObject({
    used_bytes: quotaBytes,
  })
  expect(await account.state()).toMatchObject({ availableCents: 92, heldCents: 0 })
})

test.each([
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/jscript',
  'text/css',
  'application/wasm',
  'text/xsl',
])('a page of the gateway cannot load an uploaded %s as its own', async (mime) => {
  const { account, file } = await withFile({ filename: 'a', mime }, Buffer.from('alert(1)'))
  const { body } = await account.call('files/get', { file_id: file.file_id })
  expect(body.data.mime).toBe(mime)
  const { headers } = await fetch(body.data.get_url)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment;/),
    'content-security-policy': expect.stringMatching(/script-src 'none'.*; sandbox$/),
    'x-content-type-options': 'nosniff',
  })
})

test('a file is not saved under a name that reads as another one', async () => {
  const { account, file } = await withFile({ filename: 'invoice_\u202Egnp.exe' })
  const { body } = await account.call('files/get', { file_id: file.file_id })
  expect(body.data.filename).toBe('invoice_\u202Egnp.exe')
  const { headers } = await fetch(body.data.get_url)
  expect(headers.get('content-disposition')).toBe('inline; filename="invoice__gnp.exe"')
})
