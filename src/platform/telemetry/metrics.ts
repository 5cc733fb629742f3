// The metrics of this process, as Prometheus reads them. Their labels are names of the gateway's own, so their number
// is bounded: actions, providers, routes, error codes. No account, key or address of a caller is a label.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MoneyEvent, Observation, Telemetry, Work } from '#core/telemetry/telemetry.ts'
import { watchProcess } from './process-metrics.ts'

/** From five milliseconds to the five minutes of a slow job. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** The names of one label. An operator may sell any number of APIs; later names count as `other`. */
const namesMax = 2_000
/** Scrapes within this time read the state once. */
const freshMs = 2_000

/** A gauge shows this now: a number for each combination of its labels. */
export type GaugeSample = readonly [labels: Readonly<Record<string, string>>, value: number]

export interface GaugeDefinition {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

export interface Metrics extends Telemetry {
  /** Registers gauges that are read together whenever the metrics are. A state that cannot be read is left out. */
  show<Names extends string>(
    gauges: Readonly<Record<Names, GaugeDefinition>>,
    read: () => Promise<Readonly<Partial<Record<Names, readonly GaugeSample[]>>>>,
  ): void
  /** The text that Prometheus reads, and its media type. */
  readonly contentType: string
  render(): Promise<string>
  close(): void
}

export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  const meters = createMeters(registry)
  new Gauge({
    name: 'tollway_build_info',
    help: 'Always 1. The label has the version.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const watched = watchProcess(registry)
  const readings: (() => Promise<void>)[] = []
  const failures = new Counter({
    name: 'tollway_metrics_failures_total',
    help: 'How often a part of the state could not be read for the metrics, such as the database.',
    registers: [registry],
  })
  let latest: { readonly at: number; readonly read: Promise<unknown> } | undefined

  return {
    begin: meters.begin,
    countMoney: meters.countMoney,
    show(definitions, read) {
      const gauges = new Map(
        Object.entries<GaugeDefinition>(definitions).map(([key, { name, help, labels = [] }]) => [
          key,
          new Gauge({ name, help, labelNames: labels, registers: [registry] }),
        ]),
      )
      readings.push(async () => {
        for (const gauge of gauges.values()) clear(gauge)
        const samples = Object.entries<readonly GaugeSample[] | undefined>(await read())
        for (const [key, list = []] of samples)
          for (const [labels, value] of list) gauges.get(key)?.set(labels, value)
      })
    },
    contentType: registry.contentType,
    async render() {
      if (latest === undefined || performance.now() - latest.at >= freshMs)
        latest = {
          at: performance.now(),
          read: Promise.all(readings.map((read) => read().catch(() => failures.inc()))),
        }
      await latest.read
      return await registry.metrics()
    },
    close: watched.close,
  }
}

function createMeters(registry: Registry): Telemetry {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `tollway_${name}`, help, labelNames, registers })
  const timer = (name: string, help: string, labelNames: string[]) =>
    new Histogram({
      name: `tollway_${name}`,
      help,
      labelNames,
      registers,
      buckets: secondsBuckets,
    })
  const requests = counter('http_requests_total', 'Responses, by route and status.', [
    'method',
    'route',
    'status',
  ])
  const requestTimes = timer('http_request_duration_seconds', 'Until the response ended.', [
    'route',
  ])
  const calls = counter('calls_total', 'Calls as their callers saw them end: ok, or an error.', [
    'action',
    'outcome',
  ])
  const callTimes = timer('call_duration_seconds', 'Until the call was answered.', ['action'])
  const runs = counter('runs_total', 'Actions that ran: calls, and each try of a job.', [
    'action',
    'outcome',
  ])
  const runTimes = timer('run_duration_seconds', 'How long the action itself took.', ['action'])
  const upstreams = counter('upstream_requests_total', 'Requests to providers: ok, or an error.', [
    'provider',
    'outcome',
  ])
  const upstreamTimes = timer('upstream_request_duration_seconds', 'Until the reply was read.', [
    'provider',
  ])
  const inFlight = new Gauge({
    name: 'tollway_in_flight',
    help: 'What is under way here: requests, calls, runs of actions, requests to upstreams.',
    labelNames: ['kind'],
    registers,
  })
  const money: Record<MoneyEvent, Counter> = {
    held: counter('held_micros_total', 'Micro-dollars that calls have held.', []),
    charged: counter('charged_micros_total', 'Micro-dollars that calls were charged.', []),
  }
  const routes = bounded()
  const actions = bounded()
  const providers = bounded()

  function note(work: Work, outcome: string, seconds: number) {
    if (work.kind === 'request') {
      const route = routes(work.route)
      requests.inc({ method: work.method, route, status: outcome })
      requestTimes.observe({ route }, seconds)
    } else if (work.kind === 'upstream') {
      const provider = providers(work.provider)
      upstreams.inc({ provider, outcome })
      upstreamTimes.observe({ provider }, seconds)
    } else {
      const action = actions(work.action)
      const [count, times] = work.kind === 'call' ? [calls, callTimes] : [runs, runTimes]
      count.inc({ action, outcome })
      times.observe({ action }, seconds)
    }
  }

  return {
    begin(work): Observation {
      const startedAt = performance.now()
      let hasEnded = false
      inFlight.inc({ kind: work.kind })
      return {
        run: (part) => part(),
        end(outcome) {
          if (hasEnded) return
          hasEnded = true
          inFlight.dec({ kind: work.kind })
          note(work, outcome, (performance.now() - startedAt) / 1_000)
        },
      }
    },
    countMoney: (event, micros) => money[event].inc(micros),
  }
}

/** Its reset has set a gauge without labels to 0, which may be wrong. */
function clear(gauge: Gauge) {
  gauge.reset()
  if ((gauge as Gauge & { labelNames: readonly string[] }).labelNames.length === 0) gauge.remove()
}

/** The name, or `other` once there are too many names. */
export function bounded(most = namesMax): (name: string) => string {
  const names = new Set<string>()
  return (name) => {
    if (names.has(name)) return name
    if (names.size >= most) return 'other'
    names.add(name)
    return name
  }
}
