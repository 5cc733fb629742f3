// Metrics: opening them if they are on, the state that they show beside what they count, and their own listener.
import type { Catalog } from '#core/catalog.ts'
import type { BelowCostWatch } from '#money/costs/below-cost.ts'
import type { PendingMoney } from '#money/payments/pending.ts'
import type { Database } from '#platform/database/database.ts'
import type { GaugeSample, Metrics } from '#platform/telemetry/metrics.ts'
import type { Jobs } from '#runner/jobs/jobs.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import type { Config } from '../config.ts'
import type { BackupRoom } from './backups/backups.ts'
import type { AppContext } from './context.ts'

/** The library of metrics is loaded only if they are on. */
export async function openMetrics(
  { METRICS }: Pick<Config, 'METRICS'>,
  version: string,
): Promise<Metrics | undefined> {
  if (METRICS === 'off') return undefined
  const { createMetrics } = await import('#platform/telemetry/metrics.ts')
  return createMetrics(version)
}

/** Listens at METRICS_PORT, if it is set. */
export async function listenForMetrics({ config, metrics, log, onClose }: AppContext) {
  const { METRICS_PORT: port, METRICS_HOST: host } = config
  if (metrics === undefined || port === undefined) return
  const { openMetricsDoor } = await import('#platform/telemetry/metrics-door.ts')
  const { url, close } = await openMetricsDoor(metrics, { port, host })
  onClose(close)
  log.info({ url: `${url}/metrics` }, 'Prometheus can read the metrics.')
}

interface Parts {
  readonly store: { readonly database: Database }
  readonly money: {
    readonly pending: PendingMoney
    readonly belowCost: Pick<BelowCostWatch, 'losses'>
  }
  readonly catalog: Pick<Catalog, 'services'>
  readonly running: {
    readonly jobs: Pick<Jobs, 'counts'>
    readonly sessions: Pick<Sessions, 'pressure'>
  }
  readonly compute: { places(): OpenPlaces | undefined }
  readonly browsers: { places(): OpenPlaces }
  readonly backups: Pick<BackupRoom, 'made'>
}

/** How many of something are open on this machine, and how many may be. */
interface OpenPlaces {
  readonly open: number
  readonly most: number
}

const everywhere = ' In the whole database: every gateway of it shows the same.'

export function showState({ metrics, onClose }: AppContext, parts: Parts): void {
  if (metrics === undefined) return
  onClose(async () => metrics.close())
  showConnections(metrics, parts)
  showPlaces(metrics, parts)
  showJobs(metrics, parts)
  showMoney(metrics, parts)
  showBackups(metrics, parts)
}

function showConnections(metrics: Metrics, { store, catalog }: Parts) {
  metrics.show(
    {
      connections: {
        name: 'tollway_database_connections',
        help: 'Pooled connections to the database: in use, idle, or the most that there may be.',
        labels: ['state'],
      },
      waiting: {
        name: 'tollway_database_waiting',
        help: 'Statements that wait for a connection of the pool.',
      },
      breakers: {
        name: 'tollway_circuit_breakers',
        help: 'Addresses of a provider that calls are kept from, because it failed in a row.',
        labels: ['provider', 'state'],
      },
    },
    async () => {
      const { open, idle, most, waiting } = store.database.pressure()
      const breakers = catalog.services.flatMap(({ provider, http }) =>
        [...Map.groupBy(http.circuits(), ({ state }) => state)].map(
          ([state, circuits]): GaugeSample => [{ provider: provider.id, state }, circuits.length],
        ),
      )
      return {
        connections: byState({ used: open - idle, idle, most }),
        waiting: only(waiting),
        breakers,
      }
    },
  )
}

function showPlaces(metrics: Metrics, { compute, browsers, running }: Parts) {
  metrics.show(
    {
      open: {
        name: 'tollway_places_open',
        help: 'Boxes, browsers and sessions that are open here.',
        labels: ['kind'],
      },
      most: {
        name: 'tollway_places_max',
        help: 'How many of them may be open here.',
        labels: ['kind'],
      },
    },
    async () => {
      const sessions = await running.sessions.pressure()
      const places: readonly (readonly [string, OpenPlaces | undefined])[] = [
        ['box', compute.places()],
        ['browser', browsers.places()],
        ...sessions.map(
          ({ action, open, openMax }) => [`session ${action}`, { open, most: openMax }] as const,
        ),
      ]
      const samples = (of: keyof OpenPlaces) =>
        places.flatMap(([kind, counted]): GaugeSample[] =>
          counted === undefined ? [] : [[{ kind }, counted[of]]],
        )
      return { open: samples('open'), most: samples('most') }
    },
  )
}

function showJobs(metrics: Metrics, { running }: Parts) {
  metrics.show(
    {
      jobs: {
        name: 'tollway_jobs',
        help: `Jobs that wait for a worker (ready) or for their time (deferred), run (active), or failed too often (exhausted).${everywhere}`,
        labels: ['state'],
      },
    },
    async () => ({ jobs: byState(await running.jobs.counts()) }),
  )
}

function showMoney(metrics: Metrics, { money }: Parts) {
  metrics.show(
    {
      leases: { name: 'tollway_leases', help: 'Spend leases of this gateway.' },
      leased: {
        name: 'tollway_leases_held_micros',
        help: 'Micro-dollars that they hold.',
      },
      unsummed: {
        name: 'tollway_usage_events',
        help: `Ended calls that are not in the sums of usage yet.${everywhere}`,
      },
      payments: {
        name: 'tollway_payments',
        help: `Payments of wallets under way: owed, settling, settled but not final, or lost.${everywhere}`,
        labels: ['state'],
      },
      refunds: {
        name: 'tollway_refunds',
        help: `Refunds to wallets under way: due or signed.${everywhere}`,
        labels: ['state'],
      },
      losses: {
        name: 'tollway_sold_below_cost_micros',
        help: `What the calls of an action of the last 30 days have cost more than they brought, as far as it is known.${everywhere}`,
        labels: ['action'],
      },
      oldest: {
        name: 'tollway_payments_oldest_seconds',
        help: `Age of the oldest payment that is owed or settling, and of the oldest refund under way.${everywhere}`,
        labels: ['kind'],
      },
    },
    async () => {
      const { leases, usageEvents, payments, refunds, oldestSeconds } = await money.pending.read()
      return {
        leases: only(leases.count),
        leased: only(leases.heldMicros),
        unsummed: only(usageEvents),
        payments: byState(payments),
        refunds: byState(refunds),
        losses: [...money.belowCost.losses()].map(
          ([action, loss]): GaugeSample => [{ action }, loss],
        ),
        oldest: Object.entries(oldestSeconds).map(([kind, age]): GaugeSample => [{ kind }, age]),
      }
    },
  )
}

function showBackups(metrics: Metrics, { backups: { made } }: Parts) {
  metrics.show(
    {
      failed: {
        name: 'tollway_backup_failed',
        help: 'Whether the last backup, or the last test that one can be restored, has failed (1).',
        labels: ['kind'],
      },
    },
    async () => {
      const runs = Object.values((await made?.latest()) ?? {})
      const failed = runs.map(
        ({ kind, problem }): GaugeSample => [{ kind }, Number(problem !== null)],
      )
      return { failed }
    },
  )
}

const only = (value: number): GaugeSample[] => [[{}, value]]
const byState = (counts: object): GaugeSample[] =>
  Object.entries(counts).map(([state, count]: [string, number]) => [{ state }, count])
