// kill -9 in each step of an upload and of a deletion: no partial file appears, no room is lost, and a client can go
// on.
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#test/until.ts'
import { holdUp, waiting } from './held-statements.ts'
import { openOuterDatabase, startMortalGateway } from './mortal-gateway.ts'

const bytes = new Uint8Array(randomBytes(3_000_000))

async function open() {
  const { database, env } = await openOuterDatabase()
  const gateway = await startMortalGateway({ ...env, CHROMIUM_PATH: '/nowhere/chromium' })
  const { call } = await gateway.openAccount(100)
  return {
    database,
    incoming: path.join(gateway.dataDir, 'files/incoming'),
    call: (action: string, body: object) => call(`files/${action}`, body),
    killAndStart: gateway.killAndStart,
  }
}

/** The same signed address at a gateway that listens elsewhere. */
const at = (address: string, base: string) =>
  new URL(new URL(address).pathname + new URL(address).search, base)

/** Sends `part` of the bytes and keeps the connection open. */
function begin(putUrl: string, part: Uint8Array) {
  const upload = request(putUrl, { method: 'PUT', headers: { 'content-length': bytes.length } })
  upload.on('error', () => {})
  upload.write(part)
  onTestFinished(() => void upload.destroy())
}

type Opened = Awaited<ReturnType<typeof open>>

/** Brings an upload to a step, kills the gateway there, and resolves to the address of the next one. */
const steps: Record<string, (opened: Opened, putUrl: string) => Promise<string>> = {
  async 'while the bytes arrive'({ incoming, killAndStart }, putUrl) {
    const part = bytes.subarray(0, 1_000_000)
    begin(putUrl, part)
    await until(async () => {
      const [name] = await readdir(incoming)
      return name !== undefined && (await stat(path.join(incoming, name))).size === part.length
    })
    return await killAndStart()
  },
  async 'before the bytes become visible'({ database, killAndStart }, putUrl) {
    const session = await database.connect()
    await session.query('begin')
    await session.query('select 1 from stored_file for update')
    begin(putUrl, bytes)
    await waiting(database)
    const base = await killAndStart()
    await session.end()
    return base
  },
  async 'before the row is committed'({ database, killAndStart }, putUrl) {
    const letGo = await holdUp(
      database,
      'constraint trigger held_up after update on stored_file deferrable initially deferred',
    )
    begin(putUrl, bytes)
    await waiting(database)
    const base = await killAndStart()
    // The server rolls back what a dead client has not committed, as soon as it notices.
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    await letGo()
    await database.query('drop trigger held_up on stored_file')
    return base
  },
}

test.each(Object.keys(steps))('a gateway that is killed %s', async (step) => {
  const opened = await open()
  const { call, incoming } = opened
  const upload = { filename: 'a.bin', size_bytes: bytes.length }
  const { put_url, get_url, file_id } = await call('upload', upload)
  const base = await (steps[step] as (typeof steps)[string])(opened, put_url)

  expect(await call('get', { file_id })).toMatchObject({ status: 'pending', sha256: null })
  expect((await fetch(at(get_url, base))).status).toBe(409)
  expect((await call('list', {})).used_bytes).toBe(bytes.length)
  expect((await fetch(at(put_url, base), { method: 'PUT', body: bytes })).status).toBe(200)
  const served = await fetch(at(get_url, base))
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
  expect((await call('delete', { file_id })).freed_bytes).toBe(bytes.length)
  expect((await call('list', {})).used_bytes).toBe(0)
  // The start has removed what the killed gateway left.
  await until(async () => (await readdir(incoming)).length === 0)
})

test('a gateway that is killed before it answers has stored the file', async () => {
  const { call, killAndStart } = await open()
  const upload = { filename: 'a.bin', size_bytes: bytes.length }
  const { put_url, get_url, file_id } = await call('upload', upload)
  begin(put_url, bytes)
  await until(async () => (await call('get', { file_id })).status === 'stored')
  const base = await killAndStart()
  const served = await fetch(at(get_url, base))
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
})

test('a gateway that is killed while it deletes leaves neither bytes nor a row', async () => {
  const { call, database, killAndStart } = await open()
  const { put_url, get_url, file_id } = await call('upload', {
    filename: 'a.bin',
    size_bytes: bytes.length,
  })
  expect((await fetch(put_url, { method: 'PUT', body: bytes })).status).toBe(200)
  const letGo = await holdUp(database, 'trigger held_up before delete on stored_file')
  const deleting = call('delete', { file_id })
  await waiting(database)
  const base = await killAndStart()
  await deleting
  expect((await call('list', {})).used_bytes).toBe(0)
  expect((await fetch(at(get_url, base))).status).toBe(404)
  await letGo()
  await until(async () => (await database.query('select 1 from stored_file')).length === 0)
})
