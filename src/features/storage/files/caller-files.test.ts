import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { AccountCaller } from '#core/caller.ts'
import { uuidv7 } from '#core/id.ts'
import { openLocalBlobs } from '#platform/blobs/local.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createUrlSigner } from '#platform/url-signer.ts'
import { createTestDatabase } from '#test/database.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createFiles } from './files.ts'

const newCaller = (): AccountCaller => ({
  kind: 'account',
  isLimited: false,
  accountId: uuidv7(clock.now()),
  keyId: uuidv7(clock.now()),
})

async function openFiles({
  quotaBytes = 1_000,
  connectionString,
  now = clock.now,
}: {
  quotaBytes?: number
  connectionString?: string
  now?: () => number
} = {}) {
  const database = openDatabase({
    connectionString: connectionString ?? (await createTestDatabase()),
    log,
  })
  onTestFinished(database.close)
  const directory = await mkdtemp(path.join(tmpdir(), 'tollway-files-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const files = createFiles({
    database,
    clock: { ...clock, now },
    log,
    quotaBytes,
    guard: createEgressGuard(),
    blobs: await openLocalBlobs({ directory, clock }),
    signer: createUrlSigner({ key: 'key of the tests', clock }),
    baseUrl: () => 'http://127.0.0.1',
  })
  onTestFinished(files.close)
  return { files, database, directory }
}

const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100)])
const named = { name: 'frame', filename: 'frame.bin', mediaType: 'text/plain' }
const output = { ...named, content: picture }

test('an action’s output is stored whole, with its hash and the type of its bytes', async () => {
  const { files, directory } = await openFiles()
  const mine = files.ofCaller(newCaller(), uuidv7(clock.now()))
  const saved = await mine.save(output)
  expect(saved).toMatchObject({
    filename: 'frame.bin',
    mediaType: 'image/png',
    bytes: picture.length,
    source: 'action',
    sha256: createHash('sha256').update(picture).digest('hex'),
  })
  expect(await mine.find(saved.fileId)).toEqual(saved)
  expect(await buffer(await mine.open(saved.fileId))).toEqual(picture)
  expect(await buffer(await mine.open(saved.fileId, { start: 1, end: 3 }))).toEqual(
    picture.subarray(1, 4),
  )
  expect(await readdir(path.join(directory, 'incoming'))).toEqual([])
})

test('a job that runs again stores its output once', async () => {
  const { files } = await openFiles()
  const caller = newCaller()
  const callId = uuidv7(clock.now())
  const first = await files.ofCaller(caller, callId).save(output)
  expect(await files.ofCaller(caller, callId).save(output)).toEqual(first)
  const other = await files.ofCaller(caller, callId).save({ ...output, name: 'other' })
  expect(other.fileId).not.toBe(first.fileId)
})

