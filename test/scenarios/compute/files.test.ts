// Files that go into boxes and come out of them, over HTTP.
import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { inlineBytesMax } from '#core/file-transfer/order.ts'
import { adminToken, shareGateway, type TestAccount } from '#test/harness.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'

const gateway = shareGateway()
const confined = test.skipIf((await missingForBoxes()) !== undefined)

async function open(account: TestAccount) {
  const created = await account.call('sess_a/create_session', {})
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const at = `/api/v1/sessions/${created.body.data.session_id}`
  const { key } = account
  return {
    run: (body: object, headers = {}) =>
      gateway().request('POST', `${at}/run`, { key, body, headers }),
    close: () => gateway().request('DELETE', at, { key }),
  }
}

const upload = async (account: TestAccount, bytes: Buffer) => {
  const body = { filename: 'in.bin', size_bytes: bytes.length }
  const answer = await account.call('files/upload', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { data } = answer.body
  const put = await fetch(data.put_url, { method: 'PUT', body: new Uint8Array(bytes) })
  expect(put.status).toBe(200)
  return data.file_id as string
}
const setQuota = (account: TestAccount, quota_bytes: number) =>
  gateway().request('PATCH', `/api/v1/admin/accounts/${account.id}/files`, {
    key: adminToken,
    body: { quota_bytes },
  })
const download = async (account: TestAccount, file_id: string) => {
  const { data } = (await account.call('files/get', { file_id })).body
  return Buffer.from(await (await fetch(data.get_url)).arrayBuffer())
}

confined('a session takes files with its command, and returns what it made', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
  const { status, body } = await session.run({
    code: 'data = open("in/ä 漢.bin", "rb").read(); open("out.bin", "wb").write(data[::-1])',
    files: [{ path: 'in/ä 漢.bin', content: bytes.toString('base64') }],
    collect: ['out.bin', 'none.txt'],
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ exit_code: 0, stderr: '' })
  expect(body.files).toEqual([
    { path: 'out.bin', size: 256, content: bytes.reverse().toString('base64') },
    {
      path: 'none.txt',
      error: 'bad_request',
      message: expect.stringContaining('No such file or directory'),
    },
  ])
  await session.close()
})

confined('ten megabytes go in and out of a session, and one byte more does not', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const bytes = randomBytes(inlineBytesMax)
  const put = (more: number) => [
    { path: 'in.bin', content: bytes.toString('base64') },
    { path: 'more.bin', content: Buffer.alloc(more).toString('base64') },
  ]
  const command = 'cat in.bin more.bin >out.bin; printf x >one'
  const whole = await session.run({ command, files: put(0), collect: ['out.bin', 'one'] })
  const [out, one] = whole.body.files
  expect(Buffer.from(out.content, 'base64').equals(bytes)).toBe(true)
  expect(one).toMatchObject({ error: 'bad_request', message: expect.stringContaining('more than') })
  const above = await session.run({ command: 'touch ran', files: put(1) })
  expect(above).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
  expect((await session.run({ command: 'ls ran' })).body.exit_code).not.toBe(0)
  await session.close()
})

confined('files go from the file store into a session, and back', async () => {
  const [account, other] = [await gateway().account(100), await gateway().account(100)]
  const session = await open(account)
  const bytes = randomBytes(1_500_000)
  const [mine, theirs] = [await upload(account, bytes), await upload(other, bytes)]
  const { body } = await session.run({
    command: 'sha256sum <in.bin; mkdir out; cp in.bin "out/copy ä.bin"',
    files: [{ path: 'in.bin', file_id: mine }],
    save: ['out/copy ä.bin', 'none'],
  })
  expect(body.stdout).toContain(createHash('sha256').update(bytes).digest('hex'))
  const [saved, none] = body.files
  expect(none).toMatchObject({ path: 'none', error: 'bad_request' })
  expect((await download(account, saved.file_id)).equals(bytes)).toBe(true)
  const record = (await account.call('files/get', { file_id: saved.file_id })).body.data
  expect(record).toMatchObject({ source: 'action', filename: 'copy ä.bin', size: bytes.length })
  expect((await other.call('files/get', { file_id: saved.file_id })).status).toBe(404)

  const foreign = await session.run({
    command: 'touch ran',
    files: [{ path: 'theirs', file_id: theirs }],
  })
  expect(foreign).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect((await session.run({ command: 'ls ran' })).body.exit_code).not.toBe(0)
  await session.close()
})

