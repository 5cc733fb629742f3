// Which gateway a verb talks to, and with which key.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createTollway, type Tollway } from '@tollway/client'
import { type Credentials, readCredentials } from './credentials.ts'
import { UsageError } from './verb.ts'

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
  /** Undefined for a caller without an account. */
  readonly key: string | undefined
  readonly credentials: Credentials
  readonly tollway: Tollway<AnyActions>
}

type Environment = Readonly<Record<string, string | undefined>>

const localGateway = 'http://127.0.0.1:4020'

/** Throws UsageError if the address is not one. */
export async function openConnection(
  environment: Environment,
  options: { readonly gateway: string | undefined; readonly folder: string },
): Promise<Connection> {
  const credentials = await readCredentials(environment)
  const baseUrl = normalize(
    options.gateway ?? environment.TOLLWAY_URL ?? credentials.current ?? localGateway,
  )
  const key =
    environment.TOLLWAY_KEY ||
    credentials.keyOf(baseUrl) ||
    (await keyOfLocalGateway(baseUrl, environment, options.folder))
  const tollway = openTollway({ baseUrl, key }, environment)
  return { baseUrl, key, credentials, tollway }
}

export const openTollway = (
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string | undefined },
  { OWN_NS: ownNamespace }: Environment,
) =>
  createTollway<AnyActions>({
    baseUrl,
    ...(key === undefined ? {} : { key }),
    ...(ownNamespace ? { ownNamespace } : {}),
  })

/** The same gateway has one name: without a slash at its end. */
export function normalize(address: string): string {
  if (!/^https?:\/\/[^/]/.test(address) || !URL.canParse(address))
    throw new UsageError(
      `"${address}" is not the address of a gateway. Give one such as ${localGateway}.`,
    )
  return new URL(address).href.replace(/\/+$/, '')
}

/** The first start of a gateway leaves the key of its first account in its data folder. It is sent to this machine only. */
async function keyOfLocalGateway(baseUrl: string, environment: Environment, folder: string) {
  const { hostname } = new URL(baseUrl)
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined
  const file = path.resolve(folder, environment.DATA_DIR || 'data', 'starter-key')
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trim() || undefined
}
