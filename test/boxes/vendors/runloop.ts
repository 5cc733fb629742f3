// Source: the types of the SDK @runloop/api-client 1.32.0.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Ended, LocalBox } from '../local-machine.ts'
import type { StubVendor } from '../stub-vendor.ts'
import { fileIn, readForm } from '../uploads.ts'

const error = (status: number, message: string) => ({ status, body: { message } })
const states = z.array(z.enum(['running', 'suspended', 'failure', 'shutdown']))
const newDevbox = z.strictObject({
  name: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  environment_variables: z.record(z.string(), z.string()).optional(),
  blueprint_name: z.string().optional(),
  launch_parameters: z.strictObject({
    resource_size_request: z.enum(['X_SMALL', 'SMALL', 'MEDIUM', 'LARGE']).optional(),
    lifecycle: z.strictObject({
      after_idle: z.strictObject({
        idle_time_seconds: z.int().min(1),
        on_idle: z.enum(['shutdown', 'suspend']),
      }),
    }),
  }),
})
const execution = z.strictObject({ command: z.string(), command_id: z.uuid() })

const describe = (box: LocalBox, status: string = box.status) => ({
  id: box.id,
  name: box.name,
  status,
  create_time_ms: 1,
  end_time_ms: null,
  capabilities: [],
  launch_parameters: {},
  metadata: { tollway_session: box.name },
  state_transitions: [],
  unknown_field: 1,
})

/** Each vendor has executions of its own, by their id. */
const executions = new Map<string, Promise<Ended>>()

export const runloopStub: StubVendor = {
  error,
  authorize: ({ headers }) => headers.authorization === 'Bearer test-key',
  routes: [
    [
      'POST',
      /^\/v1\/devboxes$/,
      (_request, { machines, read }) => {
        const {
          name = '',
          environment_variables: envs,
          launch_parameters: launch,
        } = read(newDevbox)
        const box = machines.add(name, envs, launch.lifecycle.after_idle.idle_time_seconds)
        return { body: describe(box, 'provisioning') }
      },
    ],
    [
      'GET',
      /^\/v1\/devboxes$/,
      ({ query }, { machines }) => {
        // A page of one, so that pages are turned.
        const all = [...machines.boxes.values()]
        const after = all.findIndex(({ id }) => id === query.starting_after)
        const devboxes = all.slice(after + 1, after + 2).map((box) => describe(box))
        return { body: { devboxes, has_more: after + 2 < all.length } }
      },
    ],
    [
      'GET',
      /^\/v1\/devboxes\/([^/]+)$/,
      (_request, { machines, params: [id = ''] }) => {
        const box = machines.boxes.get(id)
        return box === undefined ? error(404, 'not found') : { body: describe(box) }
      },
    ],
    [
      'POST',
      /^\/v1\/devboxes\/([^/]+)\/(shutdown|suspend|resume|keep_alive)$/,
      (_request, { machines, params: [id = '', verb] }) => {
        const box = machines.boxes.get(id)
        if (box === undefined) return error(404, 'not found')
        if (verb === 'shutdown') machines.remove(box)
        if (verb === 'suspend') machines.suspend(box)
        if (verb === 'resume') box.status = 'running'
        if (verb === 'keep_alive') box.leaseSeconds = 1_800
        return { body: verb === 'keep_alive' ? {} : describe(box, `${verb}ing`) }
      },
    ],
    [
      'POST',
      /^\/v1\/devboxes\/([^/]+)\/wait_for_status$/,
      (_request, { machines, read, params: [id = ''] }) => {
        const { statuses } = read(z.strictObject({ statuses: states }))
        const box = machines.boxes.get(id)
        if (box === undefined) return error(404, 'not found')
        return statuses.includes(box.status) ? { body: describe(box) } : error(408, 'not yet')
      },
    ],
    [
      'POST',
      /^\/v1\/devboxes\/([^/]+)\/upload_file$/,
      async (request, { machines, params: [id = ''] }) => {
        const box = machines.boxes.get(id)
        if (box?.status !== 'running') return error(404, 'not found')
        const place = String((await readForm(request)).get('path'))
        if (!/^\.tollway-[0-9a-f-]{36}$/.test(place)) return error(400, 'not in the home folder')
        await writeFile(path.join(box.folder, place), await fileIn(request))
        return { body: {} }
      },
    ],
    [
      'POST',
      /^\/v1\/devboxes\/([^/]+)\/execute$/,
      (_request, { machines, read, params: [id = ''] }) => {
        const { command, command_id: executionId } = read(execution)
        const box = machines.boxes.get(id)
        if (box?.status !== 'running') return error(404, 'not found')
        executions.set(executionId, machines.run(box, ['bash', '-c', command]))
        return { body: { devbox_id: id, execution_id: executionId, status: 'running' } }
      },
    ],
    [
      'POST',
      /^\/v1\/devboxes\/([^/]+)\/executions\/([^/]+)\/wait_for_status$/,
      async (_request, { machines, read, params: [id = '', executionId = ''] }) => {
        read(z.strictObject({ statuses: z.array(z.literal('completed')) }))
        const ended = await executions.get(executionId)
        if (ended === undefined || !machines.boxes.has(id)) return error(404, 'not found')
        executions.delete(executionId)
        const { code, stdout, stderr } = ended
        return {
          body: {
            devbox_id: id,
            execution_id: executionId,
            status: 'completed',
            exit_status: code,
            stdout: String(stdout),
            stderr: String(stderr),
          },
        }
      },
    ],
  ],
}