confined('a full file store is told beside the answer of the command', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  await setQuota(account, 10)
  const { status, body } = await session.run({
    command: 'head -c 11 /dev/zero >large; printf tea >small; echo ran',
    save: ['large', 'small'],
  })
  expect([status, body.stdout]).toEqual([200, 'ran\n'])
  expect(body.files).toEqual([
    { path: 'large', error: 'file_quota_exceeded', message: expect.any(String) },
    { path: 'small', size: 3, file_id: expect.any(String) },
  ])
  await session.close()
})

confined('paths that lead out of the home folder are refused', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const content = Buffer.from('x').toString('base64')
  for (const path of ['../up', 'a/../../up', '/etc/passwd', './a', 'a//b', 'a\nb', ''])
    for (const body of [{ files: [{ path, content }] }, { collect: [path] }, { save: [path] }])
      expect(await session.run({ command: 'true', ...body }), path).toMatchObject({
        status: 400,
        body: { error: 'bad_request' },
      })
  await session.run({ command: 'ln -s /etc/passwd link; ln -s / root; ln -s ../../tmp up' })
  const { body } = await session.run({
    command: 'true',
    collect: ['link', 'root/etc/passwd', 'up/x'],
  })
  expect(body.files.map(({ error }: { error: string }) => error)).toEqual(
    Array(3).fill('bad_request'),
  )
  const through = await session.run({ command: 'true', files: [{ path: 'up/new', content }] })
  expect(through).toMatchObject({ status: 400, body: { error: 'bad_request' } })
  await session.close()
})

confined('bodies that cannot be meant are refused before the command runs', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  for (const file of [
    { path: 'a' },
    { path: 'a', content: 'not base64!' },
    { path: 'a', content: 'AA' },
    { path: 'a', content: '', file_id: '01970000-0000-7000-8000-000000000001' },
  ])
    expect(await session.run({ command: 'touch ran', files: [file] })).toMatchObject({
      status: 400,
      body: { error: 'bad_request' },
    })
  const below = [
    { path: 'file', content: '' },
    { path: 'file/below', content: '' },
  ]
  expect(await session.run({ command: 'touch ran', files: below })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('file/below') },
  })
  expect((await session.run({ command: 'ls ran' })).body.exit_code).not.toBe(0)
  await session.close()
})

confined(
  'a repeated request with its files runs once, and other files are another request',
  async () => {
    const account = await gateway().account(100)
    const session = await open(account)
    const headers = { 'idempotency-key': 'one' }
    const send = (text: string) =>
      session.run(
        {
          command: 'cat in >>all; cat all',
          files: [{ path: 'in', content: Buffer.from(text).toString('base64') }],
          collect: ['all'],
        },
        headers,
      )
    const first = await send('a')
    expect((await send('a')).body).toEqual(first.body)
    expect(await send('b')).toMatchObject({ body: { error: 'idempotency_key_reused' } })
    await session.close()
  },
)

confined('a sandbox takes files and returns them; a refusal is not charged', async () => {
  const account = await gateway().account(100)
  const created = await account.call('ns_sandbox/sandbox-create', {})
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const { sandbox_id } = created.body.data
  const exec = (body: object) =>
    account.call('ns_sandbox/sandbox-exec', { sandbox_id, command: 'true', ...body })
  const { body } = await exec({
    command: 'tr a-z A-Z <in >out',
    files: [{ path: 'in', content: Buffer.from('tea').toString('base64') }],
    collect: ['out'],
    save: ['out'],
  })
  expect(body).toMatchObject({ charged_cents: 1, data: { returncode: 0 } })
  const [collected, saved] = body.data.files
  expect(Buffer.from(collected.content, 'base64').toString()).toBe('TEA')
  expect(String(await download(account, saved.file_id))).toBe('TEA')
  const foreign = { path: 'x', file_id: '01970000-0000-7000-8000-000000000001' }
  expect(await exec({ files: [foreign] })).toMatchObject({ status: 404 })
  expect(await exec({ files: [{ path: '../x', content: '' }] })).toMatchObject({ status: 400 })
  expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
})
