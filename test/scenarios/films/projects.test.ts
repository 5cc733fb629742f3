// Film projects on a gateway without the vendor: what is saved, what is dropped, and whose it is.
import { describe, expect, test } from 'vitest'
import type { ProbedMedia } from '#features/studio/films/composition/media.ts'
import { createMediaStore } from '#features/studio/films/projects/media-store.ts'
import { createProjectStore } from '#features/studio/films/projects/project-store.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

const probe: ProbedMedia = {
  kind: 'image',
  durationSeconds: null,
  width: 320,
  height: 180,
  frameRate: null,
  hasSound: false,
  hasTransparency: false,
  hasColorMatrix: true,
}
const format = { aspectRatio: '9:16', fps: 24, resolution: 'hd' }
const title = (id: string, rest: object = {}) => ({
  id,
  startTime: 0,
  duration: 2,
  source: { kind: 'overlay', primitiveId: 'text', params: { text: 'Harbour' } },
  ...rest,
})
const composition = (...contents: object[]) => ({
  v: 1,
  format,
  tracks: [{ id: 'titles', kind: 'overlay', contents }],
})

const track = (place: number) => ({
  id: `track-${place}`,
  kind: 'overlay',
  contents: [title(`clip-${place}`)],
})

async function createProject(account: TestAccount, body: object = {}): Promise<string> {
  const { body: answer } = await account.call('ns_assembler/create_project', {
    name: 'Harbour',
    ...body,
  })
  return answer.data.id
}
const put = (account: TestAccount, project_id: string, body: object) =>
  account.call('ns_assembler/put_composition', { project_id, ...body })
const get = (account: TestAccount, project_id: string) =>
  account.call('ns_assembler/get_project', { project_id })

describe('a project', () => {
  test('is created for 1¢ and read for free', async () => {
    const account = await shared().account(100)
    const created = await account.call('ns_assembler/create_project', { name: 'Harbour', format })
    expect(created.body).toMatchObject({
      data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), provider: 'embedded' },
      charged_cents: 1,
    })
    const { id } = created.body.data
    expect((await get(account, id)).body).toMatchObject({
      data: { id, name: 'Harbour', format, composition: null, etag: null, provider: 'embedded' },
      charged_cents: 0,
    })
  })

  test.each([
    ['without a name', {}],
    ['with an empty name', { name: '' }],
    ['with a name of 201 characters', { name: 'n'.repeat(201) }],
    ['with another aspect ratio', { name: 'n', format: { aspectRatio: '2:1' } }],
    ['with another frame rate', { name: 'n', format: { fps: 25 } }],
    ['with another resolution', { name: 'n', format: { resolution: '8k' } }],
  ])('%s is refused, and costs nothing', async (_case, body) => {
    const account = await shared().account(10)
    const { status, body: answer } = await account.call('ns_assembler/create_project', body)
    expect([status, answer.error]).toEqual([400, 'bad_request'])
    expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
  })

  test('may have a name of 200 characters and other properties', async () => {
    const account = await shared().account(10)
    const id = await createProject(account, { name: 'n'.repeat(200), folder: 'mine' })
    expect((await get(account, id)).body.data.format).toEqual({
      aspectRatio: '16:9',
      fps: 30,
      resolution: 'fhd',
    })
  })

  test('has no brand kit without the vendor', async () => {
    const account = await shared().account(10)
    const body = { name: 'n', brandKitId: 'kit' }
    const { status, body: answer } = await account.call('ns_assembler/create_project', body)
    expect([status, answer.error]).toEqual([503, 'provider_not_configured'])
    expect(await account.state()).toMatchObject({ availableCents: 10, transactions: 0 })
  })

  test('of another account does not exist', async () => {
    const [owner, other] = [await shared().account(100), await shared().account(100)]
    const project_id = await createProject(owner)
    const bodies = {
      get_project: { project_id },
      list_renders: { project_id },
      put_composition: { project_id, composition: composition(title('a')) },
      render: { project_id },
    }
    for (const [action, body] of Object.entries(bodies)) {
      const reply = await other.call(`ns_assembler/${action}`, body)
      if (reply.body.error === 'provider_not_configured') continue
      expect([action, reply.status, reply.body.error]).toEqual([action, 404, 'not_found'])
    }
    expect(await other.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    expect((await get(owner, project_id)).body.data.composition).toBeNull()
  })

  test('beyond the thousandth of an account is refused, also at the same moment', async () => {
    const { database } = shared()
    const account = await shared().account(100)
    await database.query(
      `insert into film_project (id, account_id, name, format)
       select gen_random_uuid(), $1, 'n', '{}' from generate_series(1, 998)`,
      [account.id],
    )
    const calls = Array.from({ length: 6 }, () =>
      account.call('ns_assembler/create_project', { name: 'n' }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 400, 400, 400, 400])
    expect(await account.state()).toMatchObject({ availableCents: 98, heldCents: 0 })
  })

  test('is forgotten 30 days after its last save', async () => {
    const { database } = shared()
    const account = await shared().account(100)
    const [old, young] = [await createProject(account), await createProject(account)]
    const age = `update film_project set saved_at = now() - $2 * interval '1 day' where id = $1`
    await database.query(age, [old, 31])
    await database.query(age, [young, 29])
    await createProjectStore({ database, clock }).forgetOld()
    expect((await get(account, old)).status).toBe(404)
    expect((await get(account, young)).status).toBe(200)
  })
})

