// Holds and settlements as the database reads them: records of the types `hold_request` and `settlement`, as JSON.
import type { Hold, Settlement } from './operations.ts'

/** As a record of `hold_request`. */
export function holdRecord(hold: Hold, jobInput?: string): string {
  return JSON.stringify({
    call: hold.callId,
    account: hold.accountId,
    key: hold.keyId,
    action: hold.action,
    inference: hold.inference === true,
    amount: hold.micros,
    idempotency: hold.idempotencyKey,
    digest: hold.requestDigest && bytea(hold.requestDigest),
    lifetime_ms: hold.lifetimeMs,
    job: jobInput !== undefined,
    input: jobInput,
    costless: hold.costless,
    free_per_day: hold.freePerDay,
  })
}

/** Bytes as text that PostgreSQL reads. */
export const bytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`

/** As a record of `settlement`. */
export function settlementRecord(settlement: Settlement): string {
  const { callId, accountId, timeline } = settlement
  return withTimeline({ call: callId, account: accountId, ...outcomeFields(settlement) }, timeline)
}

/** The fields that `settlement` and `lease_call` share. */
export function outcomeFields({ state, charged, cost, error, message, output }: Settlement) {
  return { state, charged, cost, error, message: message && storable(message), output }
}

/** PostgreSQL's JSON has neither lone surrogates nor U+0000. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A record with a timeline, which is JSON text already. */
export function withTimeline(record: object, timeline = 'null'): string {
  return `${JSON.stringify(record).slice(0, -1)},"timeline":${timeline}}`
}

/** Records as one parameter. */
export const recordset = (records: readonly string[]): string => `[${records.join(',')}]`
