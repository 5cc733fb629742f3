// Films at the vendor: a stand-in of its API keeps state as its documentation says, and fetches media from the gateway.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { type CallAction, filmOf, storeFile } from '#test/film-studio.ts'
import { type Gateway, startGateway, verify } from '#test/harness.ts'

const key = 'cf_test_1'
const film = Buffer.from('\0\0\0\x18ftypmp42 a film')
const photo = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])

interface VendorRender {
  id: string
  polls: number
}

/** CueFrame's REST API, from its reference. `next` changes how renders end. */
async function startVendor() {
  const media = new Map<string, { bytes: Buffer; contentType: string; name: string }>()
  const projects = new Map<
    string,
    { name: string; composition: unknown; renders: VendorRender[] }
  >()
  const seen: string[] = []
  const next: { fails?: string | null; polls: number; refuses?: number } = { polls: 1 }
  let url = ''

  async function answer(request: IncomingMessage): Promise<[status: number, body: unknown]> {
    const path = new URL(request.url ?? '', url).pathname
    const at = `${request.method} ${path}`
    seen.push(at)
    if (request.headers.authorization !== `Bearer ${key}`) return [401, problem('unauthorized')]
    if (next.refuses !== undefined) return [next.refuses, problem('refused')]
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = text === '' ? undefined : JSON.parse(text)
    const [, root, id = '', part, renderId = ''] = path.split('/')
    if (at === 'POST /media/import') return await importMedia(body)
    if (root === 'media' && request.method === 'GET') return findMedia(id)
    if (at === 'POST /composition/validate') return [200, { valid: true, errors: [] }]
    if (at === 'POST /projects') {
      const created = `prj-${projects.size + 1}`
      projects.set(created, { name: body.name, composition: { v: 1, tracks: [] }, renders: [] })
      return [201, { id: created, ...body }]
    }
    const project = projects.get(id)
    if (root !== 'projects' || project === undefined) return [404, problem('not_found')]
    if (part === undefined) return [200, { id, name: project.name }]
    if (part === 'composition' && request.method === 'GET') return [200, project.composition]
    if (part === 'composition') {
      project.composition = body
      return [200, undefined]
    }
    if (request.method === 'POST') {
      const render = { id: `ren-${seen.length}`, polls: 0 }
      project.renders.push(render)
      return [202, { id: render.id, status: 'queued' }]
    }
    const render = project.renders.find((each) => each.id === renderId)
    return render === undefined ? [404, problem('not_found')] : [200, stateOf(render)]
  }

  async function importMedia(body: { url: string; filename: string; contentType: string }) {
    const reply = await fetch(body.url)
    const id = `med-${media.size + 1}`
    const bytes = Buffer.from(await reply.arrayBuffer())
    media.set(id, { bytes, contentType: body.contentType, name: body.filename })
    return [202, { id, status: 'importing' }] satisfies [number, unknown]
  }

  function findMedia(id: string): [number, unknown] {
    const found = media.get(id)
    if (found === undefined) return [404, problem('not_found')]
    return [
      200,
      { id, status: 'complete', name: found.name, mimeType: found.contentType, width: 4 },
    ]
  }

  function stateOf(render: VendorRender) {
    render.polls += 1
    if (render.polls <= next.polls) return { id: render.id, status: 'rendering', progress: 50 }
    if (next.fails !== undefined)
      return { id: render.id, status: 'error', error: 'Odd.', category: next.fails }
    const outputUrl = `${url}/outputs/${render.id}.mp4`
    return { id: render.id, status: 'complete', outputUrl, outputDurationSec: 2 }
  }

  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/outputs/')) return void response.end(film)
    const [status, body] = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${portOf(server)}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url, media, projects, seen, next, close }
}

const problem = (code: string) => ({ error: { code, message: 'No.', details: {} } })

let vendor: Awaited<ReturnType<typeof startVendor>>
let gateway: Gateway
const endings: (() => Promise<void>)[] = []

beforeAll(async () => {
  vendor = await startVendor()
  const env = {
    CUEFRAME_API_KEY: key,
    NS_ASSEMBLER_BASE_URL: vendor.url,
    EGRESS_ALLOW: '127.0.0.1',
  }
  gateway = await startGateway({ env }, (work) => endings.unshift(work))
})
afterAll(async () => {
  for (const end of endings) await end()
  await vendor.close()
})
beforeEach(() => {
  Object.assign(vendor.next, { fails: undefined, polls: 1, refuses: undefined })
})

async function open() {
  const account = await gateway.account(1_000)
  const call: CallAction = (action, body) => account.call(action, body)
  return { account, call }
}

async function importPhoto(call: CallAction): Promise<string> {
  const file_id = await storeFile(call, 'photo.png', photo)
  const { body } = await call('ns_assembler/upload', { file_id, filename: 'Harbour.png' })
  expect(body).toMatchObject({ data: { status: 'processing' }, charged_cents: 1 })
  return body.data.media_id
}

