// The exports of the package `tollway`: everything that a private provider needs. docs/extend.md shows one.
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
export { CallError, type ErrorCode, explain, fail } from '#core/errors.ts'
export type { CallerFiles, NewFile, StoredFile } from '#core/files.ts'
export { path } from '#core/path.ts'
export type { ProviderHttp } from '#core/ports.ts'
export { defineProvider, type Provider, type Upstream } from '#core/provider.ts'
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
