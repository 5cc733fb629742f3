// Daytona. Boxes are made by its REST API; programs are started by the toolbox of each box, which has an address of its
// own. Source: the types of the vendor's clients, @daytona/api-client and @daytona/toolbox-api-client 0.216.0.
import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import type { Upstream } from '#core/provider.ts'
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
  unknownTemplate,
  untilForgotten,
  waitFor,
} from '../../lib/boxes/vendor-box.ts'
import { interpreterFor } from './interpreters.ts'

const leaseMinutes = leaseMs / 60_000
/** While a box starts, it is looked at this often. */
const startIntervalMs = 500
/** The vendor ends a script this much later than it should end itself. */
const marginSeconds = 5
const startingStates = [
  ...['creating', 'restoring', 'starting', 'unknown', 'pending_build'],
  ...['building_snapshot', 'pulling_snapshot', 'resuming'],
]
const languages = ['python', 'javascript', 'typescript']
const runningStates = ['started', 'resizing', 'snapshotting', 'forking']

export const daytonaUpstream = {
  baseUrl: 'https://app.daytona.io/api',
  hosts: ['*.daytona.io', '*.daytona.work'],
  credential: {
    aliases: ['DAYTONA_API_KEY'],
    attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  },
  connectionsMax: 256,
} satisfies Upstream

const boxSchema = z.object({
  id: z.string(),
  toolbox: z.string(),
  vcpus: z.number(),
  language: z.string(),
})
type DaytonaBox = z.output<typeof boxSchema>

const described = z.looseObject({
  id: z.string(),
  state: z.string().optional(),
  cpu: z.number().positive(),
  toolboxProxyUrl: z.string(),
})
const executed = z.looseObject({ result: z.string() })

const at = (idOrName: string) => path`/sandbox/${idOrName}`

const daytona: BoxVendor<BoxInput, DaytonaBox> = {
  box: boxSchema,
  async create({ http, sessionId, clock, signal, input }) {
    const { template: language = 'python', envs } = input
    if (!languages.includes(language)) throw unknownTemplate(languages)
    const name = nameOf(sessionId)
    const labels = { 'code-toolbox-language': language }
    const body = { name, env: envs, labels, autoStopInterval: 0, ttlMinutes: leaseMinutes }
    let box = readReply(described, await http.post('/sandbox', body))
    while (startingStates.includes(box.state ?? 'unknown')) {
      await clock.sleep(startIntervalMs, signal)
      box = readReply(described, await http.get(at(box.id)))
    }
    if (!runningStates.includes(box.state ?? '')) throw didNotStart(box.state)
    return { id: box.id, toolbox: box.toolboxProxyUrl, vcpus: box.cpu, language }
  },
  async execute(http, { id, toolbox }, run) {
    const reply = await http.post(
      path`/${id}/process/execute`,
      {
        command: `sh -c '${run.script.replaceAll("'", `'\\''`)}'`,
        timeout: Math.ceil(run.timeoutMs / 1_000) + marginSeconds,
      },
      { at: toolbox, timeoutMs: waitFor(run), signal: run.signal },
    )
    return readReply(executed, reply).result
  },
  upload: {
    folder: '/tmp',
    async put(http, { id, toolbox }, file, limit) {
      const request = { method: 'POST', path: path`/${id}/files/upload-v2`, at: toolbox } as const
      const query = { path: `/tmp/${file.name}` }
      await http.send({ ...request, query, ...limit, as: 'text', ...(await formOf(file)) })
    },
  },
  async status(http, { id }) {
    const { status, body } = await http.send({ method: 'GET', path: at(id), accept: [404] })
    if (status === 404) return 'gone'
    const { state = '' } = readReply(described, body)
    return runningStates.includes(state) || startingStates.includes(state) ? 'running' : 'gone'
  },
  async extend(http, { id }) {
    await http.send({ method: 'POST', path: `${at(id)}${path`/ttl/${leaseMinutes}`}` })
  },
  async remove(http, name) {
    await http.send({ method: 'DELETE', path: at(name), accept: [404] })
  },
}

export const daytonaSessions = createBoxKind(daytona, {
  policy: untilForgotten,
  perSecond: perProcessor,
  codeLanguage: ({ language }) => (language === 'python' ? 'python' : 'javascript'),
  interpret: (command, { language }) =>
    interpreterFor(command, { typescript: language === 'typescript' }),
})
