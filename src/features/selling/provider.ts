// An imported API as a provider of the catalog.
import type { Action } from '#core/action.ts'
import { type Credential, defineProvider, type Provider, type Upstream } from '#core/provider.ts'
import { schemaCompilerOf } from '#platform/json-schema/json-schema.ts'
import type { DescribedKey, DescribedOperation, DescribedSecurity } from './described-operation.ts'
import { endpointAction, endpointActionOf, endpointOperation } from './endpoint.ts'
import type { CallTool } from './mcp/sold-tool.ts'
import { soldAction } from './operations/sold-action.ts'
import { ruleFor } from './rules/price-rules.ts'
import type { SoldApi } from './sold-api.ts'

const responseBytesMax = 10_000_000
const connectionsMax = 64

export interface LeftOutOperation {
  readonly where: string
  readonly line?: number | undefined
  readonly why: string
}

/**
 * What becomes of an import: a provider, and the operations that are not sold, each with the reason. `callTool` calls
 * the tools of an MCP server.
 */
export function providerOf(
  sold: SoldApi,
  callTool?: CallTool,
): { readonly provider: Provider; readonly leftOut: readonly LeftOutOperation[] } {
  const { actions, leftOut } = actionsOf(sold, callTool)
  const provider = defineProvider({
    id: sold.name,
    title: titleOf(sold),
    ...(sold.program === undefined && !sold.private && { docs: sold.address }),
    ...upstreamOf(sold),
    actions,
  })
  return { provider, leftOut: [...sold.api.leftOut, ...leftOut] }
}

/** An endpoint without a description has its address as title, which callers are not told if it is a private one. */
const titleOf = ({ api, name, kind, private: isPrivate }: SoldApi): string =>
  kind === 'endpoint' && isPrivate ? name : api.title || name

function upstreamOf(sold: SoldApi): { readonly upstream?: Upstream } {
  const security = securityOf(sold)
  const credential = security === 'none' ? undefined : credentialOf(security)
  if (sold.kind === 'mcp')
    // Its tools are called through a connection, and its upstream only says that it needs a key.
    return credential === undefined ? {} : { upstream: { baseUrl: unusedAddress, credential } }
  const hosts = new Set(sold.api.operations.map(({ server }) => new URL(server).host))
  const upstream = {
    baseUrl: baseOf(sold),
    hosts: [...hosts],
    responseBytesMax,
    connectionsMax,
    ...(credential && { credential }),
  }
  return { upstream }
}

const unusedAddress = 'http://tools.invalid'

/** Where its requests go if an operation does not say otherwise. */
const baseOf = ({ server, api, address }: SoldApi): string =>
  server ?? api.servers[0] ?? new URL(address).origin

/** The credential that most of its operations ask for, or that the operator has named. */
export function securityOf({ api, credential }: SoldApi): DescribedSecurity {
  if (credential !== undefined) return credential
  const counts = new Map<string, number>()
  for (const { security } of api.operations)
    if (security !== 'none')
      counts.set(JSON.stringify(security), (counts.get(JSON.stringify(security)) ?? 0) + 1)
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one)
  return first === undefined ? 'none' : JSON.parse(first[0])
}

/** Where a request, or a program, has the key. */
export function attachKey(security: DescribedSecurity, key: string | undefined): Attached {
  return security === 'none' || key === undefined ? {} : placeKeys(security, key)
}

interface Attached {
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string>
  readonly environment?: Record<string, string>
}

function credentialOf(security: Exclude<DescribedSecurity, 'none'>): Credential {
  const places: readonly DescribedKey[] = [security, ...(security.and ?? [])]
  const forms = places.map(({ kind, name }) =>
    kind === 'basic' ? 'user:password' : (name ?? 'token'),
  )
  return {
    attach: (key) => placeKeys(security, key),
    ...(forms.join().includes(':') || forms.length > 1 ? { form: forms.join(':') } : {}),
  }
}

