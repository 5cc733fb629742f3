// Whose film is rendered next. Accounts that have used little lately come first, then films that take little; a render
// comes nearer with each second that it waits. Renders that fail are free, but what they used counts.
import type { Database } from '#platform/database/database.ts'
import type { FilmWork } from '../render/work.ts'

export interface RenderTurns {
  /**
   * Runs `work` if a place is free and no other render comes first. Undefined: the render must ask again. It keeps its
   * turn only if it asks again within `silenceSeconds`.
   */
  take<Result>(turn: RenderTurn, work: () => Promise<Result>): Promise<Result | undefined>
  /** Drops what no longer counts. */
  forgetOld(): Promise<void>
}

export interface RenderTurn extends FilmWork {
  readonly renderId: string
  readonly accountId: string
}

/** Films up to this expected time are short: previews, and a few seconds of a final film. */
const shortWorkSeconds = 15
/** Beside the places of the operator's setting. */
const shortPlaces = 1
/** Use counts for so long. */
const usedHours = 1
/** A render that has not asked for so long is not waited for: its job may have ended. */
const silenceSeconds = 20
/** The use of a render is written so often, so that little of it is lost with a killed gateway. */
const writtenEveryMs = 5_000

export function createRenderTurns({
  database,
  rendersMax,
}: {
  readonly database: Database
  /** Renders of this gateway at once, without the place for short films. */
  readonly rendersMax: number
}): RenderTurns {
  const rows = createTurnRows(database)
  const places = { any: rendersMax, short: shortPlaces }

  /** A short film first looks for a place among its like. */
  async function findPlace(renderId: string, isShort: boolean) {
    for (const lane of isShort ? (['short', 'any'] as const) : (['any'] as const)) {
      if (places[lane] === 0) continue
      places[lane] -= 1
      const isNext = await rows.isNext(renderId, lane).catch((thrown) => {
        places[lane] += 1
        throw thrown
      })
      if (isNext) return lane
      places[lane] += 1
    }
    return undefined
  }

  return {
    async take({ renderId, accountId, workSeconds }, work) {
      const isShort = workSeconds <= shortWorkSeconds
      await rows.ask({ renderId, accountId, workSeconds, isShort })
      const lane = await findPlace(renderId, isShort)
      if (lane === undefined) return undefined
      try {
        await rows.begin(renderId)
        return await counted(work, (seconds) => rows.use(renderId, seconds))
      } finally {
        places[lane] += 1
        await rows.end(renderId)
      }
    },
    forgetOld: rows.forgetOld,
  }
}

/** Writes the seconds that the work takes, while it goes on and at its end. */
async function counted<Result>(
  work: () => Promise<Result>,
  write: (seconds: number) => Promise<void>,
): Promise<Result> {
  let writtenMs = performance.now()
  const writeSince = async () => {
    const nowMs = performance.now()
    const seconds = (nowMs - writtenMs) / 1_000
    writtenMs = nowMs
    await write(seconds)
  }
  // A failure to write is met again at the end.
  const timer = setInterval(() => void writeSince().catch(() => {}), writtenEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await writeSince()
  }
}

/** The clock of the database is that of all gateways. */
function createTurnRows(database: Database) {
  return {
    async ask(turn: RenderTurn & { readonly isShort: boolean }): Promise<void> {
      await database.query(
        `insert into film_turn (render_id, account_id, work_seconds, is_short) values ($1, $2, $3, $4)
         on conflict (render_id) do update set seen_at = now(), is_rendering = false, ended_at = null`,
        [turn.renderId, turn.accountId, turn.workSeconds, turn.isShort],
      )
    },
    /** Whether no other render that waits comes first. */
    async isNext(renderId: string, lane: 'any' | 'short'): Promise<boolean> {
      const [next] = await database.query<{ readonly id: string }>(
        `select render_id as id from film_turn waiting
         where ended_at is null and not is_rendering and seen_at > now() - $1 * interval '1 second' and (is_short or $2)
         order by work_seconds - extract(epoch from now() - asked_at) + (
           select coalesce(sum(used_seconds), 0) from film_turn used
           where used.account_id = waiting.account_id and used.seen_at > now() - $3 * interval '1 hour'),
           asked_at, render_id
         limit 1`,
        [silenceSeconds, lane === 'any', usedHours],
      )
      return next?.id === renderId
    },
    async begin(renderId: string): Promise<void> {
      await database.query(
        'update film_turn set is_rendering = true, seen_at = now() where render_id = $1',
        [renderId],
      )
    },
    async use(renderId: string, seconds: number): Promise<void> {
      await database.query(
        'update film_turn set used_seconds = used_seconds + $2, seen_at = now() where render_id = $1',
        [renderId, seconds],
      )
    },
    async end(renderId: string): Promise<void> {
      await database.query(
        'update film_turn set ended_at = now(), is_rendering = false where render_id = $1',
        [renderId],
      )
    },
    async forgetOld(): Promise<void> {
      await database.query(
        `delete from film_turn where seen_at < now() - $1 * interval '1 hour' and not is_rendering`,
        [usedHours],
      )
      // A gateway that was killed did not end its renders.
      await database.query(`delete from film_turn where seen_at < now() - interval '1 day'`)
    },
  }
}
