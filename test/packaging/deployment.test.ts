// What operators deploy with: the unit of systemd, the manifests of Kubernetes and the chart of Helm, as far as they
// can be judged without a cluster.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { settings } from '../../src/config.ts'
import { renderChart } from './render-chart.ts'

const root = path.join(import.meta.dirname, '../..')
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8')

const isInstalled = (program: string) => {
  try {
    execFileSync('which', [program], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

const hasSystemd = isInstalled('systemd-analyze')
describe.skipIf(!hasSystemd)(`systemd ${hasSystemd ? '' : '(skipped: not installed)'}`, () => {
  // The words of the unit are judged, not whether this machine has the program and the user.
  const unit = () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tollway-unit-'))
    execFileSync('cp', [path.join(root, 'ops/systemd/tollway.service'), folder])
    execFileSync('sed', [
      '-i',
      `s#^ExecStart=/usr/bin/node#ExecStart=${process.execPath}#`,
      path.join(folder, 'tollway.service'),
    ])
    return folder
  }

  test('finds nothing wrong with the unit', () => {
    const folder = unit()
    try {
      const printed = execFileSync(
        'systemd-analyze',
        ['verify', '--man=no', path.join(folder, 'tollway.service')],
        {
          encoding: 'utf8',
          stdio: 'pipe',
        },
      )
      expect(printed).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('rates its exposure below 2 of 10', () => {
    const printed = execFileSync(
      'systemd-analyze',
      [
        'security',
        '--offline=true',
        '--no-pager',
        '--threshold=20',
        path.join(root, 'ops/systemd/tollway.service'),
      ],
      { encoding: 'utf8', stdio: 'pipe' },
    )
    expect(printed).toMatch(/Overall exposure level for tollway.service: 1\.\d OK/)
  })
})

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
}

const read = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
const byName = (manifests: readonly Manifest[]) =>
  Object.fromEntries(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, each]))

const values = parse(readText('ops/helm/tollway/values.yaml'))
const chart = parse(readText('ops/helm/tollway/Chart.yaml'))
const rendered = (changed: object = {}) => {
  const merged = { ...values, ...changed }
  const folder = path.join(root, 'ops/helm/tollway/templates')
  return renderChart(folder, {
    Values: merged,
    Chart: { AppVersion: chart.appVersion },
    Release: { Name: 'tollway' },
  })
}
const isValid = new Ajv({ allErrors: true }).compile(
  JSON.parse(readText('ops/helm/tollway/values.schema.json')),
)

test('the chart has the version of the gateway, and its values fit their schema', () => {
  expect([chart.version, chart.appVersion]).toEqual([packageJson.version, packageJson.version])
  expect(isValid(values)).toBe(true)
  expect(isValid({ ...values, replica: 2 })).toBe(false)
  expect(isValid({ ...values, settings: { RATE_LIMIT_PER_MINUTE: 5 } })).toBe(false)
})

const hasKubectl = isInstalled('kubectl')
test.skipIf(!hasKubectl)(
  `the chart with its defaults makes what the kustomize base makes ${hasKubectl ? '' : '(skipped: kubectl is not installed)'}`,
  () => {
    const built = execFileSync('kubectl', ['kustomize', path.join(root, 'ops/kubernetes/base')], {
      encoding: 'utf8',
    })
    expect(byName(rendered().flatMap(read))).toEqual(byName(read(built)))
  },
)

test('values of the operator are where they belong, and an ingress only where it is wanted', () => {
  const made = byName(
    rendered({
      settings: { RATE_LIMIT_PER_MINUTE: '1200' },
      image: { repository: 'mirror.example/tollway', tag: '9.9.9' },
      ingress: {
        ...values.ingress,
        enabled: true,
        host: 'tolls.example',
        tlsSecret: 'certificate',
      },
    }).flatMap(read),
  )
  expect(made['ConfigMap tollway']).toMatchObject({ data: { RATE_LIMIT_PER_MINUTE: '1200' } })
  expect(made['StatefulSet tollway']).toMatchObject({
    spec: { template: { spec: { containers: [{ image: 'mirror.example/tollway:9.9.9' }] } } },
  })
  expect(made['Ingress tollway']).toMatchObject({
    spec: { tls: [{ hosts: ['tolls.example'] }], rules: [{ host: 'tolls.example' }] },
  })
  expect(byName(rendered().flatMap(read))).not.toHaveProperty('Ingress tollway')
})

test('gateways in a cluster run without rights, may end their calls, and are asked where they answer', () => {
  const [{ spec }] = rendered()
    .flatMap(read)
    .filter(({ kind }) => kind === 'StatefulSet') as unknown as [
    { spec: { template: { spec: Record<string, unknown> } } },
  ]
  expect(spec.template.spec).toMatchObject({
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 60,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
      },
    ],
  })
})

test('the unit and the manifests set only settings that exist', () => {
  const known = new Set([...Object.keys(settings), 'NODE_ENV'])
  const inUnit = [...readText('ops/systemd/tollway.service').matchAll(/^Environment=(\w+)=/gm)].map(
    ([, name]) => name,
  )
  const [{ data }] = rendered()
    .flatMap(read)
    .filter(({ kind }) => kind === 'ConfigMap') as unknown as [{ data: object }]
  expect([...inUnit, ...Object.keys(data)].filter((name) => !known.has(name ?? ''))).toEqual([])
})
