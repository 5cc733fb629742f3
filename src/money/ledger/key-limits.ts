// Which of a key's limits has refused a hold, for the caller who has to raise it or to wait.
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import type { Ledger } from './ledger.ts'
import type { Hold, HoldOutcome, KeyLimit } from './operations.ts'

/** The same ledger, whose refusals `key_limit` name the limit. */
export function explainKeyLimits(ledger: Ledger, database: Database): Ledger {
  const explained = async (hold: Hold, held: HoldOutcome): Promise<HoldOutcome> =>
    held.outcome === 'key_limit'
      ? { ...held, keyLimit: await findLimit(database, hold.keyId, hold.micros) }
      : held
  return {
    ...ledger,
    hold: async (hold) => await explained(hold, await ledger.hold(hold)),
    holdJob: async (hold, job) => await explained(hold, await ledger.holdJob(hold, job)),
    rehearse: async (hold, job) => await explained(hold, await ledger.rehearse(hold, job)),
  }
}

/** Undefined when the key has spent less, or has another limit, since the refusal. */
async function findLimit(
  database: Database,
  keyId: string,
  micros: Micros,
): Promise<KeyLimit | undefined> {
  const [limit] = await database.query<KeyLimit>(
    `select l.period, l.most, l.used, l.resets_at as "resetsAt" from api_key k, lateral (
       select 'call' as period, 1 as place, k.call_micros_max as most, 0 as used, null::timestamptz as resets_at
       union all
       select a.period, case a.period when 'day' then 2 else 3 end, a.micros_max, coalesce(s.micros, 0),
         (p.starts + ('1 ' || a.period)::interval) at time zone 'utc'
       from amount_limits(k) a
       cross join lateral (select period_start(a.period, utc_day(now())) as starts) p
       left join key_spend s on s.key_id = k.id and s.period = a.period and s.starts = p.starts
     ) l where k.id = $1 and l.used + $2 > l.most order by l.place limit 1`,
    [keyId, micros],
  )
  return limit
}
