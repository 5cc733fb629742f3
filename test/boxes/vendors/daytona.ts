// Source: the types of @daytona/api-client and @daytona/toolbox-api-client 0.216.0.
import { z } from 'zod'
import type { LocalBox } from '../local-machine.ts'
import type { StubVendor } from '../stub-vendor.ts'
import { fileIn, writeTemporary } from '../uploads.ts'

const error = (status: number, message: string) => ({
  status,
  body: {
    statusCode: status,
    error: 'Error',
    message,
    path: '/',
    timestamp: '2026-09-01T10:00:00Z',
  },
})

const newSandbox = z.strictObject({
  name: z.string().optional(),
  snapshot: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  autoStopInterval: z.int().min(0).optional(),
  ttlMinutes: z.int().min(0).optional(),
})
const command = z.strictObject({
  command: z.string(),
  cwd: z.string().optional(),
  envs: z.record(z.string(), z.string()).optional(),
  timeout: z.int().positive().optional(),
})

const describe = ({ id, name, envs, folder: _folder }: LocalBox, url: string, state: string) => ({
  id,
  name,
  organizationId: 'o',
  user: 'daytona',
  env: envs,
  labels: {},
  public: false,
  networkBlockAll: false,
  target: 'us',
  cpu: 1,
  gpu: 0,
  memory: 1,
  disk: 3,
  state,
  toolboxProxyUrl: `${url}/toolbox`,
  unknownField: { a: 1 },
})

export const daytonaStub: StubVendor = {
  error,
  authorize: ({ headers }) => headers.authorization === 'Bearer test-key',
  routes: [
    [
      'POST',
      /^\/sandbox$/,
      (_request, { machines, read, url }) => {
        const { name = '', env, ttlMinutes } = read(newSandbox)
        if (machines.find(name) !== undefined) return error(409, 'name is taken')
        const box = machines.add(name, env, ttlMinutes && ttlMinutes * 60)
        return { body: describe(box, url, 'creating') }
      },
    ],
    [
      'GET',
      /^\/sandbox\/([^/]+)$/,
      (_request, { machines, url, params: [id = ''] }) => {
        const box = machines.find(id)
        return box === undefined ? error(404, 'not found') : { body: describe(box, url, 'started') }
      },
    ],
    [
      'DELETE',
      /^\/sandbox\/([^/]+)$/,
      (_request, { machines, url, params: [id = ''] }) => {
        const box = machines.find(id)
        if (box === undefined) return error(404, 'not found')
        machines.remove(box)
        return { body: describe(box, url, 'destroying') }
      },
    ],
    [
      'POST',
      /^\/sandbox\/([^/]+)\/ttl\/(\d+)$/,
      (_request, { machines, url, params: [id = '', minutes = ''] }) => {
        const box = machines.find(id)
        if (box === undefined) return error(404, 'not found')
        box.leaseSeconds = Number(minutes) * 60
        return { body: describe(box, url, 'started') }
      },
    ],
    [
      'POST',
      /^\/toolbox\/([^/]+)\/files\/upload-v2$/,
      async (request, { machines, params: [id = ''] }) => {
        if (!machines.boxes.has(id)) return error(404, 'sandbox not found')
        await writeTemporary(request.query.path, await fileIn(request))
        return {}
      },
    ],
    [
      'POST',
      /^\/toolbox\/([^/]+)\/process\/execute$/,
      async (_request, { machines, read, params: [id = ''] }) => {
        const { command: line } = read(command)
        const box = machines.boxes.get(id)
        if (box === undefined) return error(404, 'sandbox not found')
        const { code, stdout, stderr } = await machines.run(box, ['sh', '-c', line])
        if (!machines.boxes.has(id)) return error(404, 'sandbox not found')
        return { body: { exitCode: code, result: String(Buffer.concat([stdout, stderr])) } }
      },
    ],
  ],
}
