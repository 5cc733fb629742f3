// Vercel Sandbox. A sandbox has a name; while it runs it has a session, in which programs are started.
// Source: the vendor's SDK, @vercel/sandbox 3.5.0.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { FailureReader, Upstream } from '#core/provider.ts'
import { didNotStart, unreadable } from '../../lib/boxes/in-box-script.ts'
import { tarOf } from '../../lib/boxes/upload-bodies.ts'
import {
  type BoxInput,
  type BoxVendor,
  createBoxKind,
  hourMs,
  leaseMs,
  nameOf,
  perProcessor,
  readReply,
  templateOf,
  untilForgotten,
  waitFor,
} from '../../lib/boxes/vendor-box.ts'

const runningStates = ['pending', 'running']
/** Requests about a sandbox by its name. Those about its session need no project. */
const byName = /^\/v2\/sandboxes\/(?!sessions\/)/

/** 410: the session has ended. */
const failure: FailureReader = ({ status }) => (status === 410 ? 404 : undefined)

export const vercelUpstream = {
  baseUrl: 'https://vercel.com/api',
  credential: {
    form: 'TOKEN:TEAM_ID:PROJECT_ID',
    attach(key, request) {
      const [token, teamId = '', projectId = ''] = key.split(':')
      const isCreation = request.method === 'POST' && /^\/v[23]\/sandboxes$/.test(request.path)
      return {
        headers: { authorization: `Bearer ${token}` },
        query: { teamId, ...(byName.test(request.path) && { projectId }) },
        ...(isCreation && { body: { projectId } }),
      }
    },
  },
  failure,
  connectionsMax: 256,
} satisfies Upstream

const boxSchema = z.object({ id: z.string(), vcpus: z.number() })
type VercelBox = z.output<typeof boxSchema>

const described = z.looseObject({
  session: z.looseObject({ id: z.string(), status: z.string(), vcpus: z.number().positive() }),
})
const line = z.looseObject({
  stream: z.string().optional(),
  data: z.unknown().optional(),
  command: z.looseObject({ exitCode: z.number().nullish() }).optional(),
})

const sessionAt = (id: string) => path`/v2/sandboxes/sessions/${id}`
const sandboxAt = (name: string) => path`/v2/sandboxes/${name}`

const vercel: BoxVendor<BoxInput, VercelBox> = {
  box: boxSchema,
  async create({ http, sessionId, input }) {
    const { envs } = input
    const runtime = templateOf(input)
    const reply = await http.post(runtime === undefined ? '/v3/sandboxes' : '/v2/sandboxes', {
      name: nameOf(sessionId),
      runtime,
      env: envs,
      timeout: leaseMs,
      persistent: false,
      ports: [],
    })
    const { session } = readReply(described, reply)
    if (!runningStates.includes(session.status)) throw didNotStart(session.status)
    return { id: session.id, vcpus: session.vcpus }
  },
  async execute(http, { id }, run) {
    const { body } = await http.send({
      method: 'POST',
      path: `${sessionAt(id)}/cmd`,
      as: 'text',
      timeoutMs: waitFor(run),
      signal: run.signal,
      body: {
        command: 'sh',
        args: ['-c', run.script],
        env: {},
        sudo: false,
        wait: true,
        logs: true,
      },
    })
    return readStdout(body)
  },
  upload: {
    folder: '/tmp',
    async put(http, { id }, { name, bytes }, limit) {
      const tar = await tarOf({ name: `tmp/${name}`, bytes })
      await http.send({
        method: 'POST',
        path: `${sessionAt(id)}/fs/write`,
        as: 'text',
        ...limit,
        // Paths in the tar file are relative to this folder.
        headers: { ...tar.headers, 'x-cwd': '/' },
        bytes: tar.bytes,
      })
    },
  },
  async status(http, { id }) {
    const request = { method: 'GET', path: sessionAt(id), accept: [404] } as const
    const { status, body } = await http.send(request)
    if (status === 404 || status === 410) return 'gone'
    return runningStates.includes(readReply(described, body).session.status) ? 'running' : 'gone'
  },
  /** Adds to the time that is left. */
  async extend(http, { id }, sinceMs) {
    await http.post(`${sessionAt(id)}/extend-timeout`, { duration: sinceMs })
  },
  async remove(http, name, box) {
    let id = box?.id
    if (id === undefined) {
      const request = { method: 'GET', path: sandboxAt(name), accept: [404] } as const
      const { status, body } = await http.send(request)
      if (status === 404) return
      id = readReply(described, body).session.id
    }
    await http.send({ method: 'POST', path: `${sessionAt(id)}/stop`, accept: [404, 409] })
    await http.send({ method: 'DELETE', path: sandboxAt(name), accept: [404] })
  },
}

/** Reads a log of JSON lines up to the one that says that the command has ended. */
function readStdout(log: string): string {
  let stdout = ''
  for (const text of log.split('\n')) {
    if (text.trim() === '') continue
    const { stream, data, command } = readReply(line, parse(text))
    if (stream === 'stdout') stdout += String(data)
    // The session ended under the command.
    if (stream === 'error') throw fail('not_found')
    if (typeof command?.exitCode === 'number') return stdout
  }
  throw unreadable(new Error('The log has no end.'))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(error)
  }
}

export const vercelSessions = createBoxKind(vercel, {
  policy: { ...untilForgotten, lifetimeMsMax: 5 * hourMs },
  perSecond: perProcessor,
})
