// `tollway doctor providers`: whether the vendors behind this gateway still answer as their fixtures say. It shows what
// each call costs at most, and calls nothing without `--live`.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Surroundings, UsageError } from '@tollway/command'
import { providers } from '#catalog/providers.ts'
import type { Service } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import { readLeniently } from '#core/replies/lenient.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { readPluggedConfig } from '#plugins/plugged-config.ts'
import { readEnvironmentFile } from '#start/environment-file.ts'
import { attention, type Diagnosis, good, problem } from '../diagnosis.ts'
import { type AskedExchange, askDirectly } from './ask-directly.ts'
import { createMask, textsIn } from './mask.ts'
import { chooseProbe, type Probe } from './probe.ts'
import { compareShapes, type Shape, shapeOf } from './shape.ts'
import shippedShapes from './shapes.json' with { type: 'json' }

/** Generated from the fixtures: the forms of the replies to the probes. */
const shipped: Readonly<Record<string, Shape>> = shippedShapes

const timeoutMs = 120_000
const listedMax = 8
/** Only its owner may read what vendors have answered. */
const ownerOnly = 0o600

const ignore = () => {}
const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

interface Options {
  /** A namespace. Undefined: every provider that has its key, or needs none. */
  readonly provider?: string | undefined
  readonly live: boolean
  readonly maxCents: number
  readonly version: string
}

interface Planned {
  readonly provider: Provider
  readonly mode: Service['mode']
  readonly probe?: Probe
}

/** Resolves to the exit code: 1 if a vendor did not answer, or not as the action needs it. */
export async function runLiveDoctor(
  { provider: wanted, live, maxCents, version }: Options,
  { environment, folder, output, signal }: Omit<Surroundings, 'connection' | 'input'>,
): Promise<number> {
  const { config, plugins } = await readPluggedConfig(
    { ...readEnvironmentFile(folder), ...environment },
    folder,
  )
  const contact = config.OPERATOR_CONTACT
  const dependencies = {
    variables: config.providerVariables,
    userAgent: `Tollway/${version}${contact === undefined ? '' : ` (${contact})`}`,
    log: silent,
    clock: systemClock,
  }
  const open = (one: Provider) => createService(one, dependencies)
  const offered = [...providers, ...plugins.flatMap((plugin) => plugin.providers ?? [])]
  const plan = planProbes(offered, { wanted, open })
  const cents = plan.reduce((sum, { probe }) => sum + (probe?.cents ?? 0), 0)
  const costs = `${plan.length} providers, ${amount(cents)} at most.`
  if (!live) {
    output.print({ cents, probes: plan.map(describePlan) }, ({ probes }) =>
      [...probes.map(showPlan), `${costs} Nothing was asked; --live asks.`].join('\n'),
    )
    return 0
  }
  if (cents > maxCents)
    throw new UsageError(`${costs} That is above --max-cents ${maxCents}. Name one provider.`)
  for (const row of plan.map(describePlan)) output.note(showPlan(row))
  output.note(costs)
  const store = path.resolve(folder, config.DATA_DIR, 'probes')
  const findings: Diagnosis[] = []
  for (const { provider, probe } of plan) {
    if (probe === undefined) continue
    output.redraw(`Asking ${probe.id}`)
    findings.push(await examine(provider, probe, { offered, open, store, signal, ...dependencies }))
  }
  output.redraw('')
  const isWell = findings.every(({ state }) => state !== 'problem')
  output.print({ ok: isWell, cents, findings }, () =>
    findings
      .map(({ subject, state, says, fix }) => `${state} ${subject}: ${says} ${fix ?? ''}`.trim())
      .join('\n'),
  )
  return isWell ? 0 : 1
}

type Open = (provider: Provider) => Service

function planProbes(
  offered: readonly Provider[],
  { wanted, open }: { wanted: string | undefined; open: Open },
): Planned[] {
  const known = offered.filter(({ id, upstream }) => upstream && (wanted ?? id) === id)
  if (known.length === 0) throw new UsageError(`There is no provider ${wanted} that is asked.`)
  return known.flatMap((provider) => {
    const service = open(provider)
    void service.close()
    const probe = chooseProbe(provider)
    const isOffered = service.mode !== 'unavailable' || probe?.action.keyless === true
    if (!isOffered && wanted === undefined) return []
    if (!isOffered) throw new UsageError(`${provider.id} cannot be asked. ${service.reason ?? ''}`)
    return [{ provider, mode: service.mode, ...(probe && { probe }) }]
  })
}

const describePlan = ({ provider, mode, probe }: Planned) => ({
  provider: provider.id,
  mode,
  call: probe?.id ?? null,
  cents: probe?.cents ?? 0,
})

