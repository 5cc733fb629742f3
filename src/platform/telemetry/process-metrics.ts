// What the process itself uses, under the names that dashboards of Prometheus know.
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'

/** The delay of the event loop is sampled this often. */
const resolutionMs = 20
const percentiles = [50, 90, 99, 100]

export function watchProcess(registry: Registry): { close(): void } {
  const registers = [registry]
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let before: EventLoopUtilization | undefined
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of this process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const startedAt = Date.now() / 1_000 - process.uptime()
  gauge('process_start_time_seconds', 'When the process began, since 1970.', () => startedAt)
  gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss())
  gauge(
    'nodejs_heap_size_used_bytes',
    'Memory of its JavaScript.',
    () => process.memoryUsage().heapUsed,
  )
  gauge(
    'nodejs_active_resources',
    'Sockets, timers and requests that keep the process alive.',
    () => process.getActiveResourcesInfo().length,
  )
  gauge(
    'nodejs_eventloop_utilization',
    'The share of the time since the last reading in which the event loop was busy.',
    () => {
      const now = performance.eventLoopUtilization()
      const { utilization } =
        before === undefined ? now : performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
  )
  new Gauge({
    name: 'tollway_event_loop_delay_seconds',
    help: 'How late the event loop was since the last reading, by percentile; 100 is the worst.',
    labelNames: ['percentile'],
    registers,
    collect() {
      for (const percentile of percentiles)
        this.set({ percentile: String(percentile) }, late(delay.percentile(percentile)))
      delay.reset()
    },
  })
  return { close: () => void delay.disable() }
}

/** The sampling interval is part of each sample. Without samples, the smallest is absurd. */
const late = (nanoseconds: number) =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3) : 0