function placeKeys(security: Exclude<DescribedSecurity, 'none'>, key: string): Attached {
  const places: readonly DescribedKey[] = [security, ...(security.and ?? [])]
  return joinAttached(splitKey(key, places.length).map((part, at) => place(places[at], part)))
}

/** The last keys have no colon. The first one may be `user:password`. */
function splitKey(key: string, count: number): readonly string[] {
  const parts = key.split(':')
  const first = parts.slice(0, Math.max(1, parts.length - count + 1))
  return [first.join(':'), ...parts.slice(first.length)]
}

function place(
  { kind, name = 'authorization', prefix = '' }: DescribedKey = { kind: 'bearer' },
  key: string,
): Attached {
  if (kind === 'bearer') return { headers: { authorization: `Bearer ${key}` } }
  if (kind === 'basic')
    return { headers: { authorization: `Basic ${Buffer.from(key).toString('base64')}` } }
  if (kind === 'env') return { environment: { [name]: key } }
  if (kind === 'query') return { query: { [name]: prefix + key } }
  if (kind === 'cookie') return { headers: { cookie: `${name}=${prefix}${key}` } }
  return { headers: { [name.toLowerCase()]: prefix + key } }
}

const joinAttached = (parts: readonly Attached[]): Attached => ({
  headers: Object.assign({}, ...parts.map(({ headers }) => headers)),
  query: Object.assign({}, ...parts.map(({ query }) => query)),
  environment: Object.assign({}, ...parts.map(({ environment }) => environment)),
})

/** A preview describes actions, and calls none. */
const withoutServer: CallTool = () => Promise.reject(new TypeError('There is no connection.'))

/** Since when, as an ISO date. */
export const stoppedReason = (name: string, since: string) =>
  `The operator stopped selling ${name} on ${since.slice(0, 10)}.`

const noSecurity = JSON.stringify('none')

function actionsOf(
  sold: SoldApi,
  callTool: CallTool | undefined,
): { readonly actions: readonly Action[]; readonly leftOut: readonly LeftOutOperation[] } {
  const stopped = sold.stopped && stoppedReason(sold.name, sold.stopped)
  if (sold.kind === 'endpoint') {
    const rule = ruleFor(sold.rules, endpointOperation)
    const why = 'No price rule is for all of it. Match `call` or `*`.'
    if (rule === undefined || rule.price === 'not sold')
      return { actions: [], leftOut: [{ where: endpointAction, why }] }
    const { name, address, private: isPrivate } = sold
    const action = endpointActionOf(
      { name, title: titleOf(sold), address, isPrivate },
      { rule, unavailable: stopped },
    )
    return { actions: [action], leftOut: [] }
  }
  const { definitions } = sold.api
  const inputs = schemaCompilerOf(definitions, { formats: true })
  const outputs = schemaCompilerOf(definitions, { formats: false })
  const security = JSON.stringify(securityOf(sold))
  const actions: Action[] = []
  const leftOut: LeftOutOperation[] = []
  const offer = (operation: DescribedOperation, unavailable: string | undefined) => {
    const refuse = (why: string) => leftOut.push({ where: operation.key, why })
    const rule = ruleFor(sold.rules, operation)
    if (rule === undefined) return refuse('No price rule matches it.')
    if (rule.price === 'not sold') return refuse('A price rule leaves it out.')
    if (operation.security !== 'none' && JSON.stringify(operation.security) !== security)
      return refuse('It asks for another credential than the other operations.')
    try {
      actions.push(
        soldAction(operation, {
          rule,
          definitions,
          inputs,
          outputs,
          unavailable,
          keyless: operation.security === 'none' && security !== noSecurity,
          ...(sold.kind === 'mcp' && { callTool: callTool ?? withoutServer }),
        }),
      )
    } catch (thrown) {
      refuse(`It has no price: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  for (const operation of sold.api.operations) offer(operation, stopped)
  for (const { operation, since } of sold.retired)
    offer(operation, stopped ?? `The API has not had this operation since ${since.slice(0, 10)}.`)
  return { actions, leftOut }
}
