// The beginning of a session: its limits, its hold and its row.
import type { ClientBase } from 'pg'
import type { CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import { isMetered } from '#core/price.ts'
import type { Hold, HoldOutcome } from '#money/ledger/operations.ts'
import { kindOf, type OwnSessions, type SessionDependencies } from './kinds.ts'
import type { Tariff } from './metering.ts'
import { callLifetimeMs, callsAtOnceMax } from './session-money.ts'
import type { NewSession } from './session-rows.ts'

const perAccountMaxDefault = 10
const perMachineMaxDefault = 100

/** How many sessions of this action one account may have. */
export function perAccountMax({ action }: CatalogEntry): number {
  return action.sessionsAtOnceMax?.perAccount ?? perAccountMaxDefault
}

/** How many sessions of this action one machine may have. */
export function perMachineMax({ action }: CatalogEntry): number {
  return action.sessionsAtOnceMax?.perMachine ?? perMachineMaxDefault
}

function tariffOf({ action: { price } }: CatalogEntry): { tariff: Tariff; reserve: Micros } {
  if (!isMetered(price)) throw new TypeError('A session needs a metered price.')
  const meters = Object.entries(price.perHourCents)
  return {
    tariff: Object.fromEntries(meters.map(([meter, cents]) => [meter, centsToMicros(cents)])),
    reserve: centsToMicros(price.reserveCents),
  }
}

/** Throws `unavailable` when this machine has no place for another session of the action. */
export function createPlaces(
  { rows }: Pick<SessionDependencies, 'rows'>,
  { lives, coming }: OwnSessions,
) {
  /** `own`: those of the sessions that are coming which the request has announced already. */
  return async function admit(entry: CatalogEntry, own = 0): Promise<void> {
    const [action, perMachine] = [entry.id, perMachineMax(entry)]
    const here = [...lives.values()].filter(({ entry: { id } }) => id === action).length
    const soon = [...coming.values()].filter((each) => each === action).length
    const isFree = here + soon - own < perMachine
    if (isFree && (await rows.countHere(action)) < perMachine) return
    throw fail('unavailable', {
      message:
        'This machine has as many sessions of this kind as it can. Nothing was charged; try again shortly.',
      retryAfterSeconds: 30,
    })
  }
}

export type Places = ReturnType<typeof createPlaces>

export function createSubmission(
  { ledger, rows, machine, clock }: SessionDependencies,
  { coming }: OwnSessions,
  admit: Places,
) {
  const toRow = (
    entry: CatalogEntry,
    of: Pick<NewSession, 'id' | 'accountId' | 'keyId' | 'ceiling'>,
  ): NewSession => ({
    ...of,
    ...tariffOf(entry),
    action: entry.id,
    machine: kindOf(entry).reach === 'machine' ? machine : null,
    nowMs: clock.now(),
  })

  async function submitNow(
    entry: CatalogEntry,
    hold: Hold,
    ceilingMicros: Micros | undefined,
  ): Promise<HoldOutcome> {
    const perAccount = perAccountMax(entry)
    const { accountId, keyId, action, callId: id } = hold
    await admit(entry, 1)
    const session = toRow(entry, { id, accountId, keyId, ceiling: ceilingMicros ?? null })
    return await ledger.holdJob(
      { ...hold, lifetimeMs: callLifetimeMs },
      {
        input: JSON.stringify({ session_id: id }),
        atOnceMax: callsAtOnceMax,
        async enqueue(client) {
          if ((await rows.countOf(accountId, action, client)) >= perAccount)
            throw tooManySessions(perAccount)
          await rows.insert(session, client)
        },
      },
    )
  }

  return {
    /** The session counts as coming until it is opened. */
    async submit(
      entry: CatalogEntry,
      hold: Hold,
      ceilingMicros: Micros | undefined,
    ): Promise<HoldOutcome> {
      const { callId } = hold
      coming.set(callId, entry.id)
      const outcome = await submitNow(entry, hold, ceilingMicros).catch((thrown) => {
        coming.delete(callId)
        throw thrown
      })
      if (outcome.outcome !== 'held') coming.delete(callId)
      return outcome
    },
    /** A wallet's payment for the session is settled: what it paid is held, and nothing more. */
    async enqueue(entry: CatalogEntry, callId: string, client: ClientBase): Promise<void> {
      const call = await rows.paidCall(callId, client)
      if (call === undefined) return
      const { accountId, held: ceiling } = call
      await rows.insert(toRow(entry, { id: callId, accountId, keyId: null, ceiling }), client)
    },
  }
}

const tooManySessions = (perAccount: number) =>
  fail('too_many_inflight', {
    message: `This account has ${perAccount} sessions of this kind, open or suspended, and may not have more. Close one to open another.`,
  })
