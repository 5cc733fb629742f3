// performance/generate and lead/generate over HTTP, with real ffmpeg: what is refused, what is sent, charged and
// delivered.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { type Gateway, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { mediaKey } from '#test/media-vendor.ts'
import {
  colorAt,
  describeFilm,
  loudness,
  makeMaterial,
  manifestOf,
} from '#test/performances/film-material.ts'
import { type FilmVendor, startFilmVendor } from '#test/performances/film-vendor.ts'
import { payTopUp } from '#test/performances/paid-top-up.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, shareChains, startPaidGateway } from '../../payments/paid-gateway.ts'
import { buy, challenge, received } from '../../payments/payers.ts'

const isInstalled = (await createSandbox({ clock }).missing()) === undefined
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_000, 7)])
const ceiling = { max_cost_cents: 3_400 }
const someId = '01970000-0000-7000-8000-000000000000'
const left = (image_file_ids: unknown, rest: object = {}) => ({
  performers: [{ slot: 'left', image_file_ids, consent: true, ...rest }],
})
const waitMs = 50
const pollsMax = 1_200
const declined = {
  status: 422,
  result: { detail: [{ loc: ['body', 'image_urls'], msg: 'm', type: 'content_policy_violation' }] },
}

describe.skipIf(!isInstalled)('films with people from photos', () => {
  const endings: (() => unknown)[] = []
  const atEnd = (end: () => unknown) => void endings.unshift(end)
  let gateway: Gateway
  let vendor: FilmVendor
  let env: Record<string, string>

  beforeAll(async () => {
    vendor = await startFilmVendor(atEnd as never)
    env = {
      PERFORMANCES_DIR: await makeMaterial(atEnd as never),
      NS_MEDIA_API_KEY: mediaKey,
      NS_MEDIA_BASE_URL: vendor.url,
      EGRESS_ALLOW: '127.0.0.1',
    }
    gateway = await startGateway({ env }, atEnd as never)
  })
  afterAll(async () => {
    for (const end of endings) await end()
    expect(vendor?.problems).toEqual([])
  })

  /** An account that has paid a top-up, with a photo. */
  async function open(cents = 5_000) {
    const account = await gateway.account(cents)
    const photo = await upload(account)
    await payTopUp(gateway.database, account.id)
    return { account, photo }
  }

  test('an account without a paid top-up is refused before anything is held', async () => {
    const account = await gateway.account(5_000)
    const body = { ...left([await upload(account)]), ...ceiling }
    const before = await account.state()
    const refused = await account.call('performance/generate', body)
    expect([refused.status, refused.body.error]).toEqual([402, 'paid_topup_required'])
    expect(await account.state()).toEqual(before)
  })

  test('without max_cost_cents, or above it, nothing is held', async () => {
    const { account, photo } = await open()
    const before = await account.state()
    for (const [rest, code] of [
      [{}, 'max_cost_required'],
      [{ max_cost_cents: 1_099 }, 'max_cost_exceeded'],
      [{ max_cost_cents: 3_399, variant: 'extended' }, 'max_cost_exceeded'],
    ] as const) {
      const refused = await account.call('performance/generate', { ...left([photo]), ...rest })
      expect([refused.status, refused.body.error]).toEqual([402, code])
    }
    expect(await account.state()).toEqual(before)
  })

  const one = { slot: 'left', image_file_ids: [someId], consent: true }
  test.each([
    ['no performers', 'performance', { performers: [] }],
    ['three performers', 'performance', { performers: [one, { ...one, slot: 'right' }, one] }],
    ['a slot twice', 'performance', { performers: [one, one] }],
    ['an unknown slot', 'performance', { performers: [{ ...one, slot: 'centre' }] }],
    ['no consent', 'performance', left([someId], { consent: undefined })],
    ['consent refused', 'performance', left([someId], { consent: false })],
    ['no photos', 'performance', left([])],
    ['six photos', 'performance', left(Array(6).fill(someId))],
    ['an id of another form', 'performance', left(['photo'])],
    ['an unknown field of a performer', 'performance', left([someId], { name: 'x' })],
    ['an unknown field', 'performance', { ...left([someId]), video: 'x' }],
    ['an unknown variant', 'performance', { ...left([someId]), variant: 'long' }],
    [
      'a prompt of 2001 characters',
      'performance',
      { ...left([someId]), prompt: 'x'.repeat(2_001) },
    ],
    ['no consent', 'lead', { image_file_ids: [someId] }],
    ['consent as text', 'lead', { image_file_ids: [someId], consent: 'true' }],
    ['six photos', 'lead', { image_file_ids: Array(6).fill(someId), consent: true }],
    ['an unknown field', 'lead', { image_file_ids: [someId], consent: true, slot: 'left' }],
    ['a photo that does not exist', 'lead', { image_file_ids: [someId], consent: true }],
  ])('%s (%s) is a 400 before anything is held', async (_what, production, body) => {
    const { account } = await open()
    const before = await account.state()
    const refused = await account.call(`${production}/generate`, { ...body, ...ceiling })
    expect([refused.status, refused.body.error]).toEqual([400, 'bad_request'])
    expect(await account.state()).toEqual(before)
  })

  test('both performers are replaced; photos, notes, clip and masks reach the models', async () => {
    const { account, photo } = await open()
    const others = await Promise.all(Array.from({ length: 5 }, () => upload(account)))
    vendor.plan(vendor.reference, vendor.reference, vendor.clip(7))
    const prompt = 'x'.repeat(2_000)
    const performers = [
      { slot: 'right', image_file_ids: others, consent: true },
      { slot: 'left', image_file_ids: [photo], consent: true },
    ]
    const { body } = await account.call('performance/generate', { performers, prompt, ...ceiling })
    expect(body).toMatchObject({ data: { status: 'queued', async: true }, charged_cents: 0 })
    expect(await account.state()).toMatchObject({ heldCents: 1_100 })
    const job = await ended(account, body.data.job_id)
    expect(job).toMatchObject({
      status: 'succeeded',
      charged_cents: 1_100,
      result: { variant: 'standard', duration_seconds: 7, mime: 'video/mp4' },
    })

    const [first, second, shot, ...more] = vendor.generations()
    expect(more).toEqual([])
    expect([first.image_urls.length, second.image_urls.length]).toEqual([2, 6])
    expect(first.prompt).toContain(prompt)
    expect(vendor.uploads.get(first.image_urls[0])).toEqual(png)
    expect(shot).toMatchObject({ endpoint: expect.stringContaining('inpainting'), num_frames: 113 })
    expect(shot.ref_image_urls).toEqual(Array(2).fill(expect.stringContaining('/reference.png')))
    expect(vendor.uploads.get(shot.video_url)?.subarray(4, 8).toString()).toBe('ftyp')
    expect(vendor.uploads.get(shot.mask_image_url)?.subarray(1, 4).toString()).toBe('PNG')

    const film = await download(job.result.get_url)
    expect(await describeFilm(film)).toMatchObject({ frames: 175, codec: 'h264', sound: 'aac' })
    expect(await colorAt(film, 3, 40, 90)).toBe('red')
    expect(await colorAt(film, 3, 280, 90)).toBe('red')
    expect(await loudness(film, 1, 5)).toBeGreaterThan(-30)
    const { body: found } = await account.call('files/get', { file_id: job.result.file_id })
    expect(found.data).toMatchObject({ source: 'action', size: job.result.size })
    // Two pictures at 3¢ and 113 frames at 10¢ for 16.
    const row = await gateway.database.query('select cost from call where id = $1', [job.job_id])
    expect(row).toEqual([{ cost: 766_250 }])
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('an extended film has 29 seconds, from two shots with the same references', async () => {
    const { account, photo } = await open()
    vendor.plan(vendor.reference, vendor.clip(15), vendor.clip(14))
    const wish = { ...left([photo]), variant: 'extended', ...ceiling }
    const { body } = await account.call('performance/generate', wish)
    expect(await account.state()).toMatchObject({ heldCents: 3_400 })
    const job = await ended(account, body.data.job_id)
    expect(job).toMatchObject({
      status: 'succeeded',
      charged_cents: 3_400,
      result: { variant: 'extended', duration_seconds: 29 },
    })
    const [, first, second, ...more] = vendor.generations()
    expect(more).toEqual([])
    expect([first.num_frames, second.num_frames]).toEqual([241, 225])
    expect(second.ref_image_urls).toEqual(first.ref_image_urls)
    const film = await download(job.result.get_url)
    expect(await describeFilm(film)).toMatchObject({ frames: 725, codec: 'h264', sound: 'aac' })
    for (const seconds of [1, 14.9, 15.1, 28.9]) {
      expect(await colorAt(film, seconds, 40, 90)).toBe('red')
      expect(await colorAt(film, seconds, 280, 90)).toBe('blue')
    }
    expect(await loudness(film, 27, 2)).toBeGreaterThan(-30)
  })

  test('a lead film replaces the centre alone', async () => {
    const { account, photo } = await open()
    vendor.plan(vendor.reference, vendor.clip(7))
    const wish = { image_file_ids: [photo], consent: true, ...ceiling }
    const { body } = await account.call('lead/generate', wish)
    const job = await ended(account, body.data.job_id)
    const film = await download(job.result.get_url)
    expect(await colorAt(film, 3, 160, 90)).toBe('red')
    expect(await colorAt(film, 3, 10, 90)).toBe('blue')
    expect(await colorAt(film, 3, 310, 90)).toBe('blue')
  })

  test('what the content check declines is free, and told in plain words', async () => {
    const { account, photo } = await open()
    const before = await account.state()
    vendor.plan(declined)
    const { body } = await account.call('performance/generate', { ...left([photo]), ...ceiling })
    const job = await ended(account, body.data.job_id)
    expect(job).toMatchObject({ status: 'failed', charged_cents: 0 })
    expect(job.error).toBe('content_policy_violation')
    expect(job.message).toMatch(/photos or the prompt. Nothing was charged/)
    const { availableCents, heldCents } = before
    expect(await account.state()).toMatchObject({ availableCents, heldCents })
  })

  test('a film without room among the files is not begun', async () => {
    const small = await startGateway({ env: { ...env, FILES_QUOTA_MB: '10' } })
    const account = await small.account(5_000)
    const body = { ...left([await upload(account)]), ...ceiling }
    await payTopUp(small.database, account.id)
    vendor.plan(vendor.reference, vendor.clip(7))
    const { body: handle } = await account.call('performance/generate', body)
    const job = await ended(account, handle.data.job_id)
    expect(job).toMatchObject({ status: 'failed', error: 'file_quota_exceeded', charged_cents: 0 })
    expect(vendor.generations()).toEqual([])
  })

  test.each([
    ['without film material', { PERFORMANCES_DIR: '' }, 'PERFORMANCES_DIR'],
    ['without a video model', { NS_MEDIA_API_KEY: '' }, 'NS_MEDIA_API_KEY'],
    ['with a mask of another size', { mask: 'small.png' }, 'small.png'],
    ['with an unknown model', { model: 'no/such-model' }, 'no model has this key'],
  ])('%s the action is unavailable, with the reason', async (_what, wrong, reason) => {
    const { mask, model, ...settings } = wrong as Record<string, string>
    const { performance, video, ...rest } = manifestOf()
    const film = {
      ...performance.standard,
      masks: { left: mask ?? 'left.png', right: 'right.png' },
    }
    const manifest = {
      ...rest,
      performance: { standard: film },
      video: { ...video, model: model ?? video.model },
    }
    const PERFORMANCES_DIR = await makeMaterial(onTestFinished, manifest)
    const other = await startGateway({ env: { ...env, PERFORMANCES_DIR, ...settings } })
    const { body } = await other.request('GET', '/api/run/performance/generate')
    expect(body).toMatchObject({ mode: 'unavailable', reason: expect.stringContaining(reason) })
    const account = await other.account(5_000)
    const refused = await account.call('performance/generate', { ...left([someId]), ...ceiling })
    expect([refused.status, refused.body.error]).toEqual([503, 'provider_not_configured'])
  })

  test('the price is published as the specification says', async () => {
    const { body } = await gateway.request('GET', '/api/run/performance/generate')
    expect(body.price).toMatchObject({ mode: 'dynamic', min: '11.000000', max: '34.000000' })
    expect(body.input_schema.required).toEqual(['performers', 'max_cost_cents'])
    expect(body.async).toBe(true)
  })

  describe.skipIf(!payments.ok)(`for wallets ${payments.reason}`, () => {
    const chains = shareChains()
    const wish = (photo: string) => ({ image_file_ids: [photo], consent: true, ...ceiling })

    async function stage() {
      const paid = await startPaidGateway(chains(), { env })
      const described = { filename: 'me.png', size_bytes: png.length }
      const { body } = await buy(paid, 'mpp', 'files/upload', described)
      await fetch(body.data.put_url, { method: 'PUT', body: new Uint8Array(png) })
      return { paid, photo: body.data.file_id }
    }

    test('the action is sold over MPP alone, polled for free, and owned by the wallet', async () => {
      const { paid, photo } = await stage()
      const unpaid = await challenge(paid, 'lead/generate', wish(photo))
      expect(unpaid.status).toBe(402)
      const required = Buffer.from(unpaid.headers.get('payment-required') ?? '', 'base64')
      expect(JSON.parse(required.toString()).accepts).toMatchObject([
        { scheme: 'not-sold-over-x402' },
      ])
      expect(unpaid.headers.get('www-authenticate')).toMatch(/^Payment /)
      vendor.plan(vendor.reference, vendor.clip(7))
      const { body } = await buy(paid, 'mpp', 'lead/generate', wish(photo))
      const job = await polled(
        body.data.status_url,
        ({ status }) => status !== 'running' && status !== 'queued',
      )
      expect(job).toMatchObject({ status: 'succeeded', charged_cents: 1_100 })
      expect(await colorAt(await download(job.result.get_url), 3, 160, 90)).toBe('red')
      expect(await received(paid, 'mpp')).toBe(11_010_000n)
      await expectBooksRight(paid)
    })

    test('a failed film is refunded on the chain', async () => {
      const { paid, photo } = await stage()
      vendor.plan(declined)
      const { body } = await buy(paid, 'mpp', 'lead/generate', wish(photo))
      const job = await polled(body.data.status_url, ({ refund }) => refund?.status === 'confirmed')
      expect(job).toMatchObject({
        status: 'failed',
        error: 'content_policy_violation',
        charged_cents: 0,
        refund: { amount: '11.000000', tx: expect.stringMatching(/^0x/) },
      })
      await expectBooksRight(paid)
    })
  })
})

async function upload(account: TestAccount): Promise<string> {
  const described = { filename: 'photo.png', size_bytes: png.length }
  const { body } = await account.call('files/upload', described)
  await fetch(body.data.put_url, { method: 'PUT', body: new Uint8Array(png) })
  return body.data.file_id
}

async function ended(account: TestAccount, jobId: string) {
  for (;;) {
    const wait = { job_id: jobId, wait_seconds: 50 }
    const { data } = (await account.call('tollway/result', wait)).body
    if (data.status === 'succeeded' || data.status === 'failed') return data
  }
}

async function polled(
  statusUrl: string,
  isEnough: (job: UntypedJson) => boolean,
): Promise<UntypedJson> {
  for (let turn = 0; turn < pollsMax; turn += 1) {
    const { data } = await (await fetch(statusUrl)).json()
    if (isEnough(data)) return data
    await delay(waitMs)
  }
  throw new Error('The job did not end.')
}

async function download(address: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-film-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const place = path.join(folder, 'film.mp4')
  await writeFile(place, Buffer.from(await (await fetch(address)).arrayBuffer()))
  return place
}
