// What every answered call looks like. Source: spec, "Success envelope" and "Async job handle".
import { type Micros, microsToCents, microsToUsd } from '#core/money.ts'
import type { RefundState } from '#money/payments/payments.ts'

/** The success envelope. `output` is JSON text already, so that it is written once. */
export function envelope(parts: {
  output: string
  charged: Micros
  available?: Micros | undefined
  transactionId?: string | undefined
  refund?: RefundState | undefined
}): string {
  const { output, charged, available, transactionId, refund } = parts
  const balance =
    available === undefined
      ? ''
      : `,"balance_remaining_cents":${microsToCents(available, 'down')},"balance_remaining_usd":"${microsToUsd(available)}"`
  const transaction = transactionId === undefined ? '' : `,"transaction_id":"${transactionId}"`
  const refunded = refund === undefined ? '' : `,"refund":${JSON.stringify(describeRefund(refund))}`
  return `{"ok":true,"data":${output},"charged_cents":${microsToCents(charged, 'up')},"charged_usd":"${microsToUsd(charged)}"${balance}${transaction}${refunded}}`
}

/** What a wallet gets back of a payment. `pending`: it is owed and on its way. */
export function describeRefund({ state, micros, hash }: RefundState) {
  const confirmed = state === 'confirmed'
  return {
    status: confirmed ? 'confirmed' : 'pending',
    amount: microsToUsd(micros),
    tx: confirmed ? hash : null,
  }
}

/** The handle of a job. Nothing is charged before it ends. */
export function jobEnvelope(
  jobId: string,
  available: Micros | undefined,
  statusUrl?: string,
): string {
  const output = JSON.stringify({
    job_id: jobId,
    status: 'queued',
    async: true,
    status_url: statusUrl,
  })
  return envelope({ output, charged: 0, available })
}
