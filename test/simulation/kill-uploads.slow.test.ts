// kill -9 in each step of an upload and of a deletion: no partial file appears, no room is lost, and a client can go on.
import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const bytes = new Uint8Array(randomBytes(3_000_000))

async function open() {
  const dataDir = await makeDataDirectory()
  const databaseUrl = await createTestDatabase()
  const database = openDatabase({ connectionString: databaseUrl, log })
  const env = { DATABASE_URL: databaseUrl, CHROMIUM_PATH: '/nowhere/chromium' }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.stop()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const account = await send(await gateway.listening, {
    ...{ path: '/api/v1/admin/accounts', key: adminToken, body: { balance_cents: 100 } },
  })
  const key = account?.body.api_key
  const call = async (action: string, body: object) => {
    const to = { path: `/api/run/files/${action}`, key, body }
    return (await send(await gateway.listening, to))?.body.data
  }
  return {
    database,
    incoming: path.join(dataDir, 'files/incoming'),
    call,
    /** Kills the gateway and starts another, at another port. */
    async killed() {
      await gateway.kill()
      gateway = startGatewayProcess(dataDir, env)
      return await gateway.listening
    },
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

const waiting = (database: Database) =>
  until(async () => {
    const rows = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })

/** Makes a statement of the gateway wait until its process is dead. Resolves to a function that lets it go on. */
async function holdUp(database: Database, timing: string) {
  await database.query(
    `create function hold_up() returns trigger language plpgsql as $$
     begin perform pg_advisory_xact_lock(4711); return coalesce(new, old); end $$`,
  )
  await database.query(`create ${timing} for each row execute function hold_up()`)
  const session = await database.connect()
  await session.query('select pg_advisory_lock(4711)')
  return () => session.end()
}

type Opened = Awaited<ReturnType<typeof open>>

/** Brings an upload to a step, kills the gateway there, and resolves to the address of the next one. */
const steps: Record<string, (opened: Opened, putUrl: string) => Promise<string>> = {
  async 'while the bytes arrive'({ incoming, killed }, putUrl) {
    const part = bytes.subarray(0, 1_000_000)
    begin(putUrl, part)
    await until(async () => {
      const [name] = await readdir(incoming)
      return name !== undefined && (await stat(path.join(incoming, name))).size === part.length
    })
    return await killed()
  },
  async 'before the bytes become visible'({ database, killed }, putUrl) {
    const session = await database.connect()
    await session.query('begin')
    await session.query('select 1 from stored_file for update')
    begin(putUrl, bytes)
    await waiting(database)
    const base = await killed()
    await session.end()
    return base
  },
  async 'before the row is committed'({ database, killed }, putUrl) {
    const letGo = await holdUp(
      database,
      'constraint trigger held_up after update on stored_file deferrable initially deferred',
    )
    begin(putUrl, bytes)
    await waiting(database)
    const base = await killed()
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

test.each(Object.keys(steps))('a gateway that is killed %s', { timeout: 120_000 }, async (step) => {
  const opened = await open()
  const { call, incoming } = opened
  const upload = { filename: 'a.bin', size_bytes: bytes.length }
  const { put_url, get_url, file_id } = await call('upload', upload)
  const base = await (steps[step] as (typeof steps)[string])(opened, put_url)

  expect(await call('get', { file_id })).toMatchObject({ status: 'pending', sha256: null })
  expect((await fetch(at(get_url, base))).status).toBe(409)
  expect((await call('list', {})).used_bytes).toBe(bytes.length)
  const left = await readdir(incoming)
  expect((await fetch(at(put_url, base), { method: 'PUT', body: bytes })).status).toBe(200)
  const served = await fetch(at(get_url, base))
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
  expect((await call('delete', { file_id })).freed_bytes).toBe(bytes.length)
  expect((await call('list', {})).used_bytes).toBe(0)

  const longAgo = new Date(Date.now() - 3_600_000)
  for (const name of left) await utimes(path.join(incoming, name), longAgo, longAgo)
  await opened.killed()
  await until(async () => (await readdir(incoming)).length === 0)
})

test('a gateway that is killed before it answers has stored the file', {
  timeout: 120_000,
}, async () => {
  const { call, killed } = await open()
  const upload = { filename: 'a.bin', size_bytes: bytes.length }
  const { put_url, get_url, file_id } = await call('upload', upload)
  begin(put_url, bytes)
  await until(async () => (await call('get', { file_id })).status === 'stored')
  const base = await killed()
  const served = await fetch(at(get_url, base))
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
})

test('a gateway that is killed while it deletes leaves neither bytes nor a row', {
  timeout: 120_000,
}, async () => {
  const { call, database, killed } = await open()
  const { put_url, get_url, file_id } = await call('upload', {
    ...{ filename: 'a.bin', size_bytes: bytes.length },
  })
  expect((await fetch(put_url, { method: 'PUT', body: bytes })).status).toBe(200)
  const letGo = await holdUp(database, 'trigger held_up before delete on stored_file')
  const deleting = call('delete', { file_id })
  await waiting(database)
  const base = await killed()
  await deleting
  expect((await call('list', {})).used_bytes).toBe(0)
  expect((await fetch(at(get_url, base))).status).toBe(404)
  await letGo()
  await until(async () => (await database.query('select 1 from stored_file')).length === 0)
})
