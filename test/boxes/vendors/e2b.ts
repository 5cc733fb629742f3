// Source: the OpenAPI file and process.proto of e2b-dev, and the SDK e2b 2.51.0.
import path from 'node:path'
import { z } from 'zod'
import type { LocalBox } from '../local-machine.ts'
import type { StubRequest, StubVendor } from '../stub-vendor.ts'
import { fileIn, writeTemporary } from '../uploads.ts'

export const e2bKey = `e2b_${'0'.repeat(40)}`
const error = (status: number, message: string) => ({ status, body: { code: status, message } })
const isService = ({ path: at }: StubRequest) =>
  at.startsWith('/process.Process/') || at === '/files'

const newSandbox = z.strictObject({
  templateID: z.enum(['base', 'code-interpreter-v1']),
  metadata: z.record(z.string(), z.string()).optional(),
  envVars: z.record(z.string(), z.string()).optional(),
  timeout: z.int().min(1).max(3_600),
})
const started = z.strictObject({
  process: z.strictObject({
    cmd: z.string(),
    args: z.array(z.string()),
    cwd: z.string().optional(),
    envs: z.record(z.string(), z.string()).optional(),
  }),
  stdin: z.boolean().optional(),
})

const describe = ({ id, name, status }: LocalBox) => ({
  sandboxID: id,
  templateID: 'base',
  clientID: 'c',
  envdVersion: '0.5.0',
  cpuCount: 2,
  memoryMB: 512,
  diskSizeMB: 10_240,
  state: status === 'running' ? 'running' : 'paused',
  startedAt: '2026-09-01T10:00:00Z',
  endAt: '2026-09-01T10:30:00Z',
  metadata: { tollway_session: name },
  unknownField: [1],
})

function frame(message: object, flags = 0): Buffer {
  const content = Buffer.from(JSON.stringify(message))
  const head = Buffer.from([flags, 0, 0, 0, 0])
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

const gone = (id: string) => ({
  status: 502,
  body: { sandboxId: id, message: 'The sandbox was not found', code: 502 },
})

export const e2bStub: StubVendor = {
  error,
  authorize: (request) => isService(request) || request.headers['x-api-key'] === e2bKey,
  routes: [
    [
      'POST',
      /^\/v2\/sandboxes$/,
      (_request, { machines, read }) => {
        const { metadata, envVars, timeout } = read(newSandbox)
        const box = machines.add(metadata?.tollway_session ?? '', envVars, timeout)
        const token = { envdAccessToken: `token-${box.id}`, domain: null }
        return { status: 201, body: { ...describe(box), ...token } }
      },
    ],
    [
      'GET',
      /^\/v2\/sandboxes$/,
      ({ query }, { machines }) => {
        const wanted = new URLSearchParams(String(query.metadata ?? ''))
        const name = wanted.get('tollway_session')
        const found = [...machines.boxes.values()].filter((box) => !name || box.name === name)
        return { body: found.map(describe) }
      },
    ],
    [
      'GET',
      /^\/sandboxes\/([^/]+)$/,
      (_request, { machines, params: [id = ''] }) => {
        const box = machines.boxes.get(id)
        return box === undefined ? error(404, 'not found') : { body: describe(box) }
      },
    ],
    [
      'POST',
      /^\/sandboxes\/([^/]+)\/timeout$/,
      (_request, { machines, read, params: [id = ''] }) => {
        const { timeout } = read(z.strictObject({ timeout: z.int().min(0) }))
        const box = machines.boxes.get(id)
        if (box === undefined) return error(404, 'not found')
        box.leaseSeconds = timeout
        return { status: 204 }
      },
    ],
    [
      'DELETE',
      /^\/sandboxes\/([^/]+)$/,
      (_request, { machines, params: [id = ''] }) => {
        const box = machines.boxes.get(id)
        if (box === undefined) return error(404, 'not found')
        machines.remove(box)
        return { status: 204 }
      },
    ],
    [
      'POST',
      /^\/files$/,
      async (request, { machines }) => {
        const { query, headers } = request
        const id = String(headers['e2b-sandbox-id'])
        if (!machines.boxes.has(id)) return gone(id)
        if (headers['x-access-token'] !== `token-${id}`) return { status: 401 }
        if (headers['x-api-key'] !== undefined) throw new Error('The key was sent into the box.')
        const place = String(query.path)
        await writeTemporary(place, await fileIn(request))
        return { body: [{ name: path.basename(place), type: 'file', path: place }] }
      },
    ],
    [
      'POST',
      /^\/process\.Process\/Start$/,
      async ({ headers, bytes }, { machines }) => {
        const id = String(headers['e2b-sandbox-id'])
        const box = machines.boxes.get(id)
        if (box === undefined) return gone(id)
        if (headers['x-access-token'] !== `token-${id}`) return { status: 401 }
        if (headers['x-api-key'] !== undefined) throw new Error('The key was sent into the box.')
        if (headers['content-type'] !== 'application/connect+json') return { status: 415 }
        if (headers['e2b-sandbox-port'] !== '49983') throw new Error('Another port.')
        if (bytes.readUInt32BE(1) !== bytes.length - 5) throw new Error('The frame is not whole.')
        const { process } = started.parse(JSON.parse(bytes.toString('utf8', 5)))
        const { code, stdout } = await machines.run(box, [process.cmd, ...process.args])
        if (!machines.boxes.has(id)) return 'cut'
        const data = (text: Buffer) => ({ event: { data: { stdout: text.toString('base64') } } })
        const middle = Math.floor(stdout.length / 2)
        const messages = [
          frame({ event: { start: { pid: 7 } } }),
          frame({ event: { keepalive: {} } }),
          frame(data(stdout.subarray(0, middle))),
          frame(data(stdout.subarray(middle))),
          frame({
            event: { end: { exitCode: code, exited: true, status: `exit status ${code}` } },
          }),
          frame({}, 2),
        ]
        const type = { 'content-type': 'application/connect+json' }
        return { headers: type, body: Buffer.concat(messages) }
      },
    ],
  ],
}
