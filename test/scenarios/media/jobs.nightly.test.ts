// Videos: jobs that wait for the vendor's queue without a worker, are bought once, and cost nothing when they fail.
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { adminToken, shareGateway, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { type Course, mediaKey, startMediaVendor } from '#test/media-vendor.ts'
import { until } from '#test/until.ts'
import { startKillableGateway } from '../../payments/killable-gateway.ts'

const vendor = await startMediaVendor()
afterAll(vendor.close)
const env = { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url }
const film = { model: 'kling-video/v2.6/pro/text-to-video', prompt: 'x', duration: 5 }
const done: Course = { result: { video: { url: 'https://v3.fal.media/files/film.mp4' }, seed: 1 } }
const waits = (polls: number): Course => ({ ...done, before: Array(polls).fill('IN_QUEUE') })
const submissions = () => vendor.seen.filter(({ method }) => method === 'POST')

const poll = async (account: TestAccount, jobId: string, seconds = 40) =>
  (await account.call('tollway/result', { job_id: jobId, wait_seconds: seconds })).body.data

async function submit(account: TestAccount, body: object = film): Promise<string> {
  const reply = await account.call('ns_media/generate', body)
  expect(reply.body).toMatchObject({ data: { status: 'queued', async: true }, charged_cents: 0 })
  return reply.body.data.job_id
}

describe('a video', () => {
  const shared = shareGateway({ env: { ...env, JOBS_AT_ONCE: '1' } })

  test('is a job with progress, and costs its quote once it is there', async () => {
    vendor.plan({ ...done, before: ['IN_QUEUE', 'IN_PROGRESS', 'IN_PROGRESS'] })
    const gateway = shared()
    const account = await gateway.account(100)
    const id = await submit(account)
    const phases = new Set<string>()
    await until(async () => {
      const { progress, status } = await poll(account, id, 0)
      if (progress) phases.add(progress.phase)
      return status !== 'running'
    })
    expect([...phases]).toEqual(expect.arrayContaining(['generating']))
    expect(await poll(account, id)).toMatchObject({
      status: 'succeeded',
      charged_usd: '0.700000',
      result: {
        model: film.model,
        output_url: 'https://v3.fal.media/files/film.mp4',
        outputs: [{ kind: 'video' }],
      },
    })
    expect(submissions()).toHaveLength(1)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('waits without a worker: one worker has several videos under way', async () => {
    vendor.plan(waits(2))
    const account = await shared().account(1_000)
    const ids = [await submit(account), await submit(account), await submit(account)]
    await until(async () => submissions().length === ids.length)
    const states = await Promise.all(ids.map((id) => poll(account, id, 0)))
    expect(states.map(({ status }) => status)).toEqual(['running', 'running', 'running'])
    for (const id of ids) expect(await poll(account, id)).toMatchObject({ status: 'succeeded' })
  })

  test('that the vendor declines or cannot make costs nothing', async () => {
    const declined = { detail: [{ loc: ['body'], msg: 'm', type: 'content_policy_violation' }] }
    vendor.plan(
      { status: 422, result: declined },
      { completed: { error: 'm', error_type: 'runner_disconnected' } },
      { refusal: { status: 422, body: declined } },
    )
    const gateway = shared()
    const account = await gateway.account(1_000)
    const ends = []
    for (let turn = 0; turn < 3; turn += 1) ends.push(await poll(account, await submit(account)))
    expect(ends).toMatchObject([
      { status: 'failed', error: 'content_policy_violation', charged_cents: 0 },
      { status: 'failed', error: 'upstream_error', charged_cents: 0 },
      { status: 'failed', error: 'content_policy_violation', charged_cents: 0 },
    ])
    expect(await account.state()).toMatchObject({ availableCents: 1_000, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })
})

describe('a gateway that is killed', () => {
  async function startFirst(course: Course) {
    vendor.plan(course)
    const databaseUrl = await createTestDatabase(onTestFinished)
    const dataDir = await makeDataDirectory()
    onTestFinished(() => removeDataDirectory(dataDir))
    const first = await startKillableGateway({
      ...env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
    })
    onTestFinished(first.kill)
    const send = async (at: string, key: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      return await (await fetch(first.url + at, sent)).json()
    }
    const account = await send('/api/v1/admin/accounts', adminToken, { balance_cents: 1_000 })
    const key = account.api_key as string
    const { data } = await send('/api/run/ns_media/generate', key, film)
    const read = async () => {
      const second = await startGateway({ env, databaseUrl })
      const job = { job_id: data.job_id, wait_seconds: 50 }
      const { body } = await second.call('tollway/result', job, { key })
      expect(await verify(second)).toMatchObject({ ok: true })
      return body.data
    }
    return { first, read }
  }

  test('while the vendor works leaves a job that the next one ends, without buying again', async () => {
    const { first, read } = await startFirst(waits(3))
    await until(async () => vendor.polls() > 0)
    await first.kill()
    expect(await read()).toMatchObject({ status: 'succeeded', charged_usd: '0.700000' })
    expect(submissions()).toHaveLength(1)
  })

  test('while it sends the order leaves a job that is not sent again, and is free', async () => {
    const { first, read } = await startFirst({ silent: true })
    await until(async () => submissions().length === 1)
    await first.kill()
    vendor.plan(done)
    const job = await read()
    expect(job).toMatchObject({ status: 'failed', error: 'upstream_error', charged_cents: 0 })
    expect(job.message).toContain('not sent again')
    expect(submissions()).toEqual([])
  })
})
