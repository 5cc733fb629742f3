// The check without a gateway: before its first start, or while it is stopped. What it keeps is in `DATA_DIR/probes`.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Surroundings, UsageError } from '@tollway/command'
import { shippedFormOf } from '#catalog/lib/shipped-form.ts'
import { providers } from '#catalog/providers.ts'
import type { Asking } from '#core/canaries/ask-directly.ts'
import { type CheckResult, checkProvider } from '#core/canaries/check.ts'
import type { ReplyForm } from '#core/canaries/drift.ts'
import { fixtureOf } from '#core/canaries/fixture.ts'
import { secretsOf } from '#core/canaries/mask.ts'
import { chooseProbe, type Probe } from '#core/canaries/probe.ts'
import type { Log } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { readPluggedConfig } from '#plugins/plugged-config.ts'
import { readEnvironmentFile } from '#start/environment-file.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { diagnosisOf, type PlannedCheck } from './planned.ts'

/** Only its owner may read what vendors have answered. */
const ownerOnly = 0o600

const ignore = () => {}
const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

export async function planHere(
  {
    provider: wanted,
    version,
  }: { readonly provider?: string | undefined; readonly version: string },
  { environment, folder, signal }: Pick<Surroundings, 'environment' | 'folder' | 'signal'>,
): Promise<readonly PlannedCheck[]> {
  const { config, plugins } = await readPluggedConfig(
    { ...readEnvironmentFile(folder), ...environment },
    folder,
  )
  const contact = config.OPERATOR_CONTACT
  const variables = config.providerVariables
  const dependencies = {
    variables,
    userAgent: `Tollway/${version}${contact === undefined ? '' : ` (${contact})`}`,
    log: silent,
    clock: systemClock,
  }
  const open: Asking['open'] = (one, onReply) => createService(one, { ...dependencies, onReply })
  const offered = [...providers, ...plugins.flatMap((plugin) => plugin.providers ?? [])]
  const store = path.resolve(folder, config.DATA_DIR, 'probes')
  const known = offered.filter(({ id, upstream }) => upstream && (wanted ?? id) === id)
  if (known.length === 0) throw new UsageError(`There is no provider ${wanted} that is asked.`)
  return known.flatMap((provider) => {
    const service = open(provider, () => {})
    void service.close()
    const probe = chooseProbe(provider)
    const isOffered = service.mode !== 'unavailable' || probe?.action.keyless === true
    if (!isOffered && wanted === undefined) return []
    if (!isOffered) throw new UsageError(`${provider.id} cannot be asked. ${service.reason ?? ''}`)
    return [
      {
        provider: provider.id,
        mode: service.mode,
        call: probe?.id ?? null,
        cents: probe?.cents ?? 0,
        ...(probe && {
          ask: () => examine(probe, { offered, open, store, signal, variables }),
        }),
      },
    ]
  })
}

interface Examining {
  readonly offered: readonly Provider[]
  readonly open: Asking['open']
  readonly store: string
  readonly signal: AbortSignal
  readonly variables: ReadonlyMap<string, string>
}

async function examine(
  probe: Probe,
  { offered, open, store, signal, variables }: Examining,
): Promise<Diagnosis> {
  const file = path.join(store, `${probe.id.replace('/', '.')}.json`)
  const startedAt = new Date(systemClock.now())
  const parts = { providers: offered, clock: systemClock }
  const result = await checkProvider(probe, {
    ...parts,
    open,
    signal,
    expected: (await readStored(file)) ?? shippedFormOf(probe.id),
    secrets: secretsOf(variables),
  })
  const { form, exchanges } = result
  if (form !== null) {
    const fixture = await fixtureOf(probe, { ...result, startedAt }, parts)
    const kept = { form, ...(fixture ?? { exchanges }) }
    await mkdir(store, { recursive: true })
    await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: ownerOnly })
  }
  return describe(probe.id, result, file)
}

function describe(
  id: string,
  { state, says, fix, form, tookMs }: CheckResult,
  file: string,
): Diagnosis {
  const fixes = [fix, state === 'well' || form === null ? null : `The reply is in ${file}.`]
  const told = fixes.filter((each) => each !== null).join(' ')
  return {
    subject: id,
    state: diagnosisOf[state],
    says: state === 'well' ? `${says} It took ${tookMs} ms.` : says,
    ...(told !== '' && { fix: told }),
  }
}

/** The form of the last answer. Undefined without one, or if the file cannot be read. */
async function readStored(file: string): Promise<ReplyForm | undefined> {
  try {
    const { form }: { form: ReplyForm } = JSON.parse(await readFile(file, 'utf8'))
    return form
  } catch {
    return undefined
  }
}
