// What a payment rail declares about itself. Everything else in the gateway iterates over the list in `rails.ts`: the
// settings, the headers that are read and exposed, the catalog's price metadata, OpenAPI and the start-up report.
import type { ErrorCode } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SharedCounters } from '#core/replicas/shared-state.ts'
import type { Settings, SettingValues } from '#core/settings.ts'
import type { Database } from '#platform/database/database.ts'
import type { PayingWallet } from '#platform/http/upstream-wallet.ts'
import type { Hex, SelfCheck } from '../chains/chain.ts'
import type { SharedByRails } from '../settings.ts'
import type { Rail, RailId } from './rail.ts'

/** A request header in which a payment arrives. */
export interface PaymentHeader {
  /** In lower case. */
  readonly name: string
  /**
   * The header is a payment only with this scheme before it, in lower case: `payment` in `Authorization: Payment …`.
   */
  readonly scheme?: string
  /** The header pays nothing and proves the wallet's address. `Rail.signIn` reads it. */
  readonly signIn?: true
}

export interface RailDependencies<Values> {
  readonly settings: Values
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** The public address of this gateway, known once it listens. */
  readonly baseUrl: () => string
  /** A secret of this name that all gateways of the database share; it is generated when first asked for. */
  readonly secret: (name: string) => Promise<string>
  /** Counts for all gateways together. */
  readonly counters: SharedCounters
}

export interface OpenRail {
  readonly rail: Rail
  /** Whether a payment would arrive and could be settled now. A rail with problems is not offered. */
  check(): Promise<SelfCheck>
  close(): Promise<void>
}

export interface WalletDependencies<Values> {
  readonly settings: Values
  readonly key: Hex
  readonly clock: Clock
  readonly log: Log
}

interface Declaration<Declared extends Settings, Required extends keyof Declared> {
  /** Stored with each payment, and the prefix of the rail's settings. It never changes. */
  readonly id: RailId
  /** The protocol's name as people write it. */
  readonly title: string
  /** Each name begins with the id in capitals. */
  readonly settings: Declared
  /** The rail is off until all of these are set. */
  readonly requires: readonly Required[]
  /** Request headers that carry a payment. No two rails may claim the same header and scheme. */
  readonly payments: readonly PaymentHeader[]
  /** Other request headers that the protocol's clients send from browsers, as the protocol spells them. */
  readonly requestHeaders: readonly string[]
  /** Response headers that the protocol's clients must be able to read in browsers. */
  readonly responseHeaders: readonly string[]
  /** The error code for a payment of something that this rail cannot express. Default: `payment_invalid`. */
  readonly notSellableCode?: ErrorCode
  /** Called once at start. Undefined when the settings cannot work; the log then says why. */
  open(
    dependencies: RailDependencies<ValuesWith<Declared, Required> & SharedByRails>,
  ): Promise<OpenRail | undefined>
  /** How the operator's wallet buys from sellers over this rail. Absent: it does not. */
  readonly buying?: {
    readonly requires: readonly (keyof Declared)[]
    open(
      dependencies: WalletDependencies<SettingValues<Declared>>,
    ): Promise<PayingWallet | undefined>
  }
}

type ValuesWith<
  Declared extends Settings,
  Required extends keyof Declared,
> = SettingValues<Declared> & {
  readonly [Name in Required]: NonNullable<SettingValues<Declared>[Name]>
}

export type RailDefinition = Declaration<Settings, string>

/** Infers what `open` receives from the declared settings. */
export function defineRail<
  const Declared extends Settings,
  const Required extends keyof Declared & string,
>(declaration: Declaration<Declared, Required>): RailDefinition {
  return declaration as unknown as RailDefinition
}

/** The values that the owner of these settings may see. */
export function pickSettings(
  declared: Settings,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(declared).map((name) => [name, values[name]]))
}

/** The required settings that are not set. */
export function missingSettings(
  requires: readonly string[],
  settings: Readonly<Record<string, unknown>>,
): string[] {
  return requires.filter((name) => settings[name] === undefined)
}