test('the id of a project is its caller’s for 30 days after each save', async () => {
  const { database } = shared()
  const account = await shared().account(100)
  const id = await createProject(account)
  await database.query(
    `update vendor_handle set created_at = now() - interval '29 days' where id = $1`,
    [id],
  )
  await put(account, id, composition(title('a')))
  const [handle] = await database.query<{ isYoung: boolean }>(
    `select created_at > now() - interval '1 hour' as "isYoung" from vendor_handle where id = $1`,
    [id],
  )
  expect(handle).toEqual({ isYoung: true })
})

describe('a composition', () => {
  test.each([
    ['bare', composition(title('a'))],
    ['wrapped', { composition: composition(title('a')) }],
  ])('is saved %s', async (_form, body) => {
    const account = await shared().account(100)
    const id = await createProject(account)
    const { body: saved } = await put(account, id, body)
    expect(saved).toMatchObject({
      data: { project_id: id, etag: '1', clips: 1, dropped: [], provider: 'embedded' },
      charged_cents: 1,
    })
    const { data } = (await get(account, id)).body
    expect(data).toMatchObject({ etag: '1', composition: { v: 1, format } })
    expect(data.composition.tracks[0].contents).toMatchObject([{ id: 'a' }])
  })

  test('without a format has that of its project', async () => {
    const account = await shared().account(100)
    const id = await createProject(account, { format })
    const { format: _none, ...bare } = composition(title('a'))
    await put(account, id, bare)
    expect((await get(account, id)).body.data.composition.format).toEqual(format)
  })

  test('loses its invalid clips, and the answer says which and how to fix them', async () => {
    const account = await shared().account(100)
    const id = await createProject(account)
    const media = { kind: 'media', mediaId: '01970000-0000-7000-8000-000000000000' }
    const reframe = { segments: [{ startSec: 0, endSec: 1, zoom: 1.5, focus: 'frame-center' }] }
    const { body } = await put(
      account,
      id,
      composition(
        title('good'),
        title('short', { duration: 0 }),
        title('zoomed', { source: { ...media, reframe } }),
      ),
    )
    expect(body.data).toMatchObject({ clips: 1 })
    expect(body.data.dropped.length).toBeGreaterThanOrEqual(2)
    for (const dropped of body.data.dropped)
      expect(dropped).toMatchObject({ code: expect.any(String), fix: expect.stringMatching(/\.$/) })
    const { data } = (await get(account, id)).body
    expect(data.composition.tracks[0].contents.map((clip: { id: string }) => clip.id)).toEqual([
      'good',
    ])
  })

  test.each<[string, object, object, object]>([
    [
      'tracks',
      { tracks: Array.from({ length: 24 }, (_, place) => track(place)) },
      { tracks: Array.from({ length: 25 }, (_, place) => track(place)) },
      { status: 400, clips: undefined },
    ],
    [
      'clips',
      composition(...Array.from({ length: 120 }, (_, place) => title(`clip-${place}`))),
      composition(...Array.from({ length: 121 }, (_, place) => title(`clip-${place}`))),
      { status: 200, clips: 120 },
    ],
    [
      'seconds',
      composition(title('a', { startTime: 898 })),
      composition(title('a'), title('b', { startTime: 898.5 })),
      { status: 200, clips: 1 },
    ],
  ])('has a limit of %s, and is judged at its edge', async (_what, most, more, expected) => {
    const account = await shared().account(100)
    const id = await createProject(account)
    const full = await put(account, id, { format, v: 1, ...most })
    expect(full.body).toMatchObject({ ok: true, data: { dropped: [] } })
    const { status, body } = await put(account, id, { format, v: 1, ...more })
    expect({ status, clips: body.data?.clips }).toEqual(expected)
  })

  test('above a megabyte, or without a key above 64 kB, is refused before it is read', async () => {
    const account = await shared().account(100)
    const id = await createProject(account)
    const note = 'n'.repeat(1_000_000)
    const { status } = await put(account, id, { ...composition(title('a')), note })
    expect(status).toBe(413)
    const body = { project_id: id, ...composition(title('a')), note: 'n'.repeat(64_000) }
    const stranger = await shared().request('POST', '/api/run/ns_assembler/put_composition', {
      body,
    })
    expect(stranger.status).toBe(413)
    expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
  })

  test('without tracks, or with another version, is refused and replaces nothing', async () => {
    const account = await shared().account(100)
    const id = await createProject(account)
    await put(account, id, composition(title('a')))
    const film = composition(title('b'))
    const without = [{}, { composition: {} }, { ...film, tracks: undefined }]
    const wrong = [
      { ...film, v: 2 },
      { ...film, tracks: {} },
      { ...film, tracks: 'x' },
      { ...film, format: 'x' },
      { ...film, format: null },
    ]
    for (const body of [...without, ...wrong]) {
      const { status, body: answer } = await put(account, id, body)
      expect([status, answer.error]).toEqual([400, 'bad_request'])
      if (wrong.includes(body as (typeof wrong)[number]))
        expect(answer.data.errors).toEqual([
          expect.objectContaining({ fix: expect.stringMatching(/^Set .*\.$/) }),
        ])
    }
    expect(await account.state()).toMatchObject({ availableCents: 98, heldCents: 0 })
    expect((await get(account, id)).body.data.etag).toBe('1')
  })

  test('saved on condition replaces only the version that its author has read', async () => {
    const account = await shared().account(100)
    const id = await createProject(account)
    await put(account, id, composition(title('a')))
    await put(account, id, { ...composition(title('b')), if_match: '1' })
    const { status, body } = await put(account, id, { ...composition(title('c')), if_match: '1' })
    expect([status, body.error, body.data]).toEqual([409, 'stale_etag', { etag: '2' }])
    expect(await account.state()).toMatchObject({ availableCents: 97, heldCents: 0 })
    const { data } = (await get(account, id)).body
    expect(data.composition.tracks[0].contents[0].id).toBe('b')
  })

  test('a hundred saves at once leave a hundred versions, and the last one whole', async () => {
    const account = await shared().account(1_000)
    const id = await createProject(account)
    const saves = Array.from({ length: 100 }, (_, place) =>
      put(account, id, composition(title(`clip-${place}`))),
    )
    const etags = (await Promise.all(saves)).map(({ body }) => Number(body.data.etag))
    expect(etags.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, place) => place + 1),
    )
    const { data } = (await get(account, id)).body
    expect(data.etag).toBe('100')
    expect(data.composition.tracks[0].contents[0].id).toBe(`clip-${etags.indexOf(100)}`)
    expect(await account.state()).toMatchObject({ availableCents: 899, heldCents: 0 })
  })

  test('of a hundred conditional saves at once, one succeeds', async () => {
    const account = await shared().account(1_000)
    const id = await createProject(account)
    await put(account, id, composition(title('a')))
    const saves = Array.from({ length: 100 }, () =>
      put(account, id, { ...composition(title('b')), if_match: '1' }),
    )
    const statuses = (await Promise.all(saves)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toEqual([200])
    expect(statuses.filter((status) => status === 409)).toHaveLength(99)
    expect(await account.state()).toMatchObject({ availableCents: 997, heldCents: 0 })
  })
})

