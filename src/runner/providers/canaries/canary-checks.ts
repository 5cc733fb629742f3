// The checks of providers in the database, for all its gateways.
import type { ClientBase } from 'pg'
import type { CheckResult, CheckState } from '#core/canaries/check.ts'
import { mergeForms, type ReplyForm } from '#core/canaries/drift.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import { usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export type CanaryAsker = 'operator' | 'schedule'

export interface CanaryCheck {
  readonly id: string
  readonly provider: string
  readonly action: string
  readonly askedBy: CanaryAsker
  readonly startedAt: Date
  /** Null while it runs; so is what it has found. */
  readonly endedAt: Date | null
  readonly state: CheckState | null
  readonly says: string | null
  readonly fix: string | null
  readonly drift: CheckResult['drift'] | null
  readonly cost: Micros | null
  readonly tookMs: number | null
  readonly acceptedAt: Date | null
  readonly hasReply: boolean
}

/** With what was asked and answered. */
export type WholeCanaryCheck = CanaryCheck & {
  readonly exchanges: CheckResult['exchanges'] | null
}

const listedMax = 50
const keptRepliesMax = 10
const lifetimeDays = 90
/** Longer than any check takes. */
const lostAfterMinutes = 10

const columns = `id, provider, action, asked_by as "askedBy", started_at as "startedAt", ended_at as "endedAt", state,
  says, fix, drift, cost, took_ms as "tookMs", accepted_at as "acceptedAt",
  exchanges is not null as "hasReply"`

export type CanaryChecks = ReturnType<typeof createCanaryChecks>

export function createCanaryChecks({
  database,
  clock,
  gatewayNumber,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly gatewayNumber: number
}) {
  /** A check whose gateway is gone would seem to run, and keep its provider from being checked. */
  const endLost = () =>
    database.query(
      `update canary_check set ended_at = now(), state = 'unclear',
          says = 'The gateway stopped before there was an answer.', fix = 'Check it again.'
        where ended_at is null
          and (not gateway_lives(gateway_id) or started_at < now() - $1 * interval '1 minute')`,
      [lostAfterMinutes],
    )

  async function formOf(action: string, client?: ClientBase): Promise<ReplyForm | undefined> {
    const sql = 'select form from canary_form where action = $1'
    const rows = client
      ? (await client.query<{ form: ReplyForm }>(sql, [action])).rows
      : await database.query<{ form: ReplyForm }>(sql, [action])
    return rows[0]?.form
  }

  const setForm = (action: string, form: ReplyForm, client: ClientBase) =>
    client.query(
      `insert into canary_form (action, form) values ($1, $2)
       on conflict (action) do update set form = excluded.form, set_at = now()`,
      [action, JSON.stringify(form)],
    )

  return {
    formOf,
    /**
     * Begins a check, unless one of the provider runs at any gateway: resolves to that one then. With `restHours`,
     * resolves to undefined if one began within that time.
     */
    async begin(check: {
      readonly provider: string
      readonly action: string
      readonly askedBy: CanaryAsker
      readonly restHours?: number
    }): Promise<{ readonly check: CanaryCheck; readonly isNew: boolean } | undefined> {
      const { provider, action, askedBy, restHours = 0 } = check
      await endLost()
      const begun = await database.query<CanaryCheck>(
        `insert into canary_check (id, provider, action, asked_by, gateway_id)
          select $1, $2, $3, $4, $5 where not exists (select from canary_check
            where provider = $2 and started_at > now() - $6 * interval '1 hour')
          on conflict (provider) where ended_at is null do nothing returning ${columns}`,
        [uuidv7(clock.now()), provider, action, askedBy, gatewayNumber, restHours],
      )
      if (begun[0] !== undefined) return { check: begun[0], isNew: true }
      const running = await database.query<CanaryCheck>(
        `select ${columns} from canary_check where provider = $1 order by id desc limit 1`,
        [provider],
      )
      if (running[0] === undefined || restHours > 0) return undefined
      return { check: running[0], isNew: false }
    },
    /** `isFirst`: its form is expected of the next reply. */
    async end(id: string, result: CheckResult, isFirst: boolean): Promise<void> {
      const { state, says, fix, drift, form, exchanges, costUsd, tookMs } = result
      await database.transaction(async (client) => {
        const { rows } = await client.query<{ provider: string; action: string }>(
          `update canary_check set ended_at = now(), state = $2, says = $3, fix = $4, drift = $5, form = $6,
              exchanges = $7, cost = $8, took_ms = $9
            where id = $1 and ended_at is null returning provider, action`,
          [
            id,
            state,
            says,
            fix,
            JSON.stringify(drift),
            form === null ? null : JSON.stringify(form),
            exchanges.length === 0 ? null : JSON.stringify(exchanges),
            costUsd === null ? null : Math.max(0, usdToMicros(costUsd)),
            tookMs,
          ],
        )
        const [ended] = rows
        if (ended === undefined) return
        if (isFirst && form !== null) await setForm(ended.action, form, client)
        await client.query(
          `update canary_check set exchanges = null where provider = $1 and exchanges is not null and id not in (
            select id from canary_check where provider = $1 order by id desc limit $2)`,
          [ended.provider, keptRepliesMax],
        )
      })
    },
    /** The latest of each provider. */
    async latest(): Promise<ReadonlyMap<string, CanaryCheck>> {
      await endLost()
      const rows = await database.query<CanaryCheck>(
        `select distinct on (provider) ${columns} from canary_check order by provider, id desc`,
      )
      return new Map(rows.map((row) => [row.provider, row]))
    },
    /** Newest first. */
    async list(provider: string): Promise<readonly CanaryCheck[]> {
      await endLost()
      return database.query<CanaryCheck>(
        `select ${columns} from canary_check where provider = $1 order by id desc limit $2`,
        [provider, listedMax],
      )
    },
    async find(provider: string, id: string): Promise<WholeCanaryCheck | undefined> {
      await endLost()
      const rows = await database.query<WholeCanaryCheck>(
        `select ${columns}, exchanges from canary_check where provider = $1 and id = $2`,
        [provider, id],
      )
      return rows[0]
    },
    /** Records that the form of the last reply is right, so the next may have it too. False: no form is kept. */
    async accept(
      { provider, id, fixture }: { provider: string; id: string; fixture: ReplyForm | undefined },
      client: ClientBase,
    ): Promise<boolean> {
      const { rows } = await client.query<{ action: string; form: ReplyForm }>(
        `update canary_check set accepted_at = coalesce(accepted_at, now())
          where provider = $1 and id = $2 and form is not null returning action, form`,
        [provider, id],
      )
      const [accepted] = rows
      if (accepted === undefined) return false
      const before = (await formOf(accepted.action, client)) ?? fixture
      await setForm(
        accepted.action,
        before === undefined ? accepted.form : mergeForms(before, accepted.form),
        client,
      )
      return true
    },
    async forgetOld(): Promise<void> {
      await database.query(
        `delete from canary_check c where started_at < now() - $1 * interval '1 day'
          and exists (select from canary_check later where later.provider = c.provider and later.id > c.id)`,
        [lifetimeDays],
      )
    },
  }
}
