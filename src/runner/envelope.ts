// The success envelope of every call. Source: spec, "Success envelope" and "Async job handle".
import { type Micros, microsToCents, microsToUsd } from '#core/money.ts'
import type { RefundState } from '#money/payments/payments.ts'

/** The success envelope. `output` is JSON text, so that it is serialized only once. */
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

/** The refund of a wallet's payment. `pending`: owed, and not confirmed on the chain. */
export function describeRefund({ state, micros, hash }: RefundState) {
  const confirmed = state === 'confirmed'
  return {
    status: confirmed ? 'confirmed' : 'pending',
    amount: microsToUsd(micros),
    tx: confirmed ? hash : null,
  }
}

/** The handle of a job. Nothing is charged before the job ends. */
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

/** The answer of a call that has opened a session. Its use is charged later. */
export function sessionEnvelope(sessionId: string, available: Micros | undefined): string {
  const output = JSON.stringify({ session_id: sessionId })
  return envelope({ output, charged: 0, available, transactionId: sessionId })
}
