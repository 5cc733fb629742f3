// The metrics, read by the programs that operators read them with, and compared with what ops/ and the guide name.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { adminToken, shareGateway, startGateway } from '#test/harness.ts'
import { createLogCapture } from '#test/log-capture.ts'
import { until } from '#test/until.ts'
import { missing, prometheus, promtool, startPrometheus } from './programs.ts'

const root = path.join(import.meta.dirname, '../..')
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8')
const gateway = shareGateway()

async function scrape(): Promise<string> {
  const { status, body } = await gateway().request('GET', '/metrics', { key: adminToken })
  expect(status).toBe(200)
  return body
}

/** The value of a series, by its whole name as it is written. */
const readSeries = (text: string, series: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

/** The values of the series after `work` less those before. */
async function rise(series: readonly string[], work: () => Promise<unknown>) {
  const before = await scrape()
  await work()
  const after = await scrape()
  return series.map((each) => (readSeries(after, each) ?? 0) - (readSeries(before, each) ?? 0))
}

test('each call counts once by its action and outcome, and its money as the books have it', async () => {
  const account = await gateway().account(100)
  const counted = await rise(
    [
      'tollway_calls_total{action="test/echo",outcome="ok"}',
      'tollway_calls_total{action="test/echo",outcome="replayed"}',
      'tollway_calls_total{action="test/echo",outcome="bad_request"}',
      'tollway_call_duration_seconds_count{action="test/echo"}',
      'tollway_runs_total{action="test/echo",outcome="ok"}',
      'tollway_http_requests_total{method="POST",route="/api/run/:service/:action",status="200"}',
      'tollway_held_micros_total',
      'tollway_charged_micros_total',
    ],
    async () => {
      for (const text of ['one', 'two']) await account.call('test/echo', { text })
      for (const text of ['three', 'three'])
        await account.call('test/echo', { text }, { 'idempotency-key': 'three' })
      await account.call('test/echo', { text: 4 })
    },
  )
  const { availableCents } = await account.state()
  const spentMicros = (100 - availableCents) * 10_000
  expect(counted).toEqual([3, 1, 1, 5, 3, 4, spentMicros, spentMicros])
  expect(spentMicros).toBeGreaterThan(0)
})

test('nothing that a caller names becomes a label', async () => {
  const account = await gateway().account(100)
  await gateway().request('GET', '/no/such/SENTINEL-page?key=SENTINEL')
  await account.call('test/SENTINEL', { text: 'SENTINEL' })
  await account.call('test/echo', { text: 'SENTINEL' }, { 'x-request-id': 'SENTINEL' })
  const text = await scrape()
  expect(text).not.toContain('SENTINEL')
  expect(text).not.toContain(account.id)
  expect(text).toMatch(/route="unknown",status="404"/)
})

test('the metrics are for the operator, or at a port of their own, or off', async () => {
  expect((await gateway().request('GET', '/metrics')).status).toBe(401)
  const log = createLogCapture()
  await startGateway({ env: { METRICS_PORT: '0' }, log })
  const [, url] = /"url":"(http[^"]+\/metrics)"/.exec(log.text()) ?? []
  const reply = await fetch(url ?? '')
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await reply.text()).toContain('tollway_build_info{version=')
  expect((await fetch(new URL('/api/run', url))).status).toBe(404)
  const off = await startGateway({ env: { METRICS: 'off' } })
  const refusal = await off.request('GET', '/metrics', { key: adminToken })
  expect(refusal).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('METRICS=on') },
  })
})

test('the status of the gateway is open to everyone, as a page and as data', async () => {
  const { body } = await gateway().request('GET', '/status.json')
  expect(body.status).toBe('ok')
  expect(body.services).toContainEqual(
    expect.objectContaining({
      service: 'test',
      status: expect.any(String),
      actions: expect.any(Number),
    }),
  )
  const page = await gateway().request('GET', '/status')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.body).toContain('Everything works.')
})

const alerts: { alert: string; expr: string }[] = parse(
  readText('ops/prometheus/alerts.yaml'),
).groups.flatMap(({ rules }: { rules: unknown[] }) => rules)
const dashboard = readText('ops/grafana/tollway.json')
const namesIn = (text: string) =>
  new Set(
    text
      .match(/\b(?:tollway|process|nodejs)_[a-z_]+\b/g)
      ?.map((name) => name.replace(/_bucket$/, '')),
  )

