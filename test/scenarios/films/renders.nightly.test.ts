// Films of accounts on a gateway without the vendor: real media, real ffmpeg, and what each outcome costs.
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  type CallAction,
  filmOf,
  importSample,
  saveFilm,
  storeFile,
  storeSample,
} from '#test/film-studio.ts'
import { shareGatewayOfWorker, type TestAccount, verify } from '#test/harness.ts'
import { type MediaSample, mediaSample, mediaSamples, probeFilm } from '#test/media-samples.ts'

const shared = shareGatewayOfWorker()

const callerOf =
  (account: TestAccount): CallAction =>
  (action, body) =>
    account.call(action, body)

async function open(balanceCents = 1_000) {
  const account = await shared().account(balanceCents)
  return { account, call: callerOf(account) }
}

async function startRender(call: CallAction, project_id: string, intent = 'preview') {
  const { body } = await call('ns_assembler/render', { project_id, intent })
  expect(body).toMatchObject({ ok: true, data: { status: 'queued', async: true } })
  return body.data.job_id as string
}

async function finish(call: CallAction, job_id: string) {
  const poll = async () => (await call('tollway/result', { job_id, wait_seconds: 50 })).body.data
  await expect.poll(async () => (await poll()).status).not.toBe('running')
  return await poll()
}

const render = async (call: CallAction, project_id: string, intent?: string) =>
  finish(call, await startRender(call, project_id, intent))

describe('media', () => {
  test.each(Object.keys(mediaSamples) as MediaSample[])('of the type %s is ready', async (type) => {
    const { call } = await open()
    const file_id = await storeSample(call, type)
    const { body } = await call('ns_assembler/upload', { file_id, contentType: type })
    expect(body).toMatchObject({
      data: { status: 'ready', content_type: type, provider: 'embedded' },
      charged_cents: 1,
    })
    const { media_id, ...read } = body.data
    const size = type.startsWith('audio/') ? null : [320, 180]
    expect(read.width === null ? null : [read.width, read.height]).toEqual(size)
    if (type.startsWith('image/')) expect(read.duration_sec).toBeNull()
    else expect(read.duration_sec).toBeCloseTo(2, 0)
    const status = await call('ns_assembler/media_status', { media_id })
    expect(status.body).toMatchObject({ data: { media_id, status: 'ready' }, charged_cents: 0 })
  })

  test('keeps the name that its caller gives, of up to 500 characters', async () => {
    const { call } = await open()
    const file_id = await storeSample(call, 'image/png')
    const upload = (filename: string) => call('ns_assembler/upload', { file_id, filename })
    expect((await upload('n'.repeat(500))).body.data.filename).toBe('n'.repeat(500))
    for (const filename of ['', 'n'.repeat(501)])
      expect((await upload(filename)).body).toMatchObject({ error: 'bad_request' })
  })

  test.each<[string, MediaSample | Uint8Array, string | undefined, RegExp]>([
    ['a PDF', Buffer.from('%PDF-1.4\n'), undefined, /PDF|pdf/],
    ['text', Buffer.from('words, words'), undefined, /Convert it to MP4/],
    ['a picture that is called a video', 'image/png', 'video/mp4', /image\/png and not video\/mp4/],
    ['a sound that is called a video', 'audio/mp4', 'video/mp4', /begins with audio/],
    ['a video that is called a sound', 'video/mp4', 'audio/mp4', /begins with video/],
    ['a type that films do not take', 'image/png', 'image/gif', /contentType/],
  ])('%s is refused, and costs nothing', async (_case, sample, contentType, says) => {
    const { account, call } = await open(10)
    const file_id =
      typeof sample === 'string'
        ? await storeSample(call, sample)
        : await storeFile(call, 'file.bin', sample)
    const { availableCents } = await account.state()
    const { status, body } = await call('ns_assembler/upload', { file_id, contentType })
    expect([status, body.error]).toEqual([400, 'bad_request'])
    expect(body.message).toMatch(says)
    expect(await account.state()).toMatchObject({ availableCents, heldCents: 0 })
  })

  test('that is cut off or damaged is refused, and costs nothing', async () => {
    const { account, call } = await open(10)
    const whole = await mediaSample('image/png')
    const file_id = await storeFile(call, 'half.png', whole.subarray(0, 60))
    const { status, body } = await call('ns_assembler/upload', { file_id })
    expect([status, body.error]).toEqual([400, 'bad_request'])
    expect(body.message).toContain('Convert it to PNG or JPEG')
    expect(await account.state()).toMatchObject({ availableCents: 9, heldCents: 0 })
  })

  test('is not found by others, and not before its bytes have arrived', async () => {
    const [{ call: mine }, { call: theirs, account }] = [await open(), await open()]
    const file_id = await storeSample(mine, 'image/png')
    expect((await theirs('ns_assembler/upload', { file_id })).status).toBe(404)
    const media_id = await importSample(mine, 'image/png')
    expect((await theirs('ns_assembler/media_status', { media_id })).status).toBe(404)
    const pending = await theirs('files/upload', { filename: 'a.png', size_bytes: 10 })
    const early = await theirs('ns_assembler/upload', { file_id: pending.body.data.file_id })
    expect([early.status, early.body.error]).toEqual([409, 'file_pending'])
    expect(await account.state()).toMatchObject({ availableCents: 999, heldCents: 0 })
  })

  test('of another account is dropped like media that does not exist', async () => {
    const [{ call: mine }, { call: theirs }] = [await open(), await open()]
    const mediaId = await importSample(mine, 'image/png')
    const composition = filmOf({ kind: 'image', mediaId, seconds: 1 })
    expect((await mine('ns_assembler/validate', composition)).body.data.valid).toBe(true)
    const { body } = await theirs('ns_assembler/validate', composition)
    expect(body.data).toMatchObject({ valid: false, errors: [{ code: 'media_not_found' }] })
  })

  test('of a clip with another mistake is not called missing', async () => {
    const { call } = await open()
    const mediaId = await importSample(call, 'image/png')
    const { body } = await call(
      'ns_assembler/validate',
      filmOf({ kind: 'image', mediaId, seconds: 0.01 }),
    )
    expect(body.data.errors).toMatchObject([{ code: 'clip_too_short' }])
    expect(body.data.errors).toHaveLength(1)
  })
})

