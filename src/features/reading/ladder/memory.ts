// What was learnt of each host: the renderers are tried in the order of their luck with it, and a rung that never gets
// through is left out. Kept in the database, so that it survives a restart and all gateways share it.
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Rung } from './rungs.ts'

export interface RememberedRung {
  readonly rung: string
  /** Faded counts: a page of a week ago counts half. */
  readonly reads: number
  readonly misses: number
  readonly blockedAt: Date | null
}

export interface RememberedHost {
  readonly host: string
  readonly rungs: readonly RememberedRung[]
}

export interface Plan {
  readonly rungs: readonly Rung[]
  /** Known not to get through to this host. */
  readonly hopeless: ReadonlySet<Rung>
}

export interface Memory {
  /** The rungs in the order to try them on this host. */
  plan(host: string, rungs: readonly Rung[]): Promise<Plan>
  /** Whether a rung brought a page of the host, or a wall or an empty shell. */
  learn(host: string, rung: Rung, outcome: 'read' | 'blocked' | 'thin'): void
  /** The hosts that were learnt of last, for the operator. */
  recent(): Promise<readonly RememberedHost[]>
  /** Drops what has faded to next to nothing: callers may name any number of hosts. */
  forgetOld(): Promise<void>
}

const rendererPosition = 2
/** With so many tries, and so few of them reads, a rung is hopeless. */
const triesMin = 6
const readShareMax = 0.05
/** One time in twenty a hopeless rung is tried all the same: sites change. */
const explorationShare = 0.05
/** A renderer that met a wall within a day goes second. */
const blockedMs = 24 * 3_600_000
/** How much a rung's record counts against what is expected of any. */
const priorShare = 0.7
const priorWeight = 4
const hostsShown = 100
/** Ten times the half-life. */
const lifetimeDays = 70

export function createMemory(options: {
  readonly database: Database
  readonly log: Log
  /** Between 0 and 1; for tests. */
  readonly random?: () => number
}): Memory {
  const { database, log, random = Math.random } = options

  async function recall(host: string): Promise<ReadonlyMap<string, RememberedRung>> {
    const rows = await database.query<RememberedRung>(
      `select rung, faded(reads, updated_at) as reads, faded(misses, updated_at) as misses, blocked_at as "blockedAt"
       from rung_memory where host = $1`,
      [host],
    )
    return new Map(rows.map((row) => [row.rung, row]))
  }

  return {
    async plan(host, rungs) {
      // Without its memory the ladder is as good as new.
      const known = await recall(host).catch((error) => {
        log.warn({ err: error }, 'The ladder could not remember a host.')
        return new Map<string, RememberedRung>()
      })
      const luck = (rung: Rung) => expectedShare(known.get(nameOf(rung)))
      const ordered = rungs.toSorted((one, other) =>
        one.position === rendererPosition && other.position === rendererPosition
          ? luck(other) - luck(one)
          : one.position - other.position,
      )
      const hopeless = rungs.filter(
        (rung) => isHopeless(known.get(nameOf(rung))) && random() >= explorationShare,
      )
      return { rungs: ordered, hopeless: new Set(hopeless) }
    },
    learn(host, rung, outcome) {
      const read = outcome === 'read' ? 1 : 0
      database
        .query(
          `insert into rung_memory as known (host, rung, reads, misses, blocked_at)
           values ($1, $2, $3, $4, case when $5 then now() end)
           on conflict (host, rung) do update set
             reads = faded(known.reads, known.updated_at) + excluded.reads,
             misses = faded(known.misses, known.updated_at) + excluded.misses,
             blocked_at = coalesce(excluded.blocked_at, known.blocked_at), updated_at = now()`,
          [host, nameOf(rung), read, 1 - read, outcome === 'blocked'],
        )
        .catch((error) => log.warn({ err: error }, 'The ladder could not learn of a host.'))
    },
    recent: () =>
      database.query(
        `with latest as (
           select host, max(updated_at) as at from rung_memory group by host order by at desc limit $1
         )
         select host, json_agg(json_build_object('rung', rung, 'reads', round(faded(reads, updated_at)::numeric, 2),
           'misses', round(faded(misses, updated_at)::numeric, 2), 'blockedAt', blocked_at) order by rung) as rungs
         from latest join rung_memory using (host) group by host, at order by at desc`,
        [hostsShown],
      ),
    async forgetOld() {
      await database.query(
        `delete from rung_memory where updated_at < now() - $1 * interval '1 day'`,
        [lifetimeDays],
      )
    },
  }
}

/** One vendor may stand on several rungs. */
function nameOf({ position, provider, action }: Rung): string {
  return `${position} ${provider}/${action}`
}

function expectedShare(known: RememberedRung | undefined): number {
  if (known === undefined) return priorShare
  const { reads, misses, blockedAt } = known
  const share = (reads + priorWeight * priorShare) / (reads + misses + priorWeight)
  const wasBlocked = blockedAt !== null && Date.now() - blockedAt.getTime() < blockedMs
  return wasBlocked ? share - 1 : share
}

function isHopeless(known: RememberedRung | undefined): boolean {
  if (known === undefined) return false
  const tries = known.reads + known.misses
  return tries >= triesMin && known.reads / tries <= readShareMax
}
