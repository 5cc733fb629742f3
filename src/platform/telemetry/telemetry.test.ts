import { expect, test } from 'vitest'
import { z } from 'zod'
import { observe } from '#core/telemetry/observe.ts'
import { readCollector } from './collector.ts'
import { bounded, createMetrics } from './metrics.ts'
import { openTelemetrySettings } from './settings.ts'
import { tellAll } from './several.ts'

const collectorOf = (settings: Record<string, string>) =>
  readCollector(z.object(openTelemetrySettings).parse(settings))

test('nothing is sent without a collector, or where the SDK is disabled or sends nothing', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318'
  expect(collectorOf({})).toBeUndefined()
  expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
  expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT, ...none })).toBeUndefined()
})

test('the addresses, headers and attributes of a collector are read as OpenTelemetry writes them', () => {
  expect(
    collectorOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/base/',
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://127.0.0.1:4319/logs',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team = one,broken',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=staging',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }),
  ).toMatchObject({
    tracesUrl: 'http://127.0.0.1:4318/base/v1/traces',
    logsUrl: 'http://127.0.0.1:4319/logs',
    headers: { authorization: 'Bearer a=b', 'x-team': 'one' },
    attributes: { 'deployment.environment': 'staging' },
    serviceName: 'tollway',
    sampler: 'traceidratio',
    share: 0.25,
  })
})

test('a label has a bounded number of names, and names that it has stay', () => {
  const name = bounded(2)
  expect(['one', 'two', 'three', 'one', 'four'].map(name)).toEqual([
    'one',
    'two',
    'other',
    'one',
    'other',
  ])
})

test('work that fails is counted by the code of its error and fails as before, and ends only once', async () => {
  const metrics = createMetrics('1.2.3')
  const telemetry = tellAll([undefined, metrics])
  const broken = new TypeError('broken')
  const work = { kind: 'run', action: 'a/b' } as const
  await expect(observe(telemetry, work, () => Promise.reject(broken))).rejects.toBe(broken)
  const observation = metrics.begin(work)
  observation.end('ok')
  observation.end('upstream_error')
  const text = await metrics.render()
  metrics.close()
  expect(text).toContain('tollway_runs_total{action="a/b",outcome="upstream_error"} 1')
  expect(text).toContain('tollway_runs_total{action="a/b",outcome="ok"} 1')
  expect(text).toContain('tollway_in_flight{kind="run"} 0')
  expect(text).toContain('tollway_build_info{version="1.2.3"} 1')
})

test('a state that cannot be read is left out, and is counted', async () => {
  const metrics = createMetrics('0')
  const gauges = {
    here: { name: 'test_here', help: 'A state.' },
    by: { name: 'test_by', help: 'A state by kind.', labels: ['kind'] },
  }
  metrics.show(gauges, async () => ({ here: [[{}, 5]], by: [[{ kind: 'one' }, 6]] }))
  metrics.show({ gone: { name: 'test_gone', help: 'No state.' } }, () =>
    Promise.reject(new Error('The database is away.')),
  )
  const text = await metrics.render()
  metrics.close()
  expect(text).toContain('test_here 5')
  expect(text).toContain('test_by{kind="one"} 6')
  expect(text).not.toMatch(/^test_gone /m)
  expect(text).toContain('tollway_metrics_failures_total 1')
})