const showPlan = ({ provider, call, cents }: ReturnType<typeof describePlan>) =>
  call === null
    ? `${provider}: only sells, opens or begins something, so it is not asked.`
    : `${call}: ${amount(cents)} at most.`

const amount = (cents: number) => `${Number(cents.toFixed(4))}¢`

interface Examining {
  readonly offered: readonly Provider[]
  readonly open: Open
  readonly store: string
  readonly signal: AbortSignal
  readonly variables: ReadonlyMap<string, string>
}

async function examine(
  provider: Provider,
  { id, action }: Probe,
  { offered, open, store, signal, variables }: Examining,
): Promise<Diagnosis> {
  const exchanges: AskedExchange[] = []
  const startedMs = performance.now()
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const { input } = action.example
    const asking = { providers: offered, signal: ended, open, exchanges }
    const answer = await askDirectly(id, input, asking)
    const read = readLeniently(action.output, answer)
    const fixture = redact(exchanges, { variables, keep: textsIn(input) })
    const file = path.join(store, `${id.replace('/', '.')}.json`)
    const before = (await readStored(file)) ?? shipped[id]
    await mkdir(store, { recursive: true })
    await writeFile(file, `${JSON.stringify(fixture, null, 2)}\n`, { mode: ownerOnly })
    if ('error' in read)
      return problem(id, 'Its reply does not fit the schema of the action.', `See ${file}.`)
    const ms = Math.round(performance.now() - startedMs)
    return describeDrift(id, { before, now: fixture.shape, ms, file })
  } catch (thrown) {
    return describeFailure(id, toCallError(thrown), provider)
  }
}

function describeDrift(
  id: string,
  { before, now, ms, file }: { before: Shape | undefined; now: Shape; ms: number; file: string },
): Diagnosis {
  if (before === undefined) return good(id, `It answered in ${ms} ms. There is nothing to compare.`)
  const { gone, changed } = compareShapes(before, now)
  if (gone.length + changed.length === 0)
    return good(id, `It answered in ${ms} ms, in the form of its fixture.`)
  const told = [
    ...(gone.length === 0 ? [] : [`It lacks ${list(gone)}.`]),
    ...(changed.length === 0 ? [] : [`It changed ${list(changed)}.`]),
  ]
  return attention(id, told.join(' '), `Compare ${file} with the vendor’s documentation.`)
}

const list = (names: readonly string[]) =>
  [
    // The list of all replies of the call is not part of the vendor's form.
    ...names.slice(0, listedMax).map((name) => name.replace(/^\[\]\.?/, '')),
    ...(names.length > listedMax ? ['and more'] : []),
  ].join(', ')

function describeFailure(
  id: string,
  { code, message, data }: ReturnType<typeof toCallError>,
  { docs }: Provider,
): Diagnosis {
  const { reason } = (data ?? {}) as { reason?: unknown }
  if (code === 'not_found')
    return good(id, 'It accepts this gateway, and has nothing on the example.')
  if (code === 'rate_limited' || code === 'upstream_busy')
    return attention(id, message, 'Ask again later.')
  if (reason === 'provider_auth')
    return problem(id, 'It refuses the key of this gateway.', 'Replace the key.')
  if (reason === 'provider_unfunded')
    return problem(id, 'The account at the vendor is empty.', 'Top it up.')
  return problem(id, `${code}: ${message}`, `Compare the vendor’s documentation: ${docs ?? ''}`)
}

interface Stored {
  readonly recorded: string
  readonly shape: Shape
  readonly exchanges: readonly object[]
}

/** What may be kept: without the operator’s secrets and the data of people. */
function redact(
  exchanges: readonly AskedExchange[],
  { variables, keep }: { variables: ReadonlyMap<string, string>; keep: readonly string[] },
): Stored {
  const secrets = [...variables].flatMap(([name, value]) => (name.endsWith('_KEY') ? value : []))
  const mask = createMask({ secrets, keep })
  const kept = exchanges.map(({ request, reply }) => ({
    request: {
      method: request.method,
      host: request.host,
      path: request.path,
      query: request.query,
      body: request.body,
    },
    reply: { status: reply.status, body: Buffer.isBuffer(reply.body) ? null : reply.body },
  }))
  return {
    recorded: new Date(systemClock.now()).toISOString(),
    shape: shapeOf(exchanges.map(({ reply }) => reply.body)),
    exchanges: mask.apply(kept) as object[],
  }
}

/** The form of the last answer. Undefined without one, or if the file cannot be read. */
async function readStored(file: string): Promise<Shape | undefined> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Stored).shape
  } catch {
    return undefined
  }
}
