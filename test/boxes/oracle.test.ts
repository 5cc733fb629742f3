// The vendors' own clients and our requests are the same, byte by byte where it matters.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import {
  Configuration,
  FileSystemApi,
  ProcessApi,
  SandboxApi,
  ToolboxConfiguration,
} from '#oracles/daytona.ts'
import { Sandbox as E2bSandbox } from '#oracles/e2b.ts'
import { Runloop } from '#oracles/runloop.ts'
import { SpritesClient } from '#oracles/sprites.ts'
import { Sandbox as VercelSandbox } from '#oracles/vercel.ts'
import type { StubRequest } from './stub-vendor.ts'
import { readForm, readTar } from './uploads.ts'
import { e2bKey } from './vendors/e2b.ts'
import { openVendor, vendors } from './vendors/vendors.ts'

interface Wanted {
  readonly url: string
  readonly name: string
  readonly envs: Record<string, string>
  /** The script that our adapter sends. */
  readonly script: string
}

/** What the vendors' clients do for what our adapter does: make a box, run a script, extend it, remove it. */
const clients: Readonly<Record<string, (wanted: Wanted) => Promise<unknown>>> = {
  async E2B({ url, name, envs, script }) {
    const options = { apiKey: e2bKey, apiUrl: url, sandboxUrl: url }
    const metadata = { tollway_session: name }
    const create = { ...options, metadata, envs, timeoutMs: 1_800_000 }
    const box = await E2bSandbox.create('base', create)
    await box.getInfo()
    await box.commands.run(script, { timeoutMs: 14_000 })
    await box.setTimeout(1_800_000)
    await E2bSandbox.list({ ...options, query: { metadata } }).nextItems()
    await box.kill()
  },
  async Daytona({ url, name, envs, script }) {
    const baseOptions = { headers: { Authorization: 'Bearer test-key' } }
    const api = new SandboxApi(new Configuration({ basePath: url, baseOptions }))
    const { data } = await api.createSandbox({
      name,
      env: envs,
      labels: { 'code-toolbox-language': 'python' },
      autoStopInterval: 0,
      ttlMinutes: 30,
    })
    await api.getSandbox(data.id)
    const basePath = `${data.toolboxProxyUrl}/${data.id}`
    const toolbox = new ProcessApi(new ToolboxConfiguration({ basePath, baseOptions }))
    await toolbox.executeCommand({ command: script, timeout: 10 })
    await api.setTtl(data.id, 30)
    await api.deleteSandbox(name)
  },
  async 'Vercel Sandbox'({ url, name, envs, script }) {
    const box = await VercelSandbox.create({
      token: 'vercel-token',
      teamId: 'team_1',
      projectId: 'prj_1',
      name,
      env: envs,
      timeout: 1_800_000,
      persistent: false,
      fetch: (input, init) => fetch(String(input).replace('https://vercel.com/api', url), init),
    })
    await box.runCommand({ cmd: 'sh', args: ['-c', script] })
    await box.extendTimeout(900_000)
    await box.stop()
    await box.delete()
  },
  async Runloop({ url, name, envs, script }) {
    const client = new Runloop({ bearerToken: 'test-key', baseURL: url, http2: false })
    const { id } = await client.devboxes.create({
      name,
      metadata: { tollway_session: name },
      environment_variables: envs,
      launch_parameters: {
        resource_size_request: 'MEDIUM',
        lifecycle: { after_idle: { idle_time_seconds: 1_800, on_idle: 'suspend' } },
      },
    })
    await client.devboxes.awaitRunning(id)
    await client.devboxes.executeAndAwaitCompletion(id, { command: script })
    await client.devboxes.keepAlive(id)
    await client.devboxes.suspend(id)
    await client.devboxes.awaitSuspended(id)
    await client.devboxes.shutdown(id)
  },
  async 'Fly Sprites'({ url, name, script }) {
    const client = new SpritesClient('test-key', { baseURL: url })
    const sprite = await client.createSprite(name)
    // The client depends on how the network cuts the answer; only its request is compared.
    await sprite.execFileHTTP('sh', [], { input: script }).catch(() => {})
    await client.getSprite(name)
    await client.deleteSprite(name)
  },
}

/** Headers that a vendor reads. */
const read = [
  ...['authorization', 'x-api-key', 'x-access-token', 'content-type', 'connect-protocol-version'],
  ...['connect-timeout-ms', 'keepalive-ping-interval', 'e2b-sandbox-id', 'e2b-sandbox-port'],
]

/** A request without what is made anew each time: ids of boxes and of commands. */
function plain({ method, path, query, headers, bytes }: StubRequest) {
  const same = (text: string) =>
    text
      .replaceAll(/box-\d+-\d+/g, 'box')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid')
  const kept = read.flatMap((name) => {
    // A request without a body has no content type that matters.
    if (name === 'content-type' && bytes.length === 0) return []
    return headers[name] === undefined ? [] : [[name, same(String(headers[name]))]]
  })
  return { method, path: same(path), query, headers: kept, body: same(bodyOf(bytes)) }
}

/** JSON with its fields in order, or the bytes as they are. */
function bodyOf(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  if (!text.startsWith('{')) return text
  const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => one.localeCompare(other))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
  return JSON.stringify(sorted(JSON.parse(text)))
}

/** The script in a request of ours. */
function scriptIn(requests: readonly StubRequest[]): string {
  for (const { path, bytes } of requests) {
    const text = bytes.toString('utf8')
    if (path.endsWith('/exec')) return text
    if (!text.includes('mktemp')) continue
    const body = JSON.parse(text.startsWith('{') ? text : text.slice(5))
    return body.command === 'sh' ? body.args[1] : (body.command ?? body.process.args[2])
  }
  throw new Error('There is no script.')
}

