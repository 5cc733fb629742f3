// The answers of the operator's routes, of which the client has no types. Only the fields that the console shows are named.
import { requestUntyped } from '../gateway.ts'

const at = (route: string) => {
  const [method, path] = route.split(' ')
  return `${method} /api/v1/admin/${path}`
}

interface Sent {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: object
  readonly signal?: AbortSignal
}

/** Calls a route below /api/v1/admin: `ask('GET accounts/{id}', { path: { id } })`. */
export const ask = <Answer>(route: string, sent: Sent = {}) =>
  requestUntyped<Answer>(at(route), sent)

export interface RevenueRow {
  readonly day?: string
  readonly action?: string
  readonly error?: string | null
  readonly calls: number
  readonly failed_calls: number
  readonly charged_usd: string
  readonly known_cost_usd: string
  readonly calls_with_known_cost: number
  readonly charged_less_known_cost_usd: string
  readonly p50_ms?: number
  readonly p95_ms?: number
}

export interface Revenue {
  readonly rows: readonly RevenueRow[]
  readonly total: RevenueRow
}

export interface OperatedAccount {
  readonly account_id: string
  readonly name: string | null
  readonly owner_email: string | null
  readonly balance_usd: string
  readonly held_usd: string
  readonly available_usd: string
  readonly calls_in_flight: number
  readonly live_keys: number
  readonly last_used_at: string | null
  readonly frozen_at: string | null
  readonly frozen_reason: string | null
  readonly created_at: string
}

export interface Purchase {
  readonly transaction_id: string
  readonly account_id: string
  readonly action: string
  readonly reference: string | null
  readonly held_usd: string
  readonly doubt: string | null
  readonly started_at: string
  readonly payments: readonly { readonly usd: string; readonly payee: string }[]
}

export interface OperatedProvider {
  readonly service: string
  readonly title: string
  readonly mode: 'live' | 'keyless' | 'embedded' | 'unavailable'
  readonly reason?: string
  readonly circuits: readonly Readonly<Record<string, unknown>>[]
}

export interface OperatedSession {
  readonly session_id: string
  readonly account_id: string
  readonly action: string
  readonly status: string
  readonly cost_usd: string
  readonly created_at: string
  readonly age_seconds: number
}

export interface Payments {
  readonly rails: Readonly<Record<string, { readonly on: boolean; readonly reasons?: unknown }>>
  readonly open_refunds: readonly {
    readonly refund_id: string
    readonly transaction_id: string
    readonly rail: string
    readonly payee: string
    readonly amount_usd: string
    readonly attempts: number
    readonly reason: string | null
    readonly created_at: string
  }[]
}

export interface ReadHost {
  readonly host: string
  readonly rungs: readonly {
    readonly rung: string
    readonly reads: number
    readonly blocks: number
    readonly blockedAt: string | null
  }[]
}

export interface AuditPage {
  readonly actions: readonly ({
    readonly audit_id: string
    readonly action: string
    readonly created_at: string
  } & Readonly<Record<string, unknown>>)[]
  readonly next_cursor: string | null
}

export interface Verification {
  readonly ok: boolean
  readonly accounts: number
  readonly postings: number
  readonly problems: readonly unknown[]
}
