// Checks of providers, as the operator asks for them and on a schedule. They are not calls: nothing is held or charged,
// and no account sees them. They count against the budget of their provider.
import type { ClientBase } from 'pg'
import type { CheckResult } from '#core/canaries/check.ts'
import type { ReplyForm } from '#core/canaries/drift.ts'
import type { CanaryFixture } from '#core/canaries/fixture.ts'
import type { Probe } from '#core/canaries/probe.ts'
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Provider, ProviderMode } from '#core/provider.ts'
import { runEvery } from '#platform/recurring.ts'
import type { ProviderBudgets } from '../budgets.ts'
import type { CanaryCheck, CanaryChecks, WholeCanaryCheck } from './canary-checks.ts'

/** A configured provider, and how it is checked. */
export interface CanaryTarget {
  readonly provider: Provider
  readonly mode: ProviderMode
  /** Undefined: it is not asked, for this reason. */
  readonly probe: Probe | undefined
  readonly reason?: string | undefined
}

export interface Canary extends CanaryTarget {
  readonly last: CanaryCheck | undefined
}

export interface Canaries {
  /** Of each round of checks, in hours. 0: they are made only when the operator asks. */
  readonly intervalHours: number
  list(): Promise<readonly Canary[]>
  /**
   * Begins a check and resolves before it has ended; to the one that runs, if there is one. Throws `not_found`,
   * `bad_request` for a provider that is not asked, `max_cost_exceeded`, and `provider_not_configured` where its budget
   * is used up.
   */
  begin(provider: string, maxCents: number): Promise<CanaryCheck>
  /** Newest first. */
  checks(provider: string): Promise<readonly CanaryCheck[]>
  /** Throws `not_found`. */
  find(provider: string, id: string): Promise<WholeCanaryCheck>
  /** Throws `not_found` where too little of the reply is kept. */
  fixture(provider: string, id: string): Promise<CanaryFixture>
  /** In the transaction of the caller. Throws `not_found`. */
  accept(provider: string, id: string, client: ClientBase): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  readonly checks: CanaryChecks
  readonly budgets: Pick<ProviderBudgets, 'stopped'>
  /** Sells what the database says now. */
  readonly followOffers: () => Promise<void>
  readonly targets: () => Promise<readonly CanaryTarget[]>
  readonly examine: (
    probe: Probe,
    options: { readonly expected: ReplyForm | undefined; readonly signal: AbortSignal },
  ) => Promise<CheckResult>
  readonly fixtureOf: (probe: Probe, check: WholeCanaryCheck) => Promise<CanaryFixture | undefined>
  /** The form of the reply in the action's fixture. */
  readonly formOfFixture: (action: string) => ReplyForm | undefined
  readonly intervalHours: number
  /** The providers of the schedule. Empty: all. */
  readonly scheduled: readonly string[]
  readonly log: Log
}

const tickMs = 60_000
const firstTickAfterMs = 1_000

