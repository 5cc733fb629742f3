// Source: the validators of the SDK @vercel/sandbox 3.5.0.
import { z } from 'zod'
import type { LocalBox } from '../local-machine.ts'
import type { StubRequest, StubVendor } from '../stub-vendor.ts'
import { readTar, writeTemporary } from '../uploads.ts'

export const vercelKey = 'vercel-token:team_1:prj_1'
const error = (status: number, message: string) => ({
  status,
  body: { error: { code: 'error', message } },
})

const newSandbox = z.strictObject({
  projectId: z.literal('prj_1'),
  name: z.string().optional(),
  runtime: z.enum(['node24', 'node22', 'python3.13']).optional(),
  env: z.record(z.string(), z.string()).optional(),
  timeout: z.int().min(1_000).max(18_000_000),
  persistent: z.boolean().optional(),
  ports: z.array(z.int()).max(15).optional(),
})
const command = z.strictObject({
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()),
  sudo: z.boolean(),
  wait: z.literal(true),
  logs: z.literal(true),
  timeout: z.int().optional(),
})

const describe = ({ id, name }: LocalBox) => ({
  sandbox: {
    name,
    persistent: false,
    createdAt: 1,
    updatedAt: 1,
    currentSessionId: id,
    status: 'running',
    timeout: 1_800_000,
  },
  session: describeSession(id, 'running'),
  routes: [],
})

const describeSession = (id: string, status: string) => ({
  id,
  memory: 4_096,
  vcpus: 2,
  region: 'iad1',
  timeout: 1_800_000,
  status,
  requestedAt: 1,
  createdAt: 1,
  updatedAt: 1,
  cwd: '/vercel/sandbox',
  unknownField: null,
})

const isOurProject = ({ query }: StubRequest) => query.projectId === 'prj_1'

export const vercelStub: StubVendor = {
  error,
  authorize: ({ headers, query }) =>
    headers.authorization === 'Bearer vercel-token' && query.teamId === 'team_1',
  routes: [
    [
      'POST',
      /^\/v([23])\/sandboxes$/,
      (_request, { machines, read, params: [version] }) => {
        const { name = '', env, timeout, runtime } = read(newSandbox)
        if ((runtime === undefined) !== (version === '3')) return error(400, 'another version')
        if (machines.find(name) !== undefined) return error(409, 'name is taken')
        return { body: describe(machines.add(name, env, timeout / 1_000)) }
      },
    ],
    [
      'GET',
      /^\/v2\/sandboxes\/sessions\/([^/]+)$/,
      (_request, { machines, params: [id = ''] }) => {
        const box = machines.boxes.get(id)
        const session = describeSession(id, box === undefined ? 'stopped' : 'running')
        return { body: { session, routes: [] } }
      },
    ],
    [
      'GET',
      /^\/v2\/sandboxes\/([^/]+)$/,
      (request, { machines, params: [name = ''] }) => {
        const box = machines.find(name)
        if (!isOurProject(request)) return error(400, 'projectId is required')
        return box === undefined ? error(404, 'not found') : { body: describe(box) }
      },
    ],
    [
      'DELETE',
      /^\/v2\/sandboxes\/([^/]+)$/,
      (request, { machines, params: [name = ''] }) => {
        const box = machines.find(name)
        if (!isOurProject(request)) return error(400, 'projectId is required')
        if (box === undefined) return error(404, 'not found')
        machines.remove(box)
        return { body: { sandbox: describe(box).sandbox } }
      },
    ],
    [
      'POST',
      /^\/v2\/sandboxes\/sessions\/([^/]+)\/stop$/,
      (_request, { machines, params: [id = ''] }) => {
        const box = machines.boxes.get(id)
        if (box === undefined) return error(404, 'not found')
        machines.suspend(box)
        return { body: { session: describeSession(id, 'stopping') } }
      },
    ],
    [
      'POST',
      /^\/v2\/sandboxes\/sessions\/([^/]+)\/extend-timeout$/,
      (_request, { machines, read, params: [id = ''] }) => {
        const { duration } = read(z.strictObject({ duration: z.int().min(1_000) }))
        const box = machines.boxes.get(id)
        if (box === undefined) return error(410, 'sandbox_stopped')
        box.leaseSeconds = (box.leaseSeconds ?? 0) + duration / 1_000
        return { body: { session: describeSession(id, 'running') } }
      },
    ],
    [
      'POST',
      /^\/v2\/sandboxes\/sessions\/([^/]+)\/fs\/write$/,
      async (request, { machines, params: [id = ''] }) => {
        if (!machines.boxes.has(id)) return error(410, 'sandbox_stopped')
        const { name, content } = readTar(request)
        if (request.headers['x-cwd'] !== '/') return error(400, 'x-cwd')
        await writeTemporary(`/${name}`, content)
        return { body: {} }
      },
    ],
    [
      'POST',
      /^\/v2\/sandboxes\/sessions\/([^/]+)\/cmd$/,
      async (_request, { machines, read, params: [id = ''] }) => {
        const wanted = read(command)
        const box = machines.boxes.get(id)
        if (box === undefined) return error(410, 'sandbox_stopped')
        const { code, stdout } = await machines.run(box, [wanted.command, ...wanted.args])
        const described = {
          id: 'cmd_1',
          name: wanted.command,
          args: wanted.args,
          cwd: '/',
          sessionId: id,
          startedAt: 1,
        }
        const text = String(stdout)
        const middle = Math.floor(text.length / 2)
        const last = machines.boxes.has(id)
          ? { command: { ...described, exitCode: code, durationMs: 5 } }
          : { stream: 'error', data: { code: 'sandbox_stopped', message: 'The sandbox stopped' } }
        const lines = [
          { command: { ...described, exitCode: null } },
          { stream: 'stdout', data: text.slice(0, middle) },
          { stream: 'stderr', data: '' },
          { stream: 'stdout', data: text.slice(middle) },
          last,
        ]
        return {
          headers: { 'content-type': 'application/x-ndjson' },
          body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        }
      },
    ],
  ],
}
