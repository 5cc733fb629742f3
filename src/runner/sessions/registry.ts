// All sessions of an owner. Each meter keeps its own: use is charged afterwards, minutes are paid ahead.
import type { Owner } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { SessionMeter, SessionPage, SessionSummary } from '#core/session.ts'
import { priceOfUse } from './metering.ts'
import type { SessionRow } from './session-rows.ts'
import type { Sessions } from './sessions.ts'

export interface SessionRegistry {
  /** The newest first. More than the page takes, if there are more. */
  list(owner: Owner, page: SessionPage): Promise<SessionSummary[]>
  /** Throws `not_found`. */
  find(owner: Owner, id: string): Promise<SessionSummary>
  /** Throws `not_found`. Repeating it changes nothing. */
  close(owner: Owner, id: string): Promise<SessionSummary>
  /** Throws `not_found`, and `bad_request` for a session that runs no commands. */
  requireCommands(owner: Owner, id: string): Promise<void>
}

export function createSessionRegistry(meters: readonly SessionMeter[]): SessionRegistry {
  /** What the meter that has the session answers. */
  async function ofOne<Value>(
    ask: (meter: SessionMeter) => Promise<Value | undefined>,
  ): Promise<Value> {
    for (const meter of meters) {
      const answer = await ask(meter)
      if (answer !== undefined) return answer
    }
    throw fail('not_found', { message: 'There is no such session.' })
  }

  return {
    async list(owner, page) {
      const lists = await Promise.all(meters.map((meter) => meter.list(owner, page)))
      return lists.flat().sort(newestFirst)
    },
    find: (owner, id) => ofOne((meter) => meter.find(owner, id)),
    close: (owner, id) => ofOne((meter) => meter.close(owner, id)),
    async requireCommands(owner, id) {
      const { noCommands } = await ofOne(async (meter) => (await meter.find(owner, id)) && meter)
      if (noCommands !== undefined) throw fail('bad_request', { message: noCommands })
    },
  }
}

const newestFirst = (one: SessionSummary, other: SessionSummary) =>
  one.cursor < other.cursor ? 1 : -1

/** The sessions that are charged by their use. */
export function createUseMeter(sessions: Pick<Sessions, 'list' | 'find' | 'close'>): SessionMeter {
  const find: SessionMeter['find'] = async (owner, id) => {
    const session = isUuid(id) ? await sessions.find(owner, id) : undefined
    return session && summarize(session)
  }
  return {
    list: async (owner, page) => (await sessions.list(owner, page)).map(summarize),
    find,
    close: async (owner, id) =>
      (await find(owner, id)) && summarize(await sessions.close(owner, id)),
  }
}

/** The cost of an open session is what its use has cost so far; it is charged when the session is settled. */
export function summarize(session: SessionRow): SessionSummary {
  const { id, state, tariff, used, settled, held } = session
  const isOver = state === 'closing' || state === 'closed'
  return {
    ...session,
    cursor: id,
    status: isOver ? 'closed' : state,
    cost: isOver ? settled : priceOfUse(tariff, used),
    charged: settled,
    held: held ?? 0,
  }
}
