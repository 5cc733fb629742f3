// The beginning of a session: its limits, its hold and its row.
import type { CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import { isMetered } from '#core/price.ts'
import type { Hold, HoldOutcome } from '#money/ledger/operations.ts'
import { kindOf, type OwnSessions, type SessionDependencies } from './kinds.ts'
import type { Tariff } from './metering.ts'
import { callLifetimeMs } from './session-money.ts'

const perAccountMaxDefault = 10
const perMachineMaxDefault = 100

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

export function createSubmission(
  { ledger, rows, machine, clock }: SessionDependencies,
  { lives, coming }: OwnSessions,
) {
  async function refuseWhenFull(entry: CatalogEntry): Promise<void> {
    const [action, perMachine] = [entry.id, perMachineMax(entry)]
    const here = [...lives.values()].filter(({ entry: { id } }) => id === action).length
    const soon = [...coming.values()].filter((each) => each === action).length
    if (here + soon <= perMachine && (await rows.countHere(action)) < perMachine) return
    throw fail('unavailable', {
      message:
        'This machine has as many sessions of this kind as it can. Nothing was charged; try again shortly.',
      retryAfterSeconds: 30,
    })
  }

  async function submitNow(
    entry: CatalogEntry,
    hold: Hold,
    ceilingMicros: Micros | undefined,
  ): Promise<HoldOutcome> {
    const { perAccount = perAccountMaxDefault } = entry.action.sessionsAtOnceMax ?? {}
    const { accountId, keyId, action, callId: id } = hold
    await refuseWhenFull(entry)
    const session = {
      ...{ id, accountId, keyId, action, ...tariffOf(entry) },
      machine: kindOf(entry).reach === 'machine' ? machine : null,
      ceiling: ceilingMicros ?? null,
      nowMs: clock.now(),
    }
    return await ledger.holdJob(
      { ...hold, lifetimeMs: callLifetimeMs },
      {
        input: JSON.stringify({ session_id: id }),
        atOnceMax: perAccount,
        async enqueue(client) {
          // Suspended ones hold no money, and are counted all the same.
          if ((await rows.countOf(accountId, action, client)) >= perAccount)
            throw tooManySessions(perAccount)
          await rows.insert(session, client)
        },
      },
    )
  }

  /** The session counts as coming until it is opened. */
  return async function submit(
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
  }
}

const tooManySessions = (perAccount: number) =>
  fail('too_many_inflight', {
    message: `This account has ${perAccount} sessions of this kind. Close one to open another.`,
  })
