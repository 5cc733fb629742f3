// Which gateway a verb talks to, and with which key.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createTollway, type Tollway, TollwayError } from '@tollway/client'
import { type BrowserAccess, refreshAccess } from './browser-access.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { didYouMean, nearest } from './meant/suggestions.ts'
import { UsageError } from './usage-error.ts'

/** The command learns at run time which actions a gateway has. */
interface AnyActions {
  readonly [action: string]: {
    readonly input: Readonly<Record<string, unknown>> & { readonly cursor?: unknown }
    readonly output: Readonly<Record<string, unknown>> & { readonly next_cursor?: unknown }
    readonly job: true
  }
}

export interface Connection {
  readonly baseUrl: string
  /**
   * An API key, or a token that still works for a while. Undefined for a caller without an account. Throws
   * TollwayError.
   */
  readonly currentKey: CurrentKey
  readonly hasKey: boolean
  readonly credentials: Credentials
  readonly tollway: Tollway<AnyActions>
}

export type CurrentKey = () => Promise<string | undefined>

type Environment = Readonly<Record<string, string | undefined>>

const localGateway = 'http://127.0.0.1:4020'
/** A token that ends sooner is refreshed, so that it does not end on its way. */
const tokenMarginMs = 60_000

/** Throws UsageError if the address is not one. */
export async function openConnection(
  environment: Environment,
  options: {
    readonly gateway: string | undefined
    readonly folder: string
    /** The verb stores or forgets a key, and so needs none. */
    readonly signsIn?: boolean | undefined
  },
): Promise<Connection> {
  const isNeeded = options.signsIn === true || !saysAll(environment, options.gateway)
  const credentials = await readCredentials(environment, { isNeeded })
  const { gateways } = credentials
  const baseUrl = addressOfGateway(
    options.gateway ?? (environment.TOLLWAY_URL || credentials.current) ?? localGateway,
    gateways,
  )
  const found =
    keyOfEnvironment(environment, baseUrl) ||
    credentials.of(baseUrl) ||
    (await keyOfLocalGateway(baseUrl, environment, options.folder))
  if (found === undefined && environment.TOLLWAY_KEY && !options.signsIn)
    throw new UsageError(
      `TOLLWAY_KEY was not sent to ${baseUrl}, because it belongs to ${ownerOfKey(environment)}. Set TOLLWAY_URL to the gateway of the key, unset TOLLWAY_KEY, or store a key for this gateway: \`tollway login ${baseUrl}\`.`,
    )
  const own = ownNamespaceOf(environment)
  if (typeof found !== 'object') {
    const tollway = openTollway({ baseUrl, key: found }, environment)
    const hasKey = found !== undefined
    return { baseUrl, currentKey: async () => found, hasKey, credentials, tollway }
  }
  const currentKey = keepFresh(found, { baseUrl, credentials })
  const tollway = createTollway<AnyActions>({
    baseUrl,
    key: found.accessToken,
    ...own,
    async fetch(url, init) {
      const headers = new Headers(init.headers)
      // Requests that carry no token go elsewhere.
      if (headers.has('authorization')) headers.set('authorization', `Bearer ${await currentKey()}`)
      return await fetch(url, { ...init, headers })
    },
  })
  return { baseUrl, currentKey, hasKey: true, credentials, tollway }
}

/** Refreshes the access when its token ends, which may be in the middle of a long job. */
function keepFresh(
  found: BrowserAccess,
  { baseUrl, credentials }: Pick<Connection, 'baseUrl' | 'credentials'>,
): CurrentKey {
  let key = found.accessToken
  let freshUntilMs = found.expiresAtMs - tokenMarginMs
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const renewed = await credentials.renew(baseUrl, async (stored) => {
      // Another process may have refreshed it or signed in again.
      if (typeof stored === 'string' || stored.accessToken !== key) return stored
      return await refreshAccess(baseUrl, stored)
    })
    if (renewed === undefined)
      throw new TollwayError('invalid_token', {
        status: 401,
        message: 'The sign-in was ended by `tollway logout`.',
      })
    key = typeof renewed === 'string' ? renewed : renewed.accessToken
    freshUntilMs =
      typeof renewed === 'string' ? Number.POSITIVE_INFINITY : renewed.expiresAtMs - tokenMarginMs
  }

  return async () => {
    if (Date.now() >= freshUntilMs) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      await refreshing
    }
    return key
  }
}