describe('media', () => {
  const add = (accountId: string, rows: number, days = 0) =>
    shared().database.query<{ id: string }>(
      `insert into film_media (id, account_id, file_id, filename, content_type, probe, created_at)
       select gen_random_uuid(), $1, 'f', 'n', 'image/png', '{}', now() - $3 * interval '1 day'
       from generate_series(1, $2) returning id`,
      [accountId, rows, days],
    )

  test('beyond the thousandth of an account is refused', async () => {
    const { id } = await shared().account(0)
    const caller = { kind: 'wallet', accountId: id } as const
    const store = createMediaStore({ database: shared().database, clock })
    const media = { fileId: 'f', filename: 'n', contentType: 'image/png', probe }
    await add(id, 999)
    const noEffect = async () => {}
    await store.add(caller, media, noEffect)
    await expect(store.add(caller, media, noEffect)).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('is forgotten 30 days after its upload', async () => {
    const { id } = await shared().account(0)
    const caller = { kind: 'wallet', accountId: id } as const
    const store = createMediaStore({ database: shared().database, clock })
    const [old] = await add(id, 1, 31)
    const [young] = await add(id, 1, 29)
    await store.forgetOld()
    expect([...(await store.findAll(caller, [old?.id ?? '', young?.id ?? ''])).keys()]).toEqual([
      young?.id,
    ])
  })
})

describe('validation', () => {
  test.each([
    ['bare', composition(title('a'))],
    ['wrapped', { composition: composition(title('a')) }],
  ])('accepts a good composition %s', async (_form, body) => {
    const account = await shared().account(10)
    const { body: answer } = await account.call('ns_assembler/validate', body)
    expect(answer).toMatchObject({
      data: { valid: true, errors: [], provider: 'embedded' },
      charged_cents: 1,
    })
  })

  test.each([
    ['another version', { v: 2 }, 'v'],
    ['no list of tracks', { tracks: {} }, 'tracks'],
    ['a track that is null', { tracks: [null] }, 'tracks[0]'],
    ['a format that is a text', { format: 'wide' }, 'format'],
    ['a wrapper', { composition: { ...composition(title('a')), v: 2 } }, 'v'],
  ])('tells how to fix %s', async (_what, part, path) => {
    const account = await shared().account(10)
    const body = { ...composition(title('a')), ...part }
    const { body: answer } = await account.call('ns_assembler/validate', body)
    expect(answer.data).toMatchObject({
      valid: false,
      errors: [{ path, fix: expect.stringMatching(/^Set .*\.$/) }],
    })
  })

  test('reports every error with its fix, and saves nothing', async () => {
    const account = await shared().account(10)
    const body = composition(title('a', { opacity: 2 }), title('a'), title('c', { glow: 1 }))
    const { body: answer } = await account.call('ns_assembler/validate', body)
    expect(answer.data.valid).toBe(false)
    expect(answer.data.errors.length).toBeGreaterThanOrEqual(2)
    for (const error of answer.data.errors) {
      expect(error).toMatchObject({
        code: expect.any(String),
        stage: expect.any(String),
        category: expect.any(String),
        retryable: expect.any(Boolean),
        message: expect.any(String),
        fix: expect.any(String),
      })
    }
    const projects = await shared().database.query(
      'select 1 from film_project where account_id = $1',
      [account.id],
    )
    expect(projects).toEqual([])
  })
})
