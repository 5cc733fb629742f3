// The vendor tells that a video is done, in place of being asked again and again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '#test/gateways/free-port.ts'
import { adminToken, type Gateway, startGateway } from '#test/harness.ts'
import { type Course, mediaKey, startMediaVendor } from '#test/media-vendor.ts'
import { until } from '#test/until.ts'

const vendor = await startMediaVendor()
const endings = [vendor.close]
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})
const env = { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url }
const film = { model: 'minimax/h3/text-to-video', prompt: 'x', duration: 5 }
const done: Course = { result: { video: { url: 'https://v3.fal.media/files/film.mp4' } } }

interface Opened {
  readonly gateway: Gateway
  /** A new account calls an action. */
  readonly caller: () => Promise<(action: string, body: object) => ReturnType<Gateway['call']>>
  /** At the gateway's own listener. */
  readonly at: (path: string) => string
}

async function open(more: Record<string, string>): Promise<Opened> {
  const port = await findFreePort()
  const gateway = await startGateway({ env: { ...env, PORT: String(port), ...more } }, (end) =>
    endings.push(end),
  )
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  return {
    gateway,
    at,
    async caller() {
      const asked = { key: adminToken, body: { balance_cents: 1_000 } }
      const { body } = await gateway.request('POST', at('/api/v1/admin/accounts'), asked)
      const key: string = body.api_key
      return (action, sent) =>
        gateway.request('POST', at(`/api/run/${action}`), { key, body: sent })
    },
  }
}

type Call = Awaited<ReturnType<Opened['caller']>>

async function submit(call: Call): Promise<string> {
  const { body } = await call('ns_media/generate', film)
  expect(body).toMatchObject({ data: { status: 'queued' } })
  return body.data.job_id
}

const poll = async (call: Call, job_id: string, wait_seconds: number) =>
  (await call('tollway/result', { job_id, wait_seconds })).body.data

/** The address that the vendor was given, on the test's own gateway. */
async function noticePath(): Promise<URL> {
  await until(async () => vendor.seen.some(({ method }) => method === 'POST'))
  const given = new URL(
    vendor.seen.find(({ method }) => method === 'POST')?.query.fal_webhook ?? '',
  )
  expect(given.origin).toBe('https://gateway.example')
  return given
}

let reachable: Opened
beforeAll(async () => {
  reachable = await open({ PUBLIC_BASE_URL: 'https://gateway.example' })
})

const notify = (address: URL, body: object = { status: 'OK' }) =>
  reachable.gateway.request('POST', reachable.at(`${address.pathname}${address.search}`), { body })

describe('a gateway that the vendor can reach', () => {
  test('asks once after the notice, and the job is done', async () => {
    vendor.plan(done)
    const call = await reachable.caller()
    const id = await submit(call)
    const address = await noticePath()
    expect(await poll(call, id, 5)).toMatchObject({ status: 'running' })
    expect(vendor.polls()).toBe(0)
    expect((await notify(address)).status).toBe(202)
    expect(await poll(call, id, 30)).toMatchObject({
      status: 'succeeded',
      charged_usd: '1.560000',
    })
    expect(vendor.polls()).toBe(1)
    // The vendor repeats its notices.
    expect((await notify(address)).status).toBe(202)
    expect(await poll(call, id, 1)).toMatchObject({ charged_usd: '1.560000' })
    const asked = { key: adminToken }
    const books = await reachable.gateway.request(
      'GET',
      reachable.at('/api/v1/admin/ledger/verify'),
      asked,
    )
    expect(books.body).toMatchObject({ ok: true })
  })

  test('believes nothing that a notice says', async () => {
    vendor.plan({ ...done, before: ['IN_PROGRESS', 'IN_PROGRESS'] })
    const call = await reachable.caller()
    const id = await submit(call)
    const address = await noticePath()
    const forged = { status: 'OK', payload: { video: { url: 'https://evil.example/x.mp4' } } }
    expect((await notify(address, forged)).status).toBe(202)
    await until(async () => vendor.polls() === 1)
    expect(await poll(call, id, 1)).toMatchObject({ status: 'running' })
  })

  test('knows its own addresses alone', async () => {
    vendor.plan(done)
    const call = await reachable.caller()
    const id = await submit(call)
    const address = await noticePath()
    const other = new URL(address)
    other.pathname = other.pathname.replace(id, '01970000-0000-7000-8000-000000000000')
    const unsigned = new URL(address)
    unsigned.searchParams.set('sig', 'x')
    for (const wrong of [other, unsigned]) expect((await notify(wrong)).status).toBe(404)
    expect(vendor.polls()).toBe(0)
  })
})

test('a gateway that the vendor cannot reach asks by itself', async () => {
  vendor.plan(done)
  const call = await (await open({})).caller()
  const id = await submit(call)
  expect(await poll(call, id, 30)).toMatchObject({ status: 'succeeded' })
  expect(vendor.seen.find(({ method }) => method === 'POST')?.query).toEqual({})
})
