// Runs one action of the catalog as the runner would, against the server at a base URL.
import { generateKeyPairSync } from 'node:crypto'
import { providers } from '#catalog/providers.ts'
import type { Action, JobContext } from '#core/action.ts'
import { runsAsJob } from '#core/calls/action-mode.ts'
import { fixtureKey } from '#core/canaries/kept-exchange.ts'
import { splitId } from '#core/catalog.ts'
import type { CallError } from '#core/errors.ts'
import { type CallerFiles, noFiles } from '#core/files.ts'
import { blame } from '#core/path.ts'
import type { Clock } from '#core/ports.ts'
import { baseUrlName, credentialNames, type Provider } from '#core/provider.ts'
import { readLeniently } from '#core/replies/lenient.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { type Exchange, startReplayServer } from './replay-server.ts'
import { silentLog } from './silent-log.ts'
import { spendUpTo, testWallet } from './test-wallet.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A key of the provider’s form, or one that can sign. */
export function testCredential({ upstream }: Pick<Provider, 'upstream'>): string {
  const { credential = {} } = upstream ?? {}
  return 'sign' in credential && credential.sign !== undefined
    ? `test-organization:${pem}`
    : fixtureKey(credential)
}

/**
 * The keys that a provider needs for its fixtures, by their settings. A fixture is plain HTTP, so a vendor that speaks
 * gRPC has none: its fixtures are those of its paid endpoint.
 */
export function credentialsOf(provider: Provider): readonly (readonly [string, string])[] {
  const { credential, wire } = provider.upstream ?? {}
  if (credential?.optional || wire === 'grpc') return []
  return credentialNames(provider)
    .slice(0, 1)
    .map((name) => [name, testCredential(provider)])
}

/** Of the session that the action creates. */
const sessionId = '01970000-0000-7000-8000-000000000001'

interface RunOptions {
  /** The caller’s ceiling. Default: that of the example. */
  readonly maxCents?: number
  readonly input: unknown
  readonly clock?: Clock
  /** The actions that are available for the action to call. Default: all. */
  readonly available?: (id: string) => boolean
  /** The vendor's ids that the caller owns. Default: none. */
  readonly issued?: (kind: string) => Promise<readonly string[]>
  /** Default: the caller has no files. */
  readonly files?: CallerFiles
}

/**
 * Validates, checks, runs, and reads the answer. A session is opened, and not closed. Actions that it calls find their
 * provider at the same base URL.
 */
export async function runAction(
  provider: Provider,
  name: string,
  options: RunOptions & { baseUrl: string },
): Promise<UntypedJson> {
  const action = provider.actions.find((candidate) => candidate.name === name) as Action
  const { clock = systemClock, available = () => true, issued = async () => [] } = options
  const service = createService(provider, {
    variables: new Map([[baseUrlName(provider), options.baseUrl], ...credentialsOf(provider)]),
    userAgent: 'Tollway/test (tests@example.org)',
    clock,
    log: silentLog,
    wallet: testWallet,
  })
  const { signal } = new AbortController()
  const maxCents = options.maxCents ?? action.example.cents
  try {
    const input = action.input.parse(options.input)
    action.check?.(input)
    const http = service.http.withSignal(signal, spendUpTo(maxCents))
    if (action.session !== undefined) {
      await action.session.open({ sessionId, accountId: 'account', http, signal, clock, input })
      return { session_id: sessionId }
    }
    const context: JobContext<unknown> = {
      input,
      http,
      caller: { kind: 'account', accountId: 'account', keyId: 'key', isLimited: false },
      files: options.files ?? noFiles,
      signal,
      clock,
      maxCents,
      keepAnswer: () => undefined,
      record: () => {},
      spend: () => {},
      checkpoints: new Map(),
      jobId: runsAsJob(action, input) ? '01970000-0000-7000-8000-000000000000' : '',
      issue: async () => {},
      effect: async () => {},
      later: () => {
        throw new Error('The job waits.')
      },
      save: async () => {},
      report: async () => {},
      stopReason: async () => undefined,
      available,
      issued,
      purchase: (buy) => buy('01970000-0000-7000-8000-00000000000a'),
      prepare: () => {
        throw new Error('No vendor’s action prepares calls.')
      },
      call: (id, body) => {
        const [service, called] = splitId(id)
        const other = providers.find((candidate) => candidate.id === service) as Provider
        return runAction(other, called, { ...options, input: body })
      },
    }
    const output = await action.run(context)
    // As JSON, the form that the caller receives.
    const read = readLeniently(action.output, output)
    if ('error' in read) throw read.error
    return JSON.parse(JSON.stringify(read.data))
  } catch (thrown) {
    throw blame(thrown, options.input)
  } finally {
    await service.close()
  }
}

/**
 * The answer or failure of `input` when the provider replies as in `exchanges`. Throws if it received other requests.
 */
export async function replayAction(
  provider: Provider,
  name: string,
  options: RunOptions & { exchanges: readonly Exchange[] },
): Promise<{ output?: UntypedJson; error?: CallError }> {
  const { exchanges, ...rest } = options
  const server = await startReplayServer(exchanges)
  try {
    const baseUrl = server.baseUrlFor(provider.upstream?.baseUrl ?? '')
    const result = await runAction(provider, name, { baseUrl, ...rest }).then(
      (output) => ({ output }),
      (error) => ({ error }),
    )
    if (server.problems().length > 0) throw new Error(server.problems().join('\n'))
    return result
  } finally {
    await server.close()
  }
}