test('the files of others are not found, and neither are those of another limited key', async () => {
  const { files } = await openFiles()
  const caller = newCaller()
  const { fileId } = await files.ofCaller(caller, undefined).save(output)
  const others = [newCaller(), { ...caller, keyId: uuidv7(clock.now()), isLimited: true }]
  for (const other of others) {
    const theirs = files.ofCaller(other, undefined)
    for (const ask of [theirs.find, theirs.open, theirs.address])
      await expect(ask(fileId)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('output beyond the quota is refused, and leaves nothing on the disk', async () => {
  const { files, directory, database } = await openFiles({ quotaBytes: picture.length })
  const mine = files.ofCaller(newCaller(), undefined)
  await mine.save(output)
  const refused = mine.save({ ...output, content: new Uint8Array(1) })
  await expect(refused).rejects.toMatchObject({ code: 'file_quota_exceeded' })
  expect(await readdir(path.join(directory, 'incoming'))).toEqual([])
  expect(await database.query('select bytes, files from file_quota')).toEqual([
    { bytes: picture.length, files: 1 },
  ])
})

test('a second upload of a file takes the place of one that hangs', async () => {
  const { files, directory } = await openFiles()
  const file = { filename: 'a', mediaType: '', bytes: picture.length }
  const { fileId } = await files.store.reserve(newCaller(), file)
  const hanging = new Readable({ read() {} })
  hanging.push(picture.subarray(0, 10))
  const first = files.store.receive(fileId, hanging)
  const refused = expect(first).rejects.toThrow()
  const incoming = () => readdir(path.join(directory, 'incoming'))
  await expect.poll(incoming).toHaveLength(1)
  const second = await files.store.receive(fileId, Readable.from([picture]))
  expect(second).toMatchObject({ state: 'stored', bytes: picture.length })
  await refused
  expect(await incoming()).toEqual([])
})

test('room that is reserved for an output is kept for it, and taken once', async () => {
  const { files } = await openFiles({ quotaBytes: 250 })
  const caller = newCaller()
  const own = files.ofCaller(caller, uuidv7(clock.now()))
  const room = { ...named, bytes: 200 }
  await own.reserve(room)
  await own.reserve(room)
  const other = files.ofCaller(caller, uuidv7(clock.now()))
  await expect(other.save(output)).rejects.toMatchObject({ code: 'file_quota_exceeded' })
  await expect(other.reserve(room)).rejects.toMatchObject({ code: 'file_quota_exceeded' })
  const stored = await own.save(output)
  expect(stored).toMatchObject({ bytes: picture.length, source: 'action' })
  await own.reserve(room)
  expect((await own.save(output)).fileId).toBe(stored.fileId)
  await other.save(output)
})

test('an output whose call fails while it is being stored is removed by the next sweep', async () => {
  const { connectionString, database, ledger } = await openLedger()
  const { files } = await openFiles({ connectionString })
  const { accountId, keyId, hold } = await openAccount(database, ledger, 100)
  const caller: AccountCaller = { kind: 'account', isLimited: false, accountId, keyId }
  const callId = uuidv7(clock.now())
  await hold(10, { callId })
  const own = files.ofCaller(caller, callId, async (transaction, { kind, subject }) => {
    await transaction.query(`select call_makes($1, '', $2, $3)`, [callId, kind, subject])
  })
  const { fileId } = await own.save(output)
  await database.transaction(async (client) => {
    // As the transaction that stores the file does.
    await client.query('select 1 from stored_file where id = $1 for update', [fileId])
    await ledger.settle({ callId, accountId, state: 'voided', charged: 0 })
  })
  expect(await own.find(fileId)).toMatchObject({ fileId })
  await files.store.sweep()
  await expect(own.find(fileId)).rejects.toMatchObject({ code: 'not_found' })
  expect(await database.query('select bytes, files from file_quota')).toEqual([
    { bytes: 0, files: 0 },
  ])
  expect(await database.query('select 1 from unpaid_output')).toEqual([])
})

test('the room of an output is kept for as long as its call runs', async () => {
  let aheadMs = 0
  const { connectionString, database, ledger } = await openLedger()
  const { files } = await openFiles({ connectionString, now: () => clock.now() + aheadMs })
  const { accountId, keyId, hold, settle } = await openAccount(database, ledger, 100)
  const caller: AccountCaller = { kind: 'account', isLimited: false, accountId, keyId }
  const callId = uuidv7(clock.now())
  await hold(10, { callId })
  await files.ofCaller(caller, callId).reserve({ ...named, bytes: 900 })
  aheadMs = 24 * 3_600_000
  await files.store.sweep()
  const other = files.ofCaller(caller, undefined)
  await expect(other.save(output)).rejects.toMatchObject({ code: 'file_quota_exceeded' })
  await settle(callId, 10)
  await other.save(output)
})

test('an upload whose connection ends is the sender’s failure, and can be sent again', async () => {
  const { files, directory } = await openFiles()
  const { fileId } = await files.store.reserve(newCaller(), {
    filename: 'x',
    mediaType: '',
    bytes: picture.length,
  })
  const broken = new PassThrough()
  broken.write(picture.subarray(0, 10))
  const received = files.store.receive(fileId, broken)
  broken.destroy()
  await expect(received).rejects.toMatchObject({ code: 'bad_request' })
  expect(await readdir(path.join(directory, 'incoming'))).toEqual([])
  const whole = await files.store.receive(fileId, Readable.from([picture]))
  expect(whole).toMatchObject({ state: 'stored', mediaType: 'image/png' })
})

test('room is kept for as long as was asked, and given back when it is not needed', async () => {
  let aheadMs = 0
  const now = () => clock.now() + aheadMs
  const { files } = await openFiles({ quotaBytes: 250, now })
  const caller = newCaller()
  const own = files.ofCaller(caller, uuidv7(clock.now()))
  await own.reserve({ ...named, bytes: 250, keptMs: 8 * 3_600_000 })
  aheadMs = 7 * 3_600_000
  await files.store.sweep()
  const other = files.ofCaller(caller, undefined)
  await expect(other.save(output)).rejects.toMatchObject({ code: 'file_quota_exceeded' })
  await own.release(named.name)
  await own.release(named.name)
  const stored = await own.save(output)
  await own.release(named.name)
  expect(await own.find(stored.fileId)).toEqual(stored)
})