export const openTollway = (
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string | undefined },
  environment: Environment,
) =>
  createTollway<AnyActions>({
    baseUrl,
    ...ownNamespaceOf(environment),
    ...(key === undefined ? {} : { key }),
  })

const ownNamespaceOf = ({ OWN_NS: ownNamespace }: Environment) =>
  ownNamespace ? { ownNamespace } : {}

/** An address, or a name that `tollway gateways add` has given. Throws UsageError. */
function addressOfGateway(named: string, gateways: Readonly<Record<string, string>>): string {
  if (Object.hasOwn(gateways, named)) return gateways[named] ?? ''
  if (named.includes('/')) return normalize(named)
  if (/^tw_(live|test)_/.test(named))
    throw new UsageError(
      'This is a key, and not the address of a gateway. What is typed as a word stays in the history of the shell: `tollway login` asks for the key.',
    )
  const suggestion = didYouMean(nearest(named, Object.keys(gateways)) ?? withScheme(named))
  throw new UsageError(
    `"${named}" is neither the address of a gateway, such as ${localGateway}, nor the name of one.${suggestion} \`tollway gateways\` lists the names.`,
  )
}

/** `gateway.example` and `localhost:4020` lack only how they begin. */
function withScheme(address: string): string | undefined {
  const rest = address.replace(/^(\w+:)?\/*/, (start) => (start.endsWith('/') ? '' : start))
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/.test(rest)
  const isHost = /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(rest)
  if (!isHere && !isHost) return undefined
  return `${isHere ? 'http' : 'https'}://${rest}`
}

/** The same gateway has one name: without a slash at its end. */
export function normalize(address: string): string {
  if (!/^https?:\/\/[^/]/.test(address) || !URL.canParse(address))
    throw new UsageError(
      `"${address}" is not the address of a gateway.${didYouMean(withScheme(address))} Give one such as ${localGateway}.`,
    )
  return new URL(address).href.replace(/\/+$/, '')
}

/** A key is sent to its own gateway only: the one that the environment names beside it, or one of this machine. */
function keyOfEnvironment(environment: Environment, baseUrl: string): string | undefined {
  const { TOLLWAY_KEY: key, TOLLWAY_URL: owner } = environment
  const isOwner = owner ? normalize(owner) === baseUrl : isOfThisMachine(baseUrl)
  return key && isOwner ? key : undefined
}

/** The environment has the gateway and its key, and `--gateway` names no other. */
function saysAll({ TOLLWAY_KEY: key, TOLLWAY_URL: owner }: Environment, gateway = owner): boolean {
  if (!key || !owner?.includes('/')) return false
  return (
    gateway === owner ||
    (gateway?.includes('/') === true && normalize(gateway) === normalize(owner))
  )
}

const ownerOfKey = ({ TOLLWAY_URL: owner }: Environment) =>
  owner ? `${normalize(owner)}, the gateway of TOLLWAY_URL` : 'the gateway of this machine'

const isOfThisMachine = (baseUrl: string) =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname)

/**
 * The first start of a gateway leaves the key of its first account in its data folder. It is sent to this machine only.
 */
async function keyOfLocalGateway(baseUrl: string, environment: Environment, folder: string) {
  if (!isOfThisMachine(baseUrl)) return undefined
  const file = path.resolve(folder, environment.DATA_DIR || 'data', 'starter-key')
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trim() || undefined
}