async function saveProject(call: CallAction, mediaId: string) {
  const created = await call('ns_assembler/create_project', { name: 'Harbour' })
  const project_id: string = created.body.data.id
  const composition = filmOf({ kind: 'image', mediaId, seconds: 2 })
  const { body } = await call('ns_assembler/put_composition', { project_id, composition })
  expect(body).toMatchObject({ ok: true, data: { project_id } })
  return project_id
}

async function render(call: CallAction, project_id: string, intent = 'final') {
  const { body } = await call('ns_assembler/render', { project_id, intent })
  const { job_id } = body.data
  const poll = async () => (await call('tollway/result', { job_id, wait_seconds: 20 })).body.data
  await expect.poll(async () => (await poll()).status).not.toBe('running')
  return await poll()
}

describe('with the vendor’s key', () => {
  test('media, projects and renders are the vendor’s, and the film becomes a file', async () => {
    const { account, call } = await open()
    const mediaId = await importPhoto(call)
    expect(vendor.media.get(mediaId)).toEqual({
      bytes: photo,
      contentType: 'image/png',
      name: 'Harbour.png',
    })
    const status = await call('ns_assembler/media_status', { media_id: mediaId })
    expect(status.body).toMatchObject({ data: { status: 'ready', width: 4 }, charged_cents: 0 })
    const project_id = await saveProject(call, mediaId)
    const project = await call('ns_assembler/get_project', { project_id })
    expect(project.body.data).toMatchObject({ name: 'Harbour', composition: { v: 1 } })
    expect(project.body.data).not.toHaveProperty('provider')
    const { result, charged_cents } = await render(call, project_id)
    expect(charged_cents).toBe(100)
    expect(result).toMatchObject({ status: 'complete', duration_sec: 2 })
    const stored = await fetch(result.output_url)
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(film)
    const { body } = await call('files/get', { file_id: result.file_id })
    expect(body.data).toMatchObject({ filename: 'film-final.mp4', mime: 'video/mp4' })
    const listed = await call('ns_assembler/list_renders', { project_id })
    expect(listed.body.data.renders).toMatchObject([{ status: 'complete', project_id }])
    // Upload of file and media, project, composition, render.
    expect(await account.state()).toMatchObject({ availableCents: 1_000 - 104, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('what another account has at the vendor is not found', async () => {
    const [{ call: mine }, { call: theirs, account }] = [await open(), await open()]
    const mediaId = await importPhoto(mine)
    const project_id = await saveProject(mine, mediaId)
    const before = vendor.seen.length
    for (const [action, body] of [
      ['get_project', { project_id }],
      ['list_renders', { project_id }],
      ['render', { project_id }],
      ['put_composition', { project_id, ...filmOf() }],
      ['media_status', { media_id: mediaId }],
      ['validate', filmOf({ kind: 'image', mediaId, seconds: 1 })],
    ] as const) {
      const { status, body: answer } = await theirs(`ns_assembler/${action}`, body)
      expect([action, status, answer.error]).toEqual([action, 404, 'not_found'])
    }
    expect(vendor.seen.length).toBe(before)
    expect(await account.state()).toMatchObject({ availableCents: 1_000, heldCents: 0 })
  })

  test.each([
    ['authoring', 'bad_request'],
    ['transient', 'upstream_error'],
  ])('a render that fails by %s is free, and not sent again', async (category, error) => {
    const { account, call } = await open()
    const project_id = await saveProject(call, await importPhoto(call))
    vendor.next.fails = category
    const before = await account.state()
    expect(await render(call, project_id)).toMatchObject({
      status: 'failed',
      error,
      charged_cents: 0,
    })
    expect(vendor.projects.get(project_id)?.renders).toHaveLength(1)
    expect(await account.state()).toMatchObject({ availableCents: before.availableCents })
  })

  test('a render waits for the vendor without being sent again', async () => {
    const { call } = await open()
    const project_id = await saveProject(call, await importPhoto(call))
    vendor.next.polls = 3
    expect(await render(call, project_id, 'preview')).toMatchObject({
      status: 'succeeded',
      charged_cents: 25,
    })
    expect(vendor.projects.get(project_id)?.renders).toHaveLength(1)
    expect(vendor.seen).toContain(`POST /projects/${project_id}/preview-clip`)
  })

  test('a film that does not fit the caller’s quota is still delivered by the vendor’s link', async () => {
    const { account, call } = await open()
    const project_id = await saveProject(call, await importPhoto(call))
    await gateway.database.query('update file_quota set bytes_max = bytes where account_id = $1', [
      account.id,
    ])
    const { result } = await render(call, project_id)
    expect(result).not.toHaveProperty('file_id')
    expect(result.output_url).toContain(`${vendor.url}/outputs/`)
  })

  test.each([
    [401, 500, 'upstream_error'],
    [402, 500, 'upstream_error'],
    [429, 429, 'rate_limited'],
    [422, 400, 'bad_request'],
    [500, 500, 'upstream_error'],
  ])('the vendor’s %i costs nothing', async (theirs, status, error) => {
    const { account, call } = await open()
    vendor.next.refuses = theirs
    const reply = await call('ns_assembler/create_project', { name: 'n' })
    expect([reply.status, reply.body.error]).toEqual([status, error])
    expect(await account.state()).toMatchObject({ availableCents: 1_000, heldCents: 0 })
  })
})