describe('a render', () => {
  test('makes a film in the caller’s files, with progress, for its price', async () => {
    const { account, call } = await open()
    const [video, song] = [
      await importSample(call, 'video/mp4'),
      await importSample(call, 'audio/wav'),
    ]
    const project_id = await saveFilm(
      call,
      filmOf(
        { kind: 'video', mediaId: video, seconds: 2, source: { muted: true } },
        { kind: 'audio', mediaId: song, seconds: 2, source: { fadeOutMs: 500 } },
      ),
    )
    const before = await account.state()
    const job = await render(call, project_id, 'final')
    expect(job).toMatchObject({
      status: 'succeeded',
      charged_cents: 100,
      result: {
        project_id,
        intent: 'final',
        status: 'complete',
        provider: 'embedded',
        width: 1280,
        height: 720,
        dropped: [],
      },
    })
    expect(await account.state()).toMatchObject({
      availableCents: before.availableCents - 100,
      heldCents: 0,
    })
    const { file_id, output_url } = job.result
    const film = await probeFilm(output_url)
    expect(film).toMatchObject({ width: 1280, height: 720, rate: 24, streams: ['h264', 'aac'] })
    expect(Math.abs(film.seconds - 2)).toBeLessThanOrEqual(1 / 24)
    expect((await call('files/get', { file_id })).body.data).toMatchObject({
      filename: 'Harbour-100-final.mp4',
      mime: 'video/mp4',
      source: 'action',
      size: job.result.size_bytes,
    })
    const listed = await call('ns_assembler/list_renders', { project_id })
    expect(listed.body).toMatchObject({
      charged_cents: 0,
      data: { renders: [{ render_id: job.job_id, intent: 'final', status: 'complete', file_id }] },
    })
    expect(await verify(shared())).toMatchObject({ ok: true })
  })

  test('as a preview costs a quarter and is smaller', async () => {
    const { account, call } = await open()
    const mediaId = await importSample(call, 'image/jpeg')
    const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 1 }))
    const before = await account.state()
    const { result, charged_cents } = await render(call, project_id, 'preview')
    expect(charged_cents).toBe(25)
    expect(result.height).toBeLessThan(720)
    expect((await account.state()).availableCents).toBe(before.availableCents - 25)
  })

  test.each([
    ['nothing was saved', undefined],
    ['all clips were dropped', filmOf({ kind: 'image', mediaId: 'gone', seconds: 1 })],
  ])('fails with no_scenes where %s, and costs nothing', async (_case, composition) => {
    const { account, call } = await open()
    const created = await call('ns_assembler/create_project', { name: 'n' })
    const project_id = created.body.data.id
    if (composition !== undefined)
      await call('ns_assembler/put_composition', { project_id, composition })
    const before = await account.state()
    expect(await render(call, project_id)).toMatchObject({
      status: 'failed',
      error: 'no_scenes',
      charged_cents: 0,
    })
    expect(await account.state()).toMatchObject({
      availableCents: before.availableCents,
      heldCents: 0,
    })
    const { body } = await call('ns_assembler/list_renders', { project_id })
    expect(body.data.renders).toMatchObject([
      { status: 'failed', error: expect.stringMatching(/no scenes/) },
    ])
  })

  test('leaves out media with a deleted file, and says so', async () => {
    const { call } = await open()
    const file_id = await storeSample(call, 'image/png')
    const upload = await call('ns_assembler/upload', { file_id })
    const kept = await importSample(call, 'image/jpeg')
    const project_id = await saveFilm(
      call,
      filmOf(
        { kind: 'image', mediaId: kept, seconds: 1 },
        { kind: 'image', mediaId: upload.body.data.media_id, seconds: 1 },
      ),
    )
    await call('files/delete', { file_id })
    const { media_id } = upload.body.data
    expect((await call('ns_assembler/media_status', { media_id })).body.data).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('deleted'),
    })
    const saved = (await call('ns_assembler/get_project', { project_id })).body.data.composition
    expect((await call('ns_assembler/validate', saved)).body.data).toMatchObject({
      valid: false,
      errors: [{ code: 'media_failed', fix: expect.any(String) }],
    })
    const { result } = await render(call, project_id)
    expect(result.dropped).toMatchObject([{ code: 'media_not_found' }])
  })

  test('whose film does not fit the quota fails, and costs nothing', async () => {
    const { account, call } = await open()
    const mediaId = await importSample(call, 'image/jpeg')
    const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 1 }))
    await shared().database.query(
      'update file_quota set bytes_max = bytes + 100 where account_id = $1',
      [account.id],
    )
    const before = await account.state()
    expect(await render(call, project_id)).toMatchObject({
      status: 'failed',
      error: 'file_quota_exceeded',
      charged_cents: 0,
    })
    expect((await account.state()).availableCents).toBe(before.availableCents)
  })

  test('takes the composition that was saved when it began', async () => {
    const { call } = await open()
    const mediaId = await importSample(call, 'image/jpeg')
    const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 3 }))
    const job_id = await startRender(call, project_id)
    const state = async () => (await call('tollway/result', { job_id })).body.data
    await expect
      .poll(async () => (await state()).progress?.phase, { interval: 20 })
      .toBe('rendering')
    const composition = filmOf({ kind: 'image', mediaId, seconds: 1 })
    await call('ns_assembler/put_composition', { project_id, composition })
    expect((await finish(call, job_id)).result.duration_sec).toBeCloseTo(3, 1)
  })

  test('ends with its hold: its programs stop, and nothing is stored or charged', async () => {
    const { account, call } = await open()
    const mediaId = await importSample(call, 'image/jpeg')
    const moving = { kenBurns: 'in' }
    const project_id = await saveFilm(
      call,
      filmOf({ kind: 'image', mediaId, seconds: 800, source: moving }),
    )
    const before = await account.state()
    const job_id = await startRender(call, project_id, 'final')
    await expect.poll(runningBoxes).toBeGreaterThan(0)
    await shared().database.query('update call set expires_at = now() where id = $1', [job_id])
    expect(await finish(call, job_id)).toMatchObject({ status: 'failed', charged_cents: 0 })
    await expect.poll(runningBoxes).toBe(0)
    const renders = async () =>
      (await call('ns_assembler/list_renders', { project_id })).body.data.renders
    await expect.poll(renders).toMatchObject([{ render_id: job_id, status: 'failed' }])
    expect(await account.state()).toMatchObject({
      availableCents: before.availableCents,
      heldCents: 0,
    })
  })

  test('beyond the third of an account waits for none: it is refused', async () => {
    const { call } = await open()
    const mediaId = await importSample(call, 'image/jpeg')
    const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 1 }))
    const calls = Array.from({ length: 4 }, () =>
      call('ns_assembler/render', { project_id, intent: 'preview' }),
    )
    const replies = await Promise.all(calls)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429])
    for (const { status, body } of replies)
      if (status === 200)
        expect(await finish(call, body.data.job_id)).toMatchObject({ status: 'succeeded' })
  })
})

/** The boxes that this process has started and that have not ended. */
async function runningBoxes(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const children = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return stat.includes('(bwrap)') && stat.split(') ')[1]?.split(' ')[1] === `${process.pid}`
  })
  return (await Promise.all(children)).filter(Boolean).length
}

test('a key with limits sees only its own media and projects', async () => {
  const { account, call } = await open()
  const { request } = shared()
  const made = await request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 500 },
  })
  const limited: CallAction = (action, body) =>
    shared().call(action, body, { key: made.body.api_key })
  const mediaId = await importSample(call, 'image/png')
  const composition = filmOf({ kind: 'image', mediaId, seconds: 1 })
  const project_id = await saveFilm(call, composition)
  expect((await limited('ns_assembler/get_project', { project_id })).status).toBe(404)
  expect((await limited('ns_assembler/media_status', { media_id: mediaId })).status).toBe(404)
  expect((await limited('ns_assembler/validate', composition)).body.data.valid).toBe(false)
  const own = await saveFilm(limited, composition)
  expect((await call('ns_assembler/get_project', { project_id: own })).status).toBe(200)
})
