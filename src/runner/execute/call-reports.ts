// Tells the hooks of plugins how calls have ended. The database keeps a report of each ended call until it was told, so
// a call is told wherever it ends, and also if its gateway is killed.
import type { ReportedCall } from '#core/calls/call-hooks.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import { type NamedHooks, runHook } from './call-rules.ts'

/** Ended calls are written down for this long after the last gateway with such hooks, and kept for as long. */
export const reportDays = 7

const renewIntervalMs = 3_600_000
const pollIntervalMs = 200
const retryIntervalMs = 5_000
/** Each hook may use a connection of its own, and most of them belong to calls. */
const callsAtOnceMax = 5
const lastRoundsMs = 5_000

interface Dependencies {
  readonly hooks: readonly NamedHooks[]
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** `close` tells what has ended by then, as far as a few seconds allow. Other gateways tell the rest. */
export async function openCallReports({
  hooks,
  database,
  clock,
  log,
}: Dependencies): Promise<{ close(): Promise<void> }> {
  const told = hooks.filter(({ hooks: { afterCall } }) => afterCall !== undefined)
  if (told.length === 0) return { async close() {} }

  async function tell(call: ReportedCall) {
    for (const { plugin, hooks } of told) {
      try {
        await runHook(clock, async () => await hooks.afterCall?.(call))
      } catch (error) {
        log.error({ err: error, plugin, callId: call.transactionId }, 'A hook after a call failed.')
      }
    }
  }

  /** The transaction removes the reports once they are told. Resolves to their number. */
  const tellNext = () =>
    database.transaction(async (client) => {
      const { rows } = await client.query<ReportedCall & { keyId: string | null }>(
        `select call_id as "transactionId", account_id as "accountId", key_id as "keyId", action, state,
           charged as "chargedMicros" from take_call_reports($1)`,
        [callsAtOnceMax],
      )
      await Promise.all(rows.map((call) => tell({ ...call, keyId: call.keyId ?? undefined })))
      return rows.length
    })

  async function tellAll(isOver: () => boolean) {
    while ((await tellNext()) === callsAtOnceMax && !isOver());
  }

  const stopping = new AbortController()
  const { signal } = stopping
  async function poll() {
    while (!signal.aborted) {
      const pauseMs = await tellAll(() => signal.aborted).then(
        () => pollIntervalMs,
        (error) => {
          log.warn({ err: error }, 'Hooks are told of ended calls later.')
          return retryIntervalMs
        },
      )
      await clock.sleep(pauseMs, signal).catch(() => {})
    }
  }

  const renew = () => database.query('select want_call_reports($1)', [reportDays])
  await renew()
  const renewal = runEvery(renewIntervalMs, renew, (error) =>
    log.warn({ err: error }, 'Reports of ended calls are asked for again later.'),
  )
  const polling = poll()
  return {
    async close() {
      stopping.abort()
      await Promise.all([polling, renewal.close()])
      const endsAt = clock.now() + lastRoundsMs
      await tellAll(() => clock.now() > endsAt).catch((error) =>
        log.warn({ err: error }, 'Ended calls are left for the next gateway to tell.'),
      )
    },
  }
}
