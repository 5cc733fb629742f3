import { bank } from './bank.ts'
import { type CashChallenge, type CashPayment, decode, encode } from './rail.ts'

const noteLifetimeMs = 60_000

/** Signs a note for what a gateway has challenged. */
export function payByNote(challenged: Response, payer: string): { 'cash-payment': string } {
  const { id, ...asked } = decode(challenged.headers.get('cash-challenge') ?? '') as CashChallenge
  const note = bank.sign({ from: payer, ...asked, expiresAtMs: Date.now() + noteLifetimeMs })
  const payment: CashPayment = { challengeId: id, note }
  return { 'cash-payment': encode(payment) }
}
