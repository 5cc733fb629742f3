// MCP servers whose tools the operator sells: their connections, and the tools that they change by themselves.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Provider } from '#core/provider.ts'
import { checkOperations } from '#features/selling/importing/check-operations.ts'
import { reviseTools, type ToolSource } from '#features/selling/importing/read-tools.ts'
import type { McpConnection } from '#features/selling/mcp/connection.ts'
import { toolCaller } from '#features/selling/mcp/sold-tool.ts'
import { createToolServers, type SharedConnection } from '#features/selling/mcp/tool-servers.ts'
import { providerOf, securityOf } from '#features/selling/provider.ts'
import { privatePlaceOf, readSoldApi, type SoldApi } from '#features/selling/sold-api.ts'
import type { SoldApis } from '#features/selling/store/sold-apis.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createNodePackages } from '#platform/sandbox/node-packages.ts'
import { createServedPrograms } from '#platform/sandbox/served-programs.ts'
import type { AppContext } from '../context.ts'
import type { Store } from '../store.ts'

/** A server that says with each reading that its tools have changed is not read without end. */
const readingsApartMs = 1_000

/** The provider of a revision, and how its calls reach the server. */
export interface SoldTools {
  readonly provider: Provider
  /** Calls go to this connection from now on. */
  use(connection: McpConnection): void
}

export function openSoldTools(
  { config, clock, log, version, userAgent, sandbox, onClose }: AppContext,
  {
    database,
    soldApis,
    publicGuard,
    guardOf,
    shared: { records },
  }: Pick<Store, 'database' | 'shared'> & {
    readonly soldApis: SoldApis
    /** Of programs in boxes. */
    readonly publicGuard: EgressGuard
    /** `place`: what is open although it is in the operator's network. */
    readonly guardOf: (place: URL | undefined) => EgressGuard
  },
) {
  const servers = createToolServers({
    programs: createServedPrograms({ sandbox, guard: publicGuard }),
    packages: createNodePackages({ environment: config.npmVariables }),
    version,
    userAgent,
    clock,
    records,
    log,
  })
  const closing = new AbortController()
  const followed = new Map<string, Promise<void>>()
  /** Servers whose tools are about to be read. However often they say that these have changed, one reading is due. */
  const due = new Map<string, () => McpConnection>()
  onClose(async () => {
    closing.abort()
    await servers.close()
    await Promise.all(followed.values())
  })

  async function follow(name: string, connection: () => McpConnection) {
    const stored = await soldApis.find(name)
    if (stored === undefined || stored.sold.stopped !== undefined || closing.signal.aborted) return
    const { sold, revision } = stored
    const now = new Date(clock.now())
    const revised = await checkOperations(reviseTools(sold, await connection().list(), now))
    const next = readSoldApi(JSON.parse(JSON.stringify(revised)))
    if (isDeepStrictEqual(next, readSoldApi(JSON.parse(JSON.stringify(sold))))) return
    await database.transaction((client) => soldApis.replace(next, revision, client))
  }

  async function followDue(name: string) {
    for (let next = due.get(name); next !== undefined; next = due.get(name)) {
      due.delete(name)
      await follow(name, next).catch((error) =>
        log.warn({ err: error, name }, 'The tools of a sold server were not read.'),
      )
      await sleep(readingsApartMs, undefined, { signal: closing.signal }).catch(() => {})
    }
    followed.delete(name)
  }

  /** One after the other: the last change must be the one that is stored. */
  function followLater(name: string, connection: () => McpConnection) {
    due.set(name, connection)
    if (!followed.has(name)) followed.set(name, followDue(name))
  }

  return {
    packageOf: servers.packageOf,
    openSource: ({ address, program, private: isPrivate, security, key }: ToolSource) => {
      const guard = guardOf(isPrivate ? (URL.parse(address) ?? undefined) : undefined)
      return servers.open({ address, program, security, key, private: isPrivate, guard })
    },
    describe(sold: SoldApi): SoldTools {
      let connection: McpConnection | undefined
      const callTool = toolCaller(() => {
        if (connection === undefined) throw new TypeError(`${sold.name} was not opened.`)
        return connection
      })
      const { provider } = providerOf(sold, callTool)
      return { provider, use: (opened) => (connection = opened) }
    },
    connect(sold: SoldApi, key: string | undefined): SharedConnection {
      const { name, address, program } = sold
      const terms = { address, program, security: securityOf(sold), private: sold.private }
      const connection = servers.share(
        name,
        { ...terms, key, guard: guardOf(sold.private ? privatePlaceOf(sold) : undefined) },
        () => followLater(name, () => connection),
      )
      return connection
    },
  }
}
