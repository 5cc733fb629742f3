// What this gateway has learnt of its sources, kept in the database and shared by all gateways: in which order they are
// worth asking, how far they are trusted, and what they did not know today.
import { createHash } from 'node:crypto'
import { centsToMicros, type Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import type { PersonField } from '../person.ts'
import { type FillStep, fillSteps } from './steps.ts'

/** What came of asking a source for a field. */
export interface Trial {
  readonly step: string
  readonly field: PersonField
  /** `confirmed`: filled, and another source or the verification agrees. */
  readonly outcome: 'confirmed' | 'filled' | 'refused' | 'nothing'
  /** With the verification of what it found. */
  readonly spent: Micros
}

/** Faded counts. */
export interface SourceCounts {
  readonly step: string
  readonly field: PersonField
  readonly fills: number
  readonly confirmations: number
  readonly refusals: number
  readonly spentCents: number
}

export interface Learning {
  counts(): Promise<readonly SourceCounts[]>
  learn(trials: readonly Trial[]): Promise<void>
  missed(digest: string): Promise<boolean>
  remember(digests: readonly string[]): Promise<void>
  /** What the account's jobs have cost today and yesterday beyond what they charged. Negative: a surplus. */
  uncovered(accountId: string): Promise<Micros>
  addUncovered(accountId: string, micros: Micros): Promise<void>
  forgetOld(): Promise<void>
}

/** Vendors change over months, and a small gateway asks them seldom. */
const halfLifeDays = 30
const missedForHours = 24
const faded = (count: string) =>
  `${count} * power(0.5, extract(epoch from now() - known.updated_at) / ${halfLifeDays * 24 * 3600})`

export function createLearning(database: Database): Learning {
  return {
    counts: () =>
      database.query<SourceCounts>(
        `select step, field, ${faded('fills')} as fills, ${faded('confirmations')} as confirmations,
           ${faded('refusals')} as refusals, ${faded('spent_cents')} as "spentCents"
         from people_source as known order by step, field`,
      ),
    async learn(trials) {
      if (trials.length === 0) return
      const rows = addUp(trials)
      await database.query(
        `insert into people_source as known (step, field, fills, confirmations, refusals, spent_cents)
         select step, field, fills, confirmations, refusals, spent_cents
         from jsonb_to_recordset($1::jsonb) as new(step text, field text, fills float8, confirmations float8,
           refusals float8, spent_cents float8)
         on conflict (step, field) do update set
           fills = ${faded('known.fills')} + excluded.fills,
           confirmations = ${faded('known.confirmations')} + excluded.confirmations,
           refusals = ${faded('known.refusals')} + excluded.refusals,
           spent_cents = ${faded('known.spent_cents')} + excluded.spent_cents,
           updated_at = now()`,
        [JSON.stringify(rows)],
      )
    },
    async missed(digest) {
      const rows = await database.query(
        `select 1 from people_miss where digest = $1 and missed_at > now() - $2 * interval '1 hour'`,
        [digest, missedForHours],
      )
      return rows.length > 0
    },
    async remember(digests) {
      if (digests.length === 0) return
      await database.query(
        `insert into people_miss (digest) select digest from unnest($1::text[]) as digest order by 1
         on conflict (digest) do update set missed_at = now()`,
        [[...new Set(digests)]],
      )
    },
    async uncovered(accountId) {
      const [row] = await database.query<{ cents: number }>(
        `select coalesce(sum(cents), 0) as cents from people_uncovered
         where account_id = $1 and day >= current_date - 1`,
        [accountId],
      )
      return Math.round(Number(row?.cents) * centsToMicros(1))
    },
    async addUncovered(accountId, micros) {
      await database.query(
        `insert into people_uncovered as known (account_id, cents) values ($1, $2)
         on conflict (account_id, day) do update set cents = known.cents + excluded.cents`,
        [accountId, micros / centsToMicros(1)],
      )
    },
    async forgetOld() {
      await database.query('delete from people_uncovered where day < current_date - 1')
      await database.query(
        `delete from people_miss where missed_at < now() - $1 * interval '1 hour'`,
        [missedForHours],
      )
    },
  }
}

/** One row for each step and field, in one order, so that two gateways never wait for each other. */
export function addUp(trials: readonly Trial[]) {
  const rows = new Map<string, ReturnType<typeof emptyRow>>()
  for (const { step, field, outcome, spent } of trials) {
    const key = `${step} ${field}`
    const row = rows.get(key) ?? emptyRow(step, field)
    rows.set(key, row)
    row.fills += outcome === 'filled' || outcome === 'confirmed' ? 1 : 0
    row.confirmations += outcome === 'confirmed' ? 1 : 0
    row.refusals += outcome === 'refused' ? 1 : 0
    row.spent_cents += spent / centsToMicros(1)
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

const emptyRow = (step: string, field: PersonField) => ({
  step,
  field,
  fills: 0,
  confirmations: 0,
  refusals: 0,
  spent_cents: 0,
})

/** A question to a source, without the person in it. */
export const digestOf = (step: FillStep, field: PersonField, input: object): string =>
  createHash('sha256')
    .update(JSON.stringify([step.id, field, input]))
    .digest('base64url')

/** How many tries the prior is worth. */
const priorTries = 4
const priorRight = 9
const priorWrong = 1

export interface Ranking {
  /** The steps that fill a field, those with the most fills per cent first. */
  stepsFor(field: PersonField): readonly FillStep[]
  /** The share of its values that were right, between 0 and 1. */
  trust(step: FillStep, field: PersonField): number
}

export function rankSteps(
  counts: readonly SourceCounts[],
  available: (id: string) => boolean,
): Ranking {
  const known = new Map(counts.map((each) => [`${each.step} ${each.field}`, each]))
  const yieldOf = (step: FillStep, field: PersonField) => {
    const { fills = 0, spentCents = 0 } = known.get(`${step.id} ${field}`) ?? {}
    const { share, cents } = step.prior
    return (fills + share * priorTries) / (spentCents + cents * priorTries)
  }
  return {
    stepsFor: (field) =>
      fillSteps
        .filter(({ action, fills }) => fills.includes(field) && available(action))
        .map((step) => ({ step, yield: yieldOf(step, field) }))
        .toSorted((one, other) => other.yield - one.yield)
        .map(({ step }) => step),
    trust(step, field) {
      const { confirmations = 0, refusals = 0 } = known.get(`${step.id} ${field}`) ?? {}
      return (confirmations + priorRight) / (confirmations + refusals + priorRight + priorWrong)
    },
  }
}
