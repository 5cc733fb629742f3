// The MCP servers whose tools are sold: connections over HTTP, and programs in boxes. Revisions of an import share one
// connection, because a server may remember what its callers have done.
import type { Circuit, Clock, Log } from '#core/ports.ts'
import type { SharedRecords } from '#core/replicas/shared-state.ts'
import { createDial, createEgressAgent } from '#platform/egress/dial.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { type CircuitBreaker, createCircuitBreaker } from '#platform/http/circuit-breaker.ts'
import { redactSecrets } from '#platform/http/vendor-text.ts'
import type { NodePackages } from '#platform/sandbox/node-packages.ts'
import type { ServedPrograms, ServedProgramTerms } from '#platform/sandbox/served-programs.ts'
import type { DescribedSecurity } from '../described-operation.ts'
import { attachKey } from '../provider.ts'
import type { SoldProgram } from '../sold-api.ts'
import { readCommand } from './command.ts'
import { createMcpConnection, type McpConnection, type ServerCircuit } from './connection.ts'
import { createHttpTransport, createProgramTransport } from './transports.ts'

export interface ToolServerTerms {
  readonly address: string
  readonly program?: SoldProgram | undefined
  readonly security: DescribedSecurity
  readonly key: string | undefined
  readonly private: boolean
  /** For an address. */
  readonly guard: EgressGuard
}

export interface ToolServers {
  /** A connection of its own, to be closed by the caller. */
  open(terms: ToolServerTerms): McpConnection
  /** The one of this name on these terms. Its `close` gives it back, and the last one ends it. */
  share(name: string, terms: ToolServerTerms, onToolsChanged: () => void): SharedConnection
  /** `name@1.2.3` of a command that begins with `npx`. Throws an Error. */
  packageOf(program: SoldProgram): Promise<string | undefined>
  close(): Promise<void>
}

/** Calls to a server that is down are paused, by all gateways. */
export interface SharedConnection extends McpConnection {
  circuits(): readonly Circuit[]
}

interface Shared {
  readonly connection: SharedConnection
  uses: number
}

export function createToolServers({
  programs,
  packages,
  version,
  userAgent,
  clock,
  records,
  log,
}: {
  readonly programs: ServedPrograms
  readonly packages: NodePackages
  readonly version: string
  readonly userAgent: string
  readonly clock: Clock
  readonly records: SharedRecords | undefined
  readonly log: Log
}): ToolServers {
  const shared = new Map<string, Shared>()

  /** With the version that the operator has confirmed. */
  async function install(program: SoldProgram) {
    const command = readCommand(program.command)
    if (command.kind === 'program') return undefined
    return { command, package: await packages.install(program.package ?? command.specification) }
  }

  async function termsOf(
    program: SoldProgram,
    secrets: Readonly<Record<string, string>>,
  ): Promise<ServedProgramTerms> {
    const { folders, network, environment } = program
    const own = folders.map(({ path, may_write: mayWrite }) => ({ path, mayWrite }))
    const common = { network, environment: { ...environment, ...secrets } }
    const found = await install(program)
    if (found === undefined) return { ...common, command: program.command, folders: own }
    const file = found.package.programFile(found.command.program)
    return {
      ...common,
      command: ['node', file, ...found.command.args],
      folders: [...own, { path: found.package.folder, mayWrite: false }],
    }
  }

  function open(
    { address, program, security, key, guard }: ToolServerTerms,
    onToolsChanged?: () => void,
    circuit?: ServerCircuit,
  ): McpConnection {
    const { headers = {}, query = {}, environment = {} } = attachKey(security, key)
    const secrets = key === undefined ? [] : [key, JSON.stringify(key).slice(1, -1)]
    const redact = (text: string) => redactSecrets(text, secrets)
    const common = { version, log, redact, onToolsChanged, circuit }
    if (program !== undefined)
      return createMcpConnection({
        ...common,
        isProgram: true,
        openTransport: () =>
          createProgramTransport(async (signal) =>
            programs.start(await termsOf(program, environment), signal),
          ),
      })
    const agent = createEgressAgent(createDial(guard))
    const url = new URL(address)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const connection = createMcpConnection({
      ...common,
      openTransport: () =>
        createHttpTransport(url.href, {
          agent,
          admit: (each) => guard.admit(each),
          headers: { 'user-agent': userAgent, ...headers },
        }),
    })
    const close = async () => {
      await connection.close()
      await agent.destroy()
    }
    return { ...connection, close }
  }

  return {
    open: (terms) => open(terms),
    share(name, { guard, ...terms }, onToolsChanged) {
      const id = JSON.stringify([name, terms])
      const start = () => {
        const { circuit, circuits } = createCircuit(name, terms.address, { clock, records })
        return { ...open({ ...terms, guard }, onToolsChanged, circuit), circuits }
      }
      const found: Shared = shared.get(id) ?? { connection: start(), uses: 0 }
      shared.set(id, found)
      found.uses += 1
      let isGivenBack = false
      return {
        ...found.connection,
        async close() {
          if (isGivenBack) return
          isGivenBack = true
          found.uses -= 1
          if (found.uses > 0) return
          shared.delete(id)
          await found.connection.close()
        },
      }
    },
    async packageOf(program) {
      const command = readCommand(program.command)
      if (command.kind === 'program') return undefined
      const { specification } = command
      const isOfRegistry = registryName.test(specification)
      const found = isOfRegistry
        ? await packages.installLatest(specification)
        : await packages.install(specification)
      found.programFile(command.program)
      return isOfRegistry ? found.id : undefined
    },
    async close() {
      await Promise.all([...shared.values()].map(({ connection }) => connection.close()))
      await packages.close()
    },
  }
}

function createCircuit(
  name: string,
  address: string,
  { clock, records }: { readonly clock: Clock; readonly records: SharedRecords | undefined },
): { readonly circuit: ServerCircuit } & Pick<CircuitBreaker, 'circuits'> {
  const { enter, leave, circuits } = createCircuitBreaker({
    clock,
    shared: records && { records, name: `tools of ${name}` },
  })
  const circuit = {
    enter: () => enter(address),
    leave: (outcome: 'alive' | 'down' | 'unknown') => leave(address, outcome),
  }
  return { circuit, circuits }
}

/** Not the path of a folder or an archive, nor an address. */
const registryName = /^(@[\w.-]+\/)?[\w][\w.-]*(@[\w.^~<>=*-]+)?$/