export function createCanaries(dependencies: Dependencies): Canaries {
  const { checks, budgets, followOffers, targets, log, intervalHours } = dependencies
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  function run(probe: Probe, check: CanaryCheck): Promise<void> {
    const work = perform(dependencies, probe, check, closing.signal)
      .catch(async (error) => {
        log.warn({ err: error, check: check.id }, 'A canary could not be read.')
        await checks.end(check.id, unread, false)
      })
      .catch((error) => log.warn({ err: error, check: check.id }, 'A canary was not recorded.'))
      .finally(() => running.delete(work))
    running.add(work)
    return work
  }

  async function find(id: string): Promise<CanaryTarget> {
    const target = (await targets()).find(({ provider }) => provider.id === id)
    if (target !== undefined) return target
    throw fail('not_found', {
      message: `${id.slice(0, 100)} is not a configured provider that canaries ask. GET /api/v1/admin/canaries lists all.`,
    })
  }

  async function findCheck(provider: string, id: string): Promise<WholeCanaryCheck> {
    const check = await checks.find(provider, id)
    if (check === undefined) throw fail('not_found', { message: 'There is no such check.' })
    return check
  }

  const schedule =
    intervalHours === 0
      ? undefined
      : runEvery(
          tickMs,
          () => checkDue(dependencies, run, closing.signal),
          (error) => log.warn({ err: error }, 'Providers will be checked later.'),
          firstTickAfterMs,
        )

  return {
    intervalHours,
    async list() {
      await followOffers()
      const latest = await checks.latest()
      return (await targets()).map((target) => ({
        ...target,
        last: latest.get(target.provider.id),
      }))
    },
    async begin(id, maxCents) {
      await followOffers()
      const { probe, reason } = await find(id)
      if (probe === undefined)
        throw fail('bad_request', { message: `${id} is not asked. ${reason}` })
      const stopped = budgets.stopped().get(id)
      if (stopped !== undefined) throw fail('provider_not_configured', { message: stopped })
      if (probe.cents > maxCents)
        throw fail('max_cost_exceeded', {
          message: `${probe.id} may cost ${probe.cents}¢ at the provider, which is above max_cents. Nothing was asked. Send max_cents of at least ${probe.cents}.`,
        })
      const begun = await checks.begin({ provider: id, action: probe.id, askedBy: 'operator' })
      if (begun === undefined) throw fail('unavailable')
      if (begun.isNew) void run(probe, begun.check)
      return begun.check
    },
    checks: (provider) => checks.list(provider),
    find: findCheck,
    async fixture(provider, id) {
      const check = await findCheck(provider, id)
      const { probe } = await find(provider)
      const fixture =
        probe?.id === check.action ? await dependencies.fixtureOf(probe, check) : undefined
      if (fixture !== undefined) return fixture
      throw fail('not_found', {
        message:
          'Too little of this reply is kept for a fixture: it is too large or too old, there was none, or another action is asked by now. Check the provider again.',
      })
    },
    async accept(provider, id, client) {
      const { action } = await findCheck(provider, id)
      const fixture = dependencies.formOfFixture(action)
      if (await checks.accept({ provider, id, fixture }, client)) return
      throw fail('not_found', {
        message: 'This check has no reply that can be accepted. Check the provider again.',
      })
    },
    async close() {
      closing.abort()
      await schedule?.close()
      await Promise.all(running)
    },
  }
}

/** A check that has no end would be shown to each one who asks for another. */
const unread: CheckResult = {
  state: 'unclear',
  says: 'The gateway could not read the reply. Its log says why.',
  fix: 'Compare the reply with the provider’s documentation.',
  drift: [],
  form: null,
  exchanges: [],
  costUsd: null,
  tookMs: 0,
}

/** One provider after the other, each by the gateway that comes first. */
async function checkDue(
  { checks, budgets, followOffers, targets, intervalHours, scheduled }: Dependencies,
  run: (probe: Probe, check: CanaryCheck) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await followOffers()
  for (const { provider, probe } of await targets()) {
    const { id } = provider
    const isScheduled = scheduled.length === 0 || scheduled.includes(id)
    if (probe === undefined || !isScheduled || budgets.stopped().has(id)) continue
    if (signal.aborted) return
    const asked = { provider: id, action: probe.id, askedBy: 'schedule' as const }
    const begun = await checks.begin({ ...asked, restHours: intervalHours })
    if (begun?.isNew) await run(probe, begun.check)
  }
}

async function perform(
  { checks, examine, formOfFixture, log }: Dependencies,
  probe: Probe,
  { id, provider, action }: CanaryCheck,
  signal: AbortSignal,
): Promise<void> {
  const expected = (await checks.formOf(action)) ?? formOfFixture(action)
  const result = await examine(probe, { expected, signal })
  await checks.end(id, result, expected === undefined && result.state === 'well')
  const { state, says } = result
  const told = { provider, action, check: id, says }
  if (state === 'failed')
    log.error(told, 'Operator alert: a canary failed. See Canaries in the console.')
  if (state === 'drifted')
    log.error(
      told,
      'Operator alert: a provider has changed its reply. See Canaries in the console.',
    )
}
