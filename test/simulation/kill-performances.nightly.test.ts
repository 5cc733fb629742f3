// kill -9 in each step of a film: no generation is sent twice, what was made is used, and the film is charged once.
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import type { AtEnd } from '#test/database.ts'
import { mediaKey } from '#test/media-vendor.ts'
import { makeMaterial, manifestOf } from '#test/performances/film-material.ts'
import { type FilmVendor, startFilmVendor } from '#test/performances/film-vendor.ts'
import { payTopUp } from '#test/performances/paid-top-up.ts'
import { openOuterDatabase, startMortalGateway } from './mortal-gateway.ts'

const isInstalled = (await createSandbox({ clock }).missing()) === undefined
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_000, 7)])
const balanceCents = 2_000
const often = { interval: 20 }

async function start(atEnd: AtEnd) {
  const { database, env } = await openOuterDatabase(atEnd)
  const vendor = await startFilmVendor(atEnd)
  const { lead: _lead, ...manifest } = manifestOf()
  const settings = {
    ...env,
    PERFORMANCES_DIR: await makeMaterial(atEnd, manifest),
    NS_MEDIA_API_KEY: mediaKey,
    NS_MEDIA_BASE_URL: vendor.url,
  }
  const gateway = await startMortalGateway(settings, atEnd)
  return {
    database,
    vendor,
    gateway,
    async killAndStart() {
      await gateway.kill()
      vendor.resume()
      await gateway.start()
    },
  }
}

type Machine = Awaited<ReturnType<typeof start>>

/** Orders a film for a new account. Resolves to what waits for its end. */
async function order({ database, gateway }: Machine) {
  const { accountId, call } = await gateway.openAccount(balanceCents)
  const file = await call('files/upload', { filename: 'me.png', size_bytes: png.length })
  await fetch(file.put_url, { method: 'PUT', body: new Uint8Array(png) })
  await payTopUp(database, accountId)
  const performers = [{ slot: 'left', image_file_ids: [file.file_id], consent: true }]
  const { job_id } = await call('performance/generate', { performers, max_cost_cents: 1_100 })
  return {
    accountId,
    jobId: job_id as string,
    async ended() {
      for (;;) {
        const job = await call('tollway/result', { job_id, wait_seconds: 50 })
        if (job?.status === 'succeeded' || job?.status === 'failed') return job
      }
    },
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
    (vendor) => expect.poll(vendor.paused, often).toBeGreaterThan(0),
  ],
  [
    'the reference is made',
    (vendor) => vendor.plan({ ...vendor.reference, ...slowly }, vendor.clip(7)),
    (vendor) => expect.poll(vendor.polls, often).toBe(1),
  ],
  [
    'the shot is generated',
    (vendor) => vendor.plan(vendor.reference, { ...vendor.clip(7), ...slowly }),
    (vendor) => expect.poll(vendor.polls, often).toBe(2),
  ],
  [
    'the clip is downloaded',
    (vendor) => {
      vendor.plan(vendor.reference, vendor.clip(7))
      vendor.pause('GET')
    },
    (vendor) => expect.poll(vendor.paused, often).toBeGreaterThan(0),
  ],
  [
    'ffmpeg puts the film together',
    (vendor) => vendor.plan(vendor.reference, vendor.clip(7)),
    () => expect.poll(isComposing, often).toBe(true),
  ],
]

describe.skipIf(!isInstalled)('a gateway that is killed while', () => {
  let machine: Machine
  const endings: (() => Promise<void>)[] = []
  // The gateway that follows a killed one is killed by the next test.
  beforeAll(async () => {
    machine = await start((work) => endings.unshift(work))
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })

  test.each(steps)(
    '%s sends each generation once and charges the film once',
    async (_step, plan, reached) => {
      const { vendor, database } = machine
      plan(vendor)
      const ordered = await order(machine)
      await reached(vendor)
      await machine.killAndStart()
      const job = await ordered.ended()
      expect(job).toMatchObject({ status: 'succeeded', charged_cents: 1_100 })
      expect(vendor.generations().map(({ endpoint }) => endpoint)).toEqual([
        expect.stringContaining('seedream'),
        expect.stringContaining('inpainting'),
      ])
      // One reference at 3¢, and 113 frames at 10¢ for 16: also what the killed gateway has paid for.
      const paid = await database.query('select cost from call where id = $1', [ordered.jobId])
      expect(paid).toEqual([{ cost: 736_250 }])
      const files = await database.query(
        `select filename from stored_file where state <> 'removed' and account_id = $1 order by id`,
        [ordered.accountId],
      )
      expect(files).toEqual([{ filename: 'me.png' }, { filename: 'performance-standard.mp4' }])
      await machine.gateway.expectBooksRight()
    },
  )

  test('a generation is sent sends it no second time, and the film is free', async () => {
    const { vendor } = machine
    vendor.plan({ silent: true })
    const ordered = await order(machine)
    await expect.poll(() => vendor.generations().length, often).toBe(1)
    await machine.killAndStart()
    const job = await ordered.ended()
    expect(job).toMatchObject({ status: 'failed', error: 'upstream_error', charged_cents: 0 })
    expect(vendor.generations()).toHaveLength(1)
  })
})
