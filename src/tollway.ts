// The exports of the package `tollway`: everything that a plugin needs. docs/extend.md shows one.
export {
  type Action,
  type ActionDefinition,
  defineAction,
  defineJob,
  defineSession,
  type JobContext,
  pick,
  type RunContext,
  type VendorHandle,
  z,
} from '#core/action.ts'
export type { CallHooks, ProposedCall, Refusal, ReportedCall } from '#core/calls/call-hooks.ts'
export { CallError, type ErrorCode, explain, fail } from '#core/errors.ts'
export type { CallerFiles, NewFile, StoredFile } from '#core/files.ts'
export type { Micros } from '#core/money.ts'
export { path } from '#core/path.ts'
export type { ProviderHttp } from '#core/ports.ts'
export type { RailTerms } from '#core/pricing/describe-price.ts'
export { defineProvider, type Provider, type Upstream } from '#core/provider.ts'
export type { PluginPage, PluginRequest, PluginRoute } from '#core/rooms/plugin-doors.ts'
export { mapRows } from '#core/rows.ts'
export type {
  SessionCommand,
  SessionContext,
  SessionKind,
  SessionPolicy,
  SessionResource,
  SessionResult,
  Usage,
} from '#core/session.ts'
export { type Settings, wholeNumber } from '#core/settings.ts'
export { defineRail, type OpenRail, type RailDefinition } from '#money/rails/definition.ts'
export {
  type ChainVerdict,
  type Demand,
  PaymentRefusal,
  type Rail,
  type RailChain,
  type RefundOrder,
  type TokenTransfer,
} from '#money/rails/rail.ts'
export { definePlugin, type Plugin } from '#plugins/plugin.ts'