test('each metric that ops and the guide name exists, and the guide explains each', async () => {
  const measured = new Set(
    (await scrape()).split('\n').flatMap((line) => /^# HELP (\S+)/.exec(line)?.[1] ?? []),
  )
  const guide = readText('docs/operate/observability.md')
  const named = [
    dashboard,
    guide,
    readText('docs/operate/alerts.md'),
    ...alerts.map(({ expr }) => expr),
  ]
  const unknown = named.flatMap((text) => [...namesIn(text)]).filter((name) => !measured.has(name))
  expect(unknown).toEqual([])
  expect([...measured].filter((name) => !namesIn(guide).has(name))).toEqual([])
})

test('each alert has its section in the guide, and no section is without an alert', () => {
  const sections = [...readText('docs/operate/alerts.md').matchAll(/^## (.*)$/gm)].map(
    ([, title]) => title,
  )
  expect(sections).toEqual(alerts.map(({ alert }) => alert))
})

test('the dashboard is what Grafana imports: panels beside each other, each with a query', () => {
  const { panels } = JSON.parse(dashboard)
  const taken = new Set<string>()
  for (const {
    id,
    type,
    targets,
    gridPos: { x, y, w, h },
  } of panels) {
    expect(taken.has(`id ${id}`)).toBe(false)
    taken.add(`id ${id}`)
    expect(type === 'row' || targets.length > 0).toBe(true)
    expect(x + w).toBeLessThanOrEqual(24)
    for (let column = x; column < x + w; column += 1)
      for (let row = y; row < y + h; row += 1) {
        expect(taken.has(`${column}/${row}`)).toBe(false)
        taken.add(`${column}/${row}`)
      }
  }
})

describe.skipIf(promtool === undefined)(`promtool ${promtool ? '' : missing('promtool')}`, () => {
  const run = (...args: string[]) =>
    promisify(execFile)(promtool ?? '', args, { cwd: path.join(root, 'ops/prometheus') })

  test('accepts the rules, fires them where it should, and accepts the configuration', async () => {
    expect((await run('check', 'rules', 'alerts.yaml')).stdout).toContain('SUCCESS')
    expect((await run('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS')
    expect((await run('check', 'config', 'prometheus.yaml')).stdout).toContain('SUCCESS')
  })

  test('finds nothing wrong with the metrics', async () => {
    const checking = run('check', 'metrics')
    checking.child.stdin?.end(await scrape())
    expect(await checking).toMatchObject({ stdout: '', stderr: '' })
  })
})

test.skipIf(prometheus === undefined)(
  `a real Prometheus reads the metrics and evaluates every rule ${prometheus ? '' : missing('prometheus')}`,
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-prometheus-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const config = path.join(folder, 'prometheus.yaml')
    const { host } = new URL(gateway().url)
    await writeFile(
      config,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [path.join(root, 'ops/prometheus/alerts.yaml')],
        scrape_configs: [
          {
            job_name: 'tollway',
            authorization: { credentials: adminToken },
            static_configs: [{ targets: [host] }],
          },
        ],
      }),
    )
    const url = await startPrometheus(config, path.join(folder, 'data'), onTestFinished)
    const ask = async (at: string) => (await fetch(new URL(at, url))).json()
    const query = async (text: string): Promise<number | undefined> => {
      const { data } = await ask(`/api/v1/query?query=${encodeURIComponent(text)}`)
      return data?.result?.[0] === undefined ? undefined : Number(data.result[0].value[1])
    }
    const account = await gateway().account(100)
    const before =
      readSeries(await scrape(), 'tollway_calls_total{action="test/echo",outcome="ok"}') ?? 0
    for (const text of ['one', 'two', 'three']) await account.call('test/echo', { text })
    await until(
      async () =>
        (await query('sum(tollway_calls_total{action="test/echo",outcome="ok"})')) === before + 3,
    )
    expect(await query('up{job="tollway"}')).toBe(1)
    await until(async () => {
      const { data } = await ask('/api/v1/rules')
      const rules: { health: string; lastError?: string }[] = data.groups.flatMap(
        (group: { rules: unknown[] }) => group.rules,
      )
      expect(rules.filter(({ health }) => health === 'err')).toEqual([])
      return rules.length === alerts.length && rules.every(({ health }) => health === 'ok')
    })
  },
)
