// What the rooms of the gateway are opened with.
import type { Clock, Log } from '#core/ports.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { systemClock } from '#platform/clock.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { logWithRequestId } from '#platform/request-context.ts'
import { createSandbox, type Sandbox } from '#platform/sandbox/sandbox.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import { tellAll } from '#platform/telemetry/several.ts'
import { type Plugin, railsOf } from '#plugins/plugin.ts'
import type { Config } from '../config.ts'

export interface AppOptions {
  config: Config
  log: Log
  /** Traces, in addition to the metrics of the settings. */
  traces?: Telemetry | undefined
  clock?: Clock
  /** Called when the gateway cannot go on: its embedded database keeps stopping. */
  onFatal?: (error: Error) => void
  /** What the operator adds to the gateway. The settings of the plugins are in `config`. */
  plugins?: readonly Plugin[]
  /** Buys from upstreams that sell by payment. Default: the wallet of the settings. */
  upstreamWallet?: UpstreamWallet
  /** The built console. Without it, /console says that it is missing. */
  consoleFolder?: string
  /**
   * Collects what must be closed, the last opened first. Lets the caller clean up after a start that fails half-way.
   */
  closers?: (() => Promise<unknown>)[]
}

/** What every room is opened with. */
export interface AppContext {
  readonly config: Config
  /** The payment rails that settings may turn on. */
  readonly rails: readonly RailDefinition[]
  readonly plugins: readonly Plugin[]
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** Metrics, and what the settings turn on besides. Undefined: nothing is measured. */
  readonly telemetry: Telemetry | undefined
  readonly metrics: Metrics | undefined
  /** Adds the id of the current request to each line. For rooms that answer requests one by one. */
  readonly requestLog: Log
  /** The address that callers see. Empty until the server listens, unless it is configured. */
  readonly baseUrl: () => string
  /** Tells where the server listens. Returns the address that callers see. */
  readonly listensAt: (address: string) => string
  /** Sent with every outbound request. */
  readonly userAgent: string
  /** Confines programs that read what strangers sent. */
  readonly sandbox: Sandbox
  /** Holds the built console. */
  readonly consoleFolder: string | undefined
  /** Registers a part to close with the gateway. The part opened last is closed first. */
  readonly onClose: (close: () => Promise<unknown>) => void
}

export function createContext(
  version: string,
  options: AppOptions & { metrics: Metrics | undefined },
  closers: (() => Promise<unknown>)[],
): AppContext {
  const { config, clock = systemClock, plugins = [], metrics } = options
  let baseUrl = config.PUBLIC_BASE_URL ?? ''
  return {
    config,
    clock,
    rails: [...paymentRails, ...plugins.flatMap(railsOf)],
    plugins,
    version,
    log: options.log,
    metrics,
    telemetry: tellAll([metrics, options.traces]),
    requestLog: logWithRequestId(options.log),
    baseUrl: () => baseUrl,
    listensAt(address) {
      baseUrl ||= address
      return baseUrl
    },
    userAgent: userAgent(version, config),
    sandbox: createSandbox({ clock }),
    consoleFolder: options.consoleFolder,
    onClose: (close) => closers.unshift(close),
  }
}

function userAgent(version: string, { OPERATOR_CONTACT: contact }: Config): string {
  return contact === undefined ? `Tollway/${version}` : `Tollway/${version} (${contact})`
}
