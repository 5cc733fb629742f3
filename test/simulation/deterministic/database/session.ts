// What a statement of the simulated database works on, and the records that it gets.
import type { Tables } from './tables.ts'

export interface Session {
  readonly tables: Tables
  readonly nowMs: number
  readonly isConnected: (gatewayNumber: number) => boolean
}

/** As the type `hold_request`. */
export interface HoldRequest {
  readonly call: string
  readonly account: string
  readonly key: string | null
  readonly action: string
  readonly inference: boolean
  readonly amount: number
  readonly idempotency: string | null
  readonly digest: string | null
  readonly lifetime_ms: number
  readonly job: boolean
  readonly input: string | null
  readonly costless: boolean | null
  readonly free_per_day: number | null
}

/** As the type `settlement`. */
export interface SettlementRecord {
  readonly call: string
  readonly account: string
  readonly state: 'settled' | 'voided'
  readonly charged: number
  readonly cost: number | null
  readonly error: string | null
  readonly message: string | null
  readonly output: string | null
  readonly timeline: unknown
}

/** As the type `lease_turn`. */
export interface LeaseTurnRecord {
  readonly lease: string
  readonly account: string
  readonly key: string | null
  readonly action: string
  readonly turn: number
  readonly take: number
  readonly least: number
  readonly take_places: number
  readonly give: number
  readonly give_places: number
  readonly last: boolean
  readonly inference: boolean
  readonly reserved: number
}

/** As the type `lease_call`. */
export interface LeaseCallRecord extends Omit<SettlementRecord, 'call'> {
  readonly lease: string
  readonly gateway: number
  readonly id: string
  readonly key: string
  readonly action: string
  readonly held: number
  readonly started_ms: number
  readonly claimed: boolean
  readonly inference: boolean
  readonly idempotency: string | null
  readonly digest: string | null
}

export const noKey = '00000000-0000-0000-0000-000000000000'

/** Members that are missing are null, as `jsonb_populate_record` has them. */
export function readRecord<Fields>(text: unknown, nullFields: object): Fields {
  const fields = typeof text === 'string' ? JSON.parse(text) : text
  return { ...nullFields, ...fields } as Fields
}

export const readRecords = <Fields>(text: unknown, nullFields: object): Fields[] =>
  (JSON.parse(String(text)) as object[]).map((fields) => ({ ...nullFields, ...fields }) as Fields)

export const nullHold = {
  key: null,
  idempotency: null,
  digest: null,
  input: null,
  costless: null,
  free_per_day: null,
}
export const nullSettlement = {
  cost: null,
  error: null,
  message: null,
  output: null,
  timeline: null,
}
export const nullLeaseCall = {
  ...nullSettlement,
  claimed: false,
  idempotency: null,
  digest: null,
}
