// Provider replies that did not fit an action's output schema, kept for the operator: for some days, a few per action,
// cut at a limit, without the provider's key.
import { uuidv7 } from '#core/id.ts'
import type { Clock, HttpRequest, Log, ProviderHttp, ServiceHttp } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

/** One stored exchange. `body` is JSON text, or the text of a page. */
export interface KeptReply {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: string
  /** `body` is only the beginning of the reply. */
  readonly cut: boolean
}

export interface MisfitSummary {
  readonly id: string
  readonly action: string
  readonly callId: string | null
  readonly misfits: string
  readonly createdAt: Date
}

export interface Misfits {
  /** Stores the replies in the background. A failure is logged and has no other effect. */
  keep(misfit: {
    readonly action: string
    readonly callId: string | undefined
    readonly problems: readonly string[]
    readonly replies: readonly SeenReply[]
    readonly redact: ServiceHttp['redact']
  }): void
  /** Newest first. */
  list(): Promise<MisfitSummary[]>
  get(id: string): Promise<(MisfitSummary & { replies: KeptReply[] }) | undefined>
  forgetOld(): Promise<void>
}

export interface SeenReply {
  readonly request: HttpRequest
  readonly status: number
  readonly body: unknown
}

const lifetimeDays = 7
const bodyCharactersMax = 64_000
const problemsCharactersMax = 4_000
const listedMax = 200
/** A provider that changes its format does so in every call, so a few calls show it. */
const keptPerActionAndHourMax = 10
const hourMs = 3_600_000
/** Only the latest replies are remembered, so that a long job does not fill the memory. */
const repliesSeenMax = 4

const columns = `id, action, call_id as "callId", misfits, created_at as "createdAt"`

export function createMisfits({
  database,
  clock,
  log,
}: {
  database: Database
  clock: Clock
  log: Log
}): Misfits {
  let hour = 0
  const keptInHour = new Map<string, number>()

  function isOneTooMany(action: string): boolean {
    const now = Math.floor(clock.now() / hourMs)
    if (now !== hour) keptInHour.clear()
    hour = now
    const kept = keptInHour.get(action) ?? 0
    keptInHour.set(action, kept + 1)
    return kept >= keptPerActionAndHourMax
  }

  return {
    keep({ action, callId, problems, replies, redact }) {
      if (replies.length === 0 || isOneTooMany(action)) return
      const text = problems.join('\n').slice(0, problemsCharactersMax)
      const kept = replies.map((reply) => toKept(reply, redact))
      log.warn(
        { action, callId, problems: text },
        'A provider’s reply did not fit the output schema.',
      )
      database
        .query(
          'insert into misfit_reply (id, action, call_id, misfits, replies) values ($1, $2, $3, $4, $5)',
          [uuidv7(clock.now()), action, callId ?? null, storable(text), JSON.stringify(kept)],
        )
        .catch((error) => log.warn({ err: error }, 'A provider’s reply could not be stored.'))
    },
    list: () =>
      database.query(`select ${columns} from misfit_reply order by created_at desc limit $1`, [
        listedMax,
      ]),
    async get(id) {
      const [row] = await database.query<MisfitSummary & { replies: KeptReply[] }>(
        `select ${columns}, replies from misfit_reply where id = $1`,
        [id],
      )
      return row
    },
    async forgetOld() {
      await database.query(
        `delete from misfit_reply where created_at < now() - $1 * interval '1 day'`,
        [lifetimeDays],
      )
    },
  }
}

/** The client, which adds its replies to `replies` and keeps the latest. */
export function remember(http: ProviderHttp, replies: SeenReply[]): ProviderHttp {
  const send: ProviderHttp['send'] = async (request) => {
    const reply = await http.send(request)
    if (replies.length === repliesSeenMax) replies.shift()
    replies.push({ request, status: reply.status, body: reply.body })
    return reply
  }
  return {
    ...http,
    send,
    get: async (path, rest) => (await send({ ...rest, method: 'GET', path })).body,
    post: async (path, body, rest) => (await send({ ...rest, method: 'POST', path, body })).body,
    sign: http.sign,
  }
}

function toKept({ request, status, body }: SeenReply, redact: ServiceHttp['redact']): KeptReply {
  const { method, path } = request
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return {
    method,
    path: storable(redact(path)),
    status,
    // Cut before redacting, which searches the whole text.
    body: storable(redact(text.slice(0, bodyCharactersMax))),
    cut: text.length > bodyCharactersMax,
  }
}

/** PostgreSQL stores neither a zero nor half a character. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '')
