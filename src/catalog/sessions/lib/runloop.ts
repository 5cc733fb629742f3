// Runloop. A devbox can be suspended: its disk is kept, its programs end.
// Source: the vendor's SDK, @runloop/api-client 1.32.0.
import { z } from '#core/action.ts'
import { uuidv7 } from '#core/id.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'
import type { Upstream } from '#core/provider.ts'
import type { SessionContext } from '#core/session.ts'
import { didNotStart } from '../../lib/boxes/in-box-script.ts'
import { formOf } from '../../lib/boxes/upload-bodies.ts'
import {
  type BoxInput,
  type BoxVendor,
  createBoxKind,
  leaseMs,
  nameOf,
  perProcessor,
  readReply,
  templateOf,
  waitFor,
} from '../../lib/boxes/vendor-box.ts'

/** The key of a devbox's metadata that holds its name. */
const label = 'tollway_session'
/** The longest that the vendor lets one request wait for a change. It answers 408 then. */
const pollSeconds = 25
const devboxesPerPageMax = 100
const pagesMax = 50
const vcpus = 2
const suspendAfterMs = 900_000

export const runloopUpstream = {
  baseUrl: 'https://api.runloop.ai',
  credential: {
    aliases: ['RUNLOOP_API_KEY'],
    attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  },
  timeoutMs: 40_000,
  connectionsMax: 256,
} satisfies Upstream

const boxSchema = z.object({ id: z.string(), vcpus: z.number() })
type RunloopBox = z.output<typeof boxSchema>

const devbox = z.looseObject({
  id: z.string(),
  status: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
const page = z.looseObject({ devboxes: z.array(devbox), has_more: z.boolean().nullish() })
const execution = z.looseObject({
  execution_id: z.string(),
  status: z.string(),
  stdout: z.string().nullish(),
})

const at = (id: string) => path`/v1/devboxes/${id}`

const runloop: BoxVendor<BoxInput, RunloopBox> = {
  box: boxSchema,
  async create(context) {
    const { http, sessionId, input } = context
    const name = nameOf(sessionId)
    const reply = await http.post('/v1/devboxes', {
      name,
      metadata: { [label]: name },
      environment_variables: input.envs,
      blueprint_name: templateOf(input),
      launch_parameters: {
        resource_size_request: 'MEDIUM',
        // Without its gateway a devbox is suspended, so that its files wait for the gateway's return.
        lifecycle: { after_idle: { idle_time_seconds: leaseMs / 1_000, on_idle: 'suspend' } },
      },
    })
    const { id, status } = readReply(devbox, reply)
    if (status !== 'running') await reach(context, id, 'running')
    return { id, vcpus }
  },
  async execute(http, { id }, run) {
    const { timeoutMs, signal } = run
    const limit = { timeoutMs: waitFor(run), signal }
    const body = { command: run.script, command_id: uuidv7(Date.now()) }
    let state = readReply(execution, await http.post(`${at(id)}/execute`, body, limit))
    const executionAt = `${at(id)}${path`/executions/${state.execution_id}`}`
    const pollsMax = Math.ceil(timeoutMs / 1_000 / pollSeconds) + 1
    for (let polls = 0; polls < pollsMax && state.status !== 'completed'; polls += 1) {
      const request = { statuses: ['completed'] }
      const reply = await http.send({
        method: 'POST',
        path: `${executionAt}/wait_for_status`,
        body: request,
        signal,
        accept: [408],
      })
      if (reply.status !== 408) state = readReply(execution, reply.body)
    }
    return state.stdout ?? ''
  },
  upload: {
    // The vendor's paths are relative to it.
    folder: '"$HOME"',
    async put(http, { id }, file, limit) {
      const request = { method: 'POST', path: `${at(id)}/upload_file`, as: 'text' } as const
      await http.send({ ...request, ...limit, ...(await formOf(file, { path: file.name })) })
    },
  },
  async status(http, { id }) {
    const { status, body } = await http.send({ method: 'GET', path: at(id), accept: [404] })
    if (status === 404) return 'gone'
    const { status: state } = readReply(devbox, body)
    if (state === 'suspended' || state === 'suspending') return 'suspended'
    return state === 'shutdown' || state === 'failure' ? 'gone' : 'running'
  },
  async extend(http, { id }) {
    await http.send({ method: 'POST', path: `${at(id)}/keep_alive` })
  },
  async suspend(context, { id }) {
    await context.http.send({ method: 'POST', path: `${at(id)}/suspend` })
    await reach(context, id, 'suspended')
  },
  async resume(context, { id }) {
    await reach(context, id, 'suspended')
    await context.http.send({ method: 'POST', path: `${at(id)}/resume` })
    await reach(context, id, 'running')
  },
  async remove(http, name, box) {
    const ids = box === undefined ? await findByName(http, name) : [box.id]
    for (const id of ids)
      await http.send({ method: 'POST', path: `${at(id)}/shutdown`, accept: [404] })
  },
}

/** Waits until a devbox has a state. Throws when it ends first. */
async function reach(
  { http, signal }: Pick<SessionContext, 'http' | 'signal'>,
  id: string,
  state: 'running' | 'suspended',
): Promise<void> {
  const statuses = [state, 'failure', 'shutdown']
  for (;;) {
    signal.throwIfAborted()
    const reply = await http.send({
      method: 'POST',
      path: `${at(id)}/wait_for_status`,
      body: { statuses },
      signal,
      accept: [408],
    })
    if (reply.status === 408) continue
    const { status } = readReply(devbox, reply.body)
    if (status === state) return
    if (statuses.includes(status)) throw didNotStart(status)
  }
}

/** The vendor finds devboxes by their status only. */
async function findByName(http: ProviderHttp, name: string): Promise<string[]> {
  const found: string[] = []
  let last: string | undefined
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const query = { limit: devboxesPerPageMax, starting_after: last, include_total_count: false }
    const { devboxes, has_more } = readReply(page, await http.get('/v1/devboxes', { query }))
    const open = devboxes.filter(({ status }) => status !== 'shutdown')
    found.push(...open.filter(({ metadata }) => metadata?.[label] === name).map(({ id }) => id))
    last = devboxes.at(-1)?.id
    if (!has_more || last === undefined) break
  }
  return found
}

export const runloopSessions = createBoxKind(runloop, {
  policy: { idle: { afterMs: suspendAfterMs, outcome: 'suspend' } },
  perSecond: perProcessor,
})
