// kill -9 in each step of a film: no generation is sent twice, what was made is used, and the film is charged once.
import { readdir, readFile, rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { mediaKey } from '#test/media-vendor.ts'
import { makeMaterial, manifestOf } from '#test/performances/film-material.ts'
import { type FilmVendor, startFilmVendor } from '#test/performances/film-vendor.ts'
import { payTopUp } from '#test/performances/paid-top-up.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const isInstalled = (await createSandbox({ clock }).missing()) === undefined
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_000, 7)])
const balanceCents = 2_000
const patience = { timeout: 60_000, interval: 20 }

async function start() {
  const databaseUrl = await createTestDatabase()
  const database = openDatabase({ connectionString: databaseUrl, log })
  onTestFinished(database.close)
  const dataDir = await makeDataDirectory()
  const vendor = await startFilmVendor(onTestFinished)
  const { lead: _lead, ...manifest } = manifestOf()
  const env = {
    PERFORMANCES_DIR: await makeMaterial(onTestFinished, manifest),
    ...{ NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url, DATABASE_URL: databaseUrl },
  }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.kill()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    ...{ database, vendor },
    url: () => gateway.listening,
    async killAndRestart() {
      await gateway.kill()
      vendor.resume()
      gateway = startGatewayProcess(dataDir, env)
      await gateway.listening
    },
  }
}

type Machine = Awaited<ReturnType<typeof start>>

/** Orders a film for a new account. */
async function order({ database, url }: Machine) {
  const at = await url()
  const post = async (path: string, key: string, body: object) =>
    (await send(at, { path, key, body }))?.body
  const account = { balance_cents: balanceCents }
  const opened = await post('/api/v1/admin/accounts', adminToken, account)
  const { account_id: accountId, api_key: key } = opened
  const described = { filename: 'me.png', size_bytes: png.length }
  const { data: file } = await post('/api/run/files/upload', key, described)
  await fetch(file.put_url, { method: 'PUT', body: new Uint8Array(png) })
  await payTopUp(database, accountId)
  const performers = [{ slot: 'left', image_file_ids: [file.file_id], consent: true }]
  const wish = { performers, max_cost_cents: 1_100 }
  const { data } = await post('/api/run/performance/generate', key, wish)
  return { key, jobId: data.job_id as string }
}

async function ended({ url }: Machine, { key, jobId }: { key: string; jobId: string }) {
  const body = { job_id: jobId, wait_seconds: 50 }
  for (;;) {
    const polled = await send(await url(), { path: '/api/run/tollway/result', key, body })
    const { data } = polled?.body ?? {}
    if (data?.status === 'succeeded' || data?.status === 'failed') return data
  }
}

/** Whether a process of this machine joins a clip with a mask. */
async function isComposing(): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.some((line) => line.includes('ffmpeg') && line.includes('alphamerge'))
}

const slowly = { before: ['IN_QUEUE', 'IN_PROGRESS'] } as const

const steps: readonly [
  string,
  (vendor: FilmVendor) => void,
  (vendor: FilmVendor) => Promise<void>,
][] = [
  [
    'a photo is uploaded',
    (vendor) => {
      vendor.plan(vendor.reference, vendor.clip(7))
      vendor.pause('PUT')
    },
    (vendor) => expect.poll(vendor.paused, patience).toBeGreaterThan(0),
  ],
  [
    'the reference is made',
    (vendor) => vendor.plan({ ...vendor.reference, ...slowly }, vendor.clip(7)),
    (vendor) => expect.poll(vendor.polls, patience).toBe(1),
  ],
  [
    'the shot is generated',
    (vendor) => vendor.plan(vendor.reference, { ...vendor.clip(7), ...slowly }),
    (vendor) => expect.poll(vendor.polls, patience).toBe(2),
  ],
  [
    'the clip is downloaded',
    (vendor) => {
      vendor.plan(vendor.reference, vendor.clip(7))
      vendor.pause('GET')
    },
    (vendor) => expect.poll(vendor.paused, patience).toBeGreaterThan(0),
  ],
  [
    'ffmpeg puts the film together',
    (vendor) => vendor.plan(vendor.reference, vendor.clip(7)),
    () => expect.poll(isComposing, patience).toBe(true),
  ],
]

describe.skipIf(!isInstalled)('a gateway that is killed while', () => {
  test.each(steps)(
    '%s sends each generation once and charges the film once',
    async (_step, plan, reached) => {
      const machine = await start()
      const { vendor, database } = machine
      plan(vendor)
      const ordered = await order(machine)
      await reached(vendor)
      await machine.killAndRestart()
      const job = await ended(machine, ordered)
      expect(job).toMatchObject({ status: 'succeeded', charged_cents: 1_100 })
      expect(vendor.generations().map(({ endpoint }) => endpoint)).toEqual([
        expect.stringContaining('seedream'),
        expect.stringContaining('inpainting'),
      ])
      // One reference at 3¢, and 113 frames at 10¢ for 16: also what the killed gateway has paid for.
      const paid = await database.query('select cost from call where id = $1', [ordered.jobId])
      expect(paid).toEqual([{ cost: 736_250 }])
      const files = await database.query(
        `select filename from stored_file where state <> 'removed' order by id`,
      )
      expect(files).toEqual([{ filename: 'me.png' }, { filename: 'performance-standard.mp4' }])
      const verified = { path: '/api/v1/admin/ledger/verify', key: adminToken }
      expect((await send(await machine.url(), verified))?.body).toMatchObject({ ok: true })
    },
    240_000,
  )

  test('a generation is sent sends it no second time, and the film is free', async () => {
    const machine = await start()
    const { vendor } = machine
    vendor.plan({ silent: true })
    const ordered = await order(machine)
    await expect.poll(() => vendor.generations().length, patience).toBe(1)
    await machine.killAndRestart()
    const job = await ended(machine, ordered)
    expect(job).toMatchObject({ status: 'failed', error: 'upstream_error', charged_cents: 0 })
    expect(vendor.generations()).toHaveLength(1)
  }, 240_000)
})