test.each(vendors)('$name is asked as its own client asks', async (vendor) => {
  let now = Date.now()
  const clock = { now: () => now, sleep: async () => {} }
  const world = await openVendor(vendor, clock)
  onTestFinished(() => world.close())
  const context = world.context(uuidv7(Date.now()))
  const envs = { TEA: 'green' }
  const box = await world.kind.open({ ...context, input: { envs } })
  await box.run({ command: 'echo hi', timeoutMs: 5_000 }, context.signal)
  now += 900_000
  await box.alive()
  if (vendor.name === 'Runloop') await box.suspend?.()
  if (vendor.name === 'E2B') await world.kind.discard(context, undefined)
  else await box.close()
  // Looking whether the box still runs is a request of ours alone.
  const seen = world.stub.take()
  const extension = seen.findIndex(({ path }) => /timeout$|ttl|keep_alive/.test(path))
  const ours = seen.filter(
    ({ method }, place) => extension < 0 || place !== extension + 1 || method !== 'GET',
  )
  const script = scriptIn(ours)
  const name = `tollway-${context.sessionId}`
  await clients[vendor.name]?.({ url: world.stub.url, name, envs, script })
  const theirs = world.stub.take().map(plain)
  expect(ours.map(plain)).toEqual(theirs)
  expect(world.stub.strays).toEqual([])
})

/** What the vendors' clients do for an upload of ours. `place`: where ours arrived. */
const uploads: Readonly<
  Record<string, (at: { url: string; place: string; bytes: Buffer }) => Promise<unknown>>
> = {
  async E2B({ url, place, bytes }) {
    const options = { apiKey: e2bKey, apiUrl: url, sandboxUrl: url, timeoutMs: 60_000 }
    const box = await E2bSandbox.create('base', options)
    await box.files.write(place, new Uint8Array(bytes).buffer)
  },
  async Daytona({ url, place, bytes }) {
    const baseOptions = { headers: { Authorization: 'Bearer test-key' } }
    const { data } = await new SandboxApi(
      new Configuration({ basePath: url, baseOptions }),
    ).createSandbox({ name: 'theirs' })
    const basePath = `${data.toolboxProxyUrl}/${data.id}`
    const files = new FileSystemApi(new ToolboxConfiguration({ basePath, baseOptions }))
    await files.uploadFile(place, new File([new Uint8Array(bytes)], path.basename(place)))
  },
  async 'Vercel Sandbox'({ url, place, bytes }) {
    const box = await VercelSandbox.create({
      token: 'vercel-token',
      teamId: 'team_1',
      projectId: 'prj_1',
      timeout: 1_800_000,
      fetch: (input, init) => fetch(String(input).replace('https://vercel.com/api', url), init),
    })
    await box.writeFiles([{ path: place, content: bytes }])
  },
  async Runloop({ url, place, bytes }) {
    const client = new Runloop({ bearerToken: 'test-key', baseURL: url, http2: false })
    const { id } = await client.devboxes.create({
      launch_parameters: {
        lifecycle: { after_idle: { idle_time_seconds: 1_800, on_idle: 'suspend' } },
      },
    })
    const file = new File([new Uint8Array(bytes)], place)
    await client.devboxes.uploadFile(id, { path: place, file })
  },
}

/** An upload without what is chosen anew each time: boundaries and compression. */
async function plainUpload(request: StubRequest) {
  const { headers, body: _, ...rest } = plain({ ...request, bytes: Buffer.alloc(0) })
  const type = String(request.headers['content-type'])
  const cwd = request.headers['x-cwd']
  return type.startsWith('multipart/form-data;')
    ? { ...rest, headers, form: [...(await readForm(request))] }
    : { ...rest, headers, type, cwd, tar: readTar(request) }
}

test.each(vendors.filter(({ name }) => name in uploads))(
  '$name receives a file as from its own client',
  async (vendor) => {
    const world = await openVendor(vendor)
    onTestFinished(() => world.close())
    const context = world.context(uuidv7(Date.now()))
    const box = await world.kind.open({ ...context, input: {} })
    const bytes = Buffer.alloc(100_001, 'tea')
    async function* content() {
      yield bytes
    }
    await box.files?.write('in.bin', content(), context.signal)
    const isUpload = ({ path: at }: StubRequest) =>
      /\/(?:files|upload-v2|upload_file|write)$/.test(at)
    const [ours, ...more] = world.stub.take().filter(isUpload)
    if (ours === undefined) throw new Error('There was no upload.')
    expect(more).toEqual([])

    const place = /(?:\/tmp\/)?\.tollway-[0-9a-f-]{36}/.exec(await placeIn(ours))?.[0] ?? ''
    onTestFinished(() => rm(path.resolve('/tmp', place), { force: true }))
    await uploads[vendor.name]?.({ url: world.stub.url, place, bytes })
    const [theirs] = world.stub.take().filter(isUpload)
    if (theirs === undefined) throw new Error('There was no upload.')
    expect(await plainUpload(ours)).toEqual(await plainUpload(theirs))
    expect(world.stub.strays).toEqual([])
  },
)

async function placeIn(request: StubRequest): Promise<string> {
  if (request.query.path !== undefined) return String(request.query.path)
  return request.headers['content-type'] === 'application/gzip'
    ? `/${readTar(request).name}`
    : String((await readForm(request)).get('path'))
}
