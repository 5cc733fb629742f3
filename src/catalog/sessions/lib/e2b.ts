// E2B. Boxes are made by its REST API. Programs are started by the service inside each box, which speaks Connect: a
// stream of JSON messages, each after five bytes that hold flags and a length. Source: the OpenAPI file and
// process.proto of e2b-dev, and the vendor's SDK, e2b 2.51.0.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'
import type { FailureReader, Upstream } from '#core/provider.ts'
import { unreadable } from '../../lib/boxes/in-box-script.ts'
import { formOf } from '../../lib/boxes/upload-bodies.ts'
import {
  type BoxInput,
  type BoxRun,
  type BoxVendor,
  createBoxKind,
  leaseMs,
  nameOf,
  perProcessor,
  readReply,
  untilForgotten,
  waitFor,
} from '../../lib/boxes/vendor-box.ts'

/** The label of a box that holds its name. */
const label = 'tollway_session'
/** The port of the service inside each box. */
const servicePort = 49_983
const endOfStream = 2
/** The service reports that it is alive this often, in seconds. */
const pingSeconds = 50
const leaseSeconds = leaseMs / 1_000

/**
 * The gateway before the boxes answers 502 for a box that has ended. That must not look like an outage of the vendor.
 */
const failure: FailureReader = ({ status, body }) =>
  status === 502 && z.looseObject({ sandboxId: z.string() }).safeParse(body).success
    ? 404
    : undefined

export const e2bUpstream = {
  baseUrl: 'https://{host}.e2b.app',
  hosts: ['api', 'sandbox'],
  credential: {
    aliases: ['E2B_API_KEY'],
    attach: (key) => ({ headers: { 'x-api-key': key } }),
  },
  failure,
  connectionsMax: 256,
} satisfies Upstream

const api = { host: { host: 'api' } }
const boxSchema = z.object({ id: z.string(), token: z.string().optional(), vcpus: z.number() })
type E2bBox = z.output<typeof boxSchema>

const created = z.looseObject({ sandboxID: z.string(), envdAccessToken: z.string().nullish() })
const described = z.looseObject({ state: z.string().optional(), cpuCount: z.number().positive() })
const listed = z.array(z.looseObject({ sandboxID: z.string() }))

const at = (id: string) => path`/sandboxes/${id}`

const e2b: BoxVendor<BoxInput, E2bBox> = {
  box: boxSchema,
  async create({ http, sessionId, input }) {
    const { template = 'base', envs } = input
    const metadata = { [label]: nameOf(sessionId) }
    const body = { templateID: template, metadata, envVars: envs, timeout: leaseSeconds }
    const made = readReply(created, await http.post('/v2/sandboxes', body, api))
    const { cpuCount } = readReply(described, await http.get(at(made.sandboxID), api))
    const token = made.envdAccessToken ?? undefined
    return { id: made.sandboxID, ...(token !== undefined && { token }), vcpus: cpuCount }
  },
  async execute(http, box, run) {
    const reply = await http.send({
      method: 'POST',
      path: '/process.Process/Start',
      host: { host: 'sandbox' },
      as: 'bytes',
      timeoutMs: waitFor(run),
      signal: run.signal,
      // The program in the box may be the caller's, so it does not see the operator's key.
      anonymous: true,
      headers: headersOf(box, run),
      bytes: frame({
        process: { cmd: '/bin/bash', args: ['-l', '-c', run.script] },
        stdin: false,
      }),
    })
    return readStdout(reply.body)
  },
  upload: {
    folder: '/tmp',
    async put(http, box, { name, bytes }, limit) {
      const place = `/tmp/${name}`
      const form = await formOf({ name: place, bytes })
      await http.send({
        method: 'POST',
        path: '/files',
        host: { host: 'sandbox' },
        query: { path: place },
        ...limit,
        anonymous: true,
        as: 'text',
        headers: { ...whereOf(box), ...form.headers },
        bytes: form.bytes,
      })
    },
  },
  async status(http, { id }) {
    const { status, body } = await http.send({
      method: 'GET',
      path: at(id),
      ...api,
      accept: [404],
    })
    if (status === 404) return 'gone'
    return readReply(described, body).state === 'paused' ? 'suspended' : 'running'
  },
  async extend(http, { id }) {
    await http.post(`${at(id)}/timeout`, { timeout: leaseSeconds }, api)
  },
  async remove(http, name, box) {
    const ids = box === undefined ? await findByName(http, name) : [box.id]
    for (const id of ids) await http.send({ method: 'DELETE', path: at(id), ...api, accept: [404] })
  },
}

async function findByName(http: ProviderHttp, name: string): Promise<string[]> {
  const query = { metadata: new URLSearchParams({ [label]: name }).toString() }
  const boxes = readReply(listed, await http.get('/v2/sandboxes', { query, ...api }))
  return boxes.map(({ sandboxID }) => sandboxID)
}

/** The box behind the vendor's shared address. */
const whereOf = ({ id, token }: E2bBox) => ({
  'e2b-sandbox-id': id,
  'e2b-sandbox-port': String(servicePort),
  ...(token !== undefined && { 'x-access-token': token }),
})

const headersOf = (box: E2bBox, run: BoxRun) => ({
  ...whereOf(box),
  'content-type': 'application/connect+json',
  'connect-protocol-version': '1',
  'connect-timeout-ms': String(waitFor(run)),
  'keepalive-ping-interval': String(pingSeconds),
})

function frame(message: object): Buffer {
  const content = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(5)
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

/**
 * The messages of a Connect stream. Throws `upstream_error` when it is cut off, and what the stream says of its own
 * failure.
 */
function* messagesOf(stream: Buffer): Generator<unknown> {
  let start = 0
  while (stream.length - start >= 5) {
    const flags = stream.readUInt8(start)
    const end = start + 5 + stream.readUInt32BE(start + 1)
    if (end > stream.length) throw unreadable(new Error('A message is cut off.'))
    const message = JSON.parse(stream.toString('utf8', start + 5, end))
    if ((flags & endOfStream) !== 0) return throwFailure(message)
    yield message
    start = end
  }
  throw unreadable(new Error('The stream has no end.'))
}

const trailer = z.looseObject({ error: z.looseObject({ code: z.string() }).optional() })

function throwFailure(message: unknown): void {
  const { error } = readReply(trailer, message)
  if (error === undefined) return
  if (error.code === 'not_found' || error.code === 'unavailable') throw fail('not_found')
  throw unreadable(new Error(`The box reported ${error.code}.`))
}

const event = z.looseObject({
  event: z.looseObject({ data: z.looseObject({ stdout: z.string().optional() }).optional() }),
})

function readStdout(stream: Buffer): string {
  const parts: Buffer[] = []
  for (const message of messagesOf(stream)) {
    const { stdout = '' } = readReply(event, message).event.data ?? {}
    parts.push(Buffer.from(stdout, 'base64'))
  }
  return Buffer.concat(parts).toString('latin1')
}

export const e2bSessions = createBoxKind(e2b, { policy: untilForgotten, perSecond: perProcessor })
