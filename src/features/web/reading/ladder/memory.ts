// What was learnt of each host: the renderers are tried in the order of their success with it, and a rung that is
// always blocked is left out. It is kept in the database, so it survives a restart and all gateways share it. An
// account's own pages count fully for itself; for the others, all that one account saw of a rung counts as one page at
// most.
import { createHash } from 'node:crypto'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Rung } from './rungs.ts'

export interface RememberedRung {
  readonly rung: string
  /** Faded counts: a page of a week ago counts half. */
  readonly reads: number
  readonly blocks: number
  readonly blockedAt: Date | null
}

export interface RememberedHost {
  readonly host: string
  readonly rungs: readonly RememberedRung[]
}

export interface Plan {
  readonly rungs: readonly Rung[]
  /** Known to be always blocked by this host. */
  readonly hopeless: ReadonlySet<Rung>
}

/** An account's view of a host. */
export interface Visit {
  readonly host: string
  readonly accountId: string
}

export interface Memory {
  /** The rungs in the order to try them on this host. */
  plan(visit: Visit, rungs: readonly Rung[]): Promise<Plan>
  /** Whether a rung brought a page of the host, or a wall. */
  learn(visit: Visit, rung: Rung, outcome: 'read' | 'blocked'): void
  /** The hosts that were learnt of last, over all accounts, for the operator. */
  recent(): Promise<readonly RememberedHost[]>
  /** Drops what has faded to next to nothing: callers may name any number of hosts. */
  forgetOld(): Promise<void>
}

const rendererPosition = 2
/** With so many pages, and so few of them read, a rung is hopeless. */
const pagesMin = 6
const readShareMax = 0.05
/** One time in twenty a hopeless rung is tried all the same: sites change. */
const explorationShare = 0.05
/** A renderer that met a wall within a day goes second. */
const blockedMs = 24 * 3_600_000
/** How much a rung's record counts against what is expected of any. */
const priorShare = 0.7
const priorWeight = 4
/** The most recent rows of other accounts that a plan looks at. */
const othersMax = 200
const hostsShown = 100
/** Ten times the half-life. */
const lifetimeDays = 70

export function createMemory(dependencies: {
  readonly database: Database
  readonly log: Log
  /** Between 0 and 1; for tests. */
  readonly random?: () => number
}): Memory {
  const { database, log, random = Math.random } = dependencies

  return {
    async plan(visit, rungs) {
      // Without its memory the ladder still works.
      const known = await recall(database, visit).catch((error) => {
        log.warn({ err: error }, 'The ladder could not remember a host.')
        return new Map<string, RememberedRung>()
      })
      const shareOf = (rung: Rung) => expectedShare(known.get(nameOf(rung)))
      const ordered = rungs.toSorted((one, other) =>
        one.position === rendererPosition && other.position === rendererPosition
          ? shareOf(other) - shareOf(one)
          : one.position - other.position,
      )
      const hopeless = rungs.filter(
        (rung) => isHopeless(known.get(nameOf(rung))) && random() >= explorationShare,
      )
      return { rungs: ordered, hopeless: new Set(hopeless) }
    },
    learn(visit, rung, outcome) {
      const read = outcome === 'read' ? 1 : 0
      database
        .query(
          `insert into rung_memory as known (host, party, rung, reads, blocks, blocked_at)
           values ($1, $2, $3, $4, $5, case when $6 then now() end)
           on conflict (host, party, rung) do update set
             reads = faded(known.reads, known.updated_at) + excluded.reads,
             blocks = faded(known.blocks, known.updated_at) + excluded.blocks,
             blocked_at = coalesce(excluded.blocked_at, known.blocked_at), updated_at = now()`,
          [visit.host, partyOf(visit), nameOf(rung), read, 1 - read, read === 0],
        )
        .catch((error) => log.warn({ err: error }, 'The ladder could not learn of a host.'))
    },
    recent: () =>
      database.query(
        `with latest as (
           select host, max(updated_at) as at from rung_memory group by host order by at desc limit $1
         ), seen as (
           select host, rung, round(sum(faded(reads, updated_at))::numeric, 2) as reads,
             round(sum(faded(blocks, updated_at))::numeric, 2) as blocks, max(blocked_at) as blocked_at
           from latest join rung_memory using (host) group by host, rung
         )
         select host, json_agg(json_build_object('rung', rung, 'reads', reads, 'blocks', blocks, 'blockedAt', blocked_at)
           order by rung) as rungs
         from latest join seen using (host) group by host, at order by at desc`,
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

/** The account's own counts, and those of other accounts scaled down to one page for each of them. */
async function recall(
  database: Database,
  visit: Visit,
): Promise<ReadonlyMap<string, RememberedRung>> {
  const rows = await database.query<RememberedRung>(
    `with own as (
       select rung, faded(reads, updated_at) as reads, faded(blocks, updated_at) as blocks, blocked_at
       from rung_memory where host = $1 and party = $2
     ), latest as (
       select rung, faded(reads, updated_at) as reads, faded(blocks, updated_at) as blocks, blocked_at
       from rung_memory where host = $1 and party <> $2 order by updated_at desc limit $3
     ), known as (
       select * from own
       union all
       select rung, reads / greatest(1, reads + blocks), blocks / greatest(1, reads + blocks), blocked_at from latest
     )
     select rung, sum(reads) as reads, sum(blocks) as blocks, max(blocked_at) as "blockedAt" from known group by rung`,
    [visit.host, partyOf(visit), othersMax],
  )
  return new Map(rows.map((row) => [row.rung, row]))
}

/** One vendor may stand on several rungs. */
function nameOf({ position, provider, action }: Rung): string {
  return `${position} ${provider}/${action}`
}

/** One account at one host, without telling which account. */
function partyOf({ host, accountId }: Visit): string {
  return createHash('sha256').update(`${accountId} ${host}`).digest('base64url').slice(0, 22)
}

function expectedShare(known: RememberedRung | undefined): number {
  if (known === undefined) return priorShare
  const { reads, blocks, blockedAt } = known
  const share = (reads + priorWeight * priorShare) / (reads + blocks + priorWeight)
  const wasBlocked = blockedAt !== null && Date.now() - blockedAt.getTime() < blockedMs
  return wasBlocked ? share - 1 : share
}

function isHopeless(known: RememberedRung | undefined): boolean {
  if (known === undefined) return false
  const pages = known.reads + known.blocks
  return pages >= pagesMin && known.reads / pages <= readShareMax
}
