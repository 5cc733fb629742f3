import type { Clock, Log } from '#core/ports.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import type { Config } from '../config.ts'

/** What every room is opened with. */
export interface AppContext {
  readonly config: Config
  /** The payment rails that settings may turn on. */
  readonly rails: readonly RailDefinition[]
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** Adds the id of the current request to each line. For rooms that answer requests one by one. */
  readonly requestLog: Log
  /** The address that callers see. Empty until the server listens, unless it is configured. */
  readonly baseUrl: () => string
  /** Sent with every outbound request. */
  readonly userAgent: string
  /** Confines programs that read what strangers sent. */
  readonly sandbox: Sandbox
  /** Holds the built console. */
  readonly consoleFolder: string | undefined
  /** Registers a part to close with the gateway. The part opened last is closed first. */
  readonly onClose: (close: () => Promise<unknown>) => void
}
