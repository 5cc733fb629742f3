// What a look at the chain means for a payment or a refund that is not final yet. Pure: `finality.ts` acts on it.
import type { ChainVerdict } from '../rails/rail.ts'

/** The chain as one round sees it. */
export interface Outlook {
  readonly newest: number
  readonly final: number
}

/** Without a reorganisation, the chain is asked again only after this time. */
export const checkIntervalSeconds = 120
/** Nodes behind one address may know different newest blocks, so one answer without the transaction is not enough. */
const timesMissingBeforeSending = 2

type OnChain =
  | { readonly step: 'final'; readonly hash: string; readonly block: number }
  | {
      readonly step: 'recheck'
      readonly hash: string
      readonly block: number
      readonly afterSeconds: number
    }

interface Missing {
  readonly step: 'missing'
  /** It is certain enough that its block was removed: the operator is told, once. */
  readonly alert: boolean
  readonly action: 'wait' | 'send' | 'sign another'
}

export type PaymentStep =
  | OnChain
  | Missing
  /** It can never be settled, once this block is final. */
  | { readonly step: 'dead'; readonly sinceBlock: number }
  | { readonly step: 'lost'; readonly reason: string; readonly byPayer: boolean }

export function judgePayment(
  payment: { readonly timesMissing: number; readonly deadSinceBlock: number | null },
  verdict: ChainVerdict,
  outlook: Outlook,
): PaymentStep {
  if (verdict.state === 'settled') return judgeOnChain(verdict, outlook)
  if (verdict.state === 'pending') return judgeMissing(payment, 'send')
  const sinceBlock = payment.deadSinceBlock ?? verdict.block
  return sinceBlock > outlook.final
    ? { step: 'dead', sinceBlock }
    : { step: 'lost', reason: verdict.reason, byPayer: verdict.byPayer === true }
}

export function judgeRefund(
  refund: { readonly timesMissing: number; readonly raw: string | null },
  verdict: ChainVerdict,
  outlook: Outlook,
): OnChain | Missing {
  if (verdict.state === 'settled') return judgeOnChain(verdict, outlook)
  // Another is signed only when this one can never be mined: not every chain refuses the second of two.
  if (verdict.state === 'dead') return judgeMissing(refund, 'sign another')
  return judgeMissing(refund, refund.raw === null ? 'wait' : 'send')
}

function judgeOnChain(
  { hash, block }: { readonly hash: string; readonly block: number },
  { newest, final }: Outlook,
): OnChain {
  if (block <= final) return { step: 'final', hash, block }
  // A block that came during this round is not among those whose loss would be noticed.
  const afterSeconds = block > newest ? 0 : checkIntervalSeconds
  return { step: 'recheck', hash, block, afterSeconds }
}

function judgeMissing(
  { timesMissing }: { readonly timesMissing: number },
  action: Missing['action'],
): Missing {
  const times = timesMissing + 1
  return {
    step: 'missing',
    alert: times === timesMissingBeforeSending,
    action: times >= timesMissingBeforeSending ? action : 'wait',
  }
}
