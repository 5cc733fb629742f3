import { type ErrorCode, errorTable } from '#core/errors.ts'
import { plain } from './markdown.ts'

/** Where to read how to do what the message says. */
const topUp =
  'Money is added [from a wallet](/docs/use/wallets#topping-up-an-account), or by the operator of the gateway. [The console](/console) shows the balance.'
const wallet =
  '[Paying from a wallet](/docs/use/wallets) shows how a call is paid without an account.'
const limits =
  '[Keys with limits](/docs/use/accounts#keys-with-limits) shows how a limit is changed.'
const next: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_token: '[Connect](/docs/connect) shows how an account with a key is opened.',
  insufficient_balance: topUp,
  credits_required: topUp,
  paid_topup_required: topUp,
  payment_required: wallet,
  payment_invalid: wallet,
  payment_already_used: wallet,
  settlement_failed: wallet,
  x402_not_sellable: wallet,
  spend_limit_reached: limits,
  forbidden: limits,
}

/** What a code means and what to do next. Messages of single calls are often more precise. */
export function errorPage(code: ErrorCode): string {
  const { status, retryable, message } = errorTable[code]
  const repeat = retryable
    ? 'The same call can succeed later. Repeat it with the same Idempotency-Key, after the time in Retry-After if there is one.'
    : 'Repeating the same call does not help: change what the message names first.'
  return `# ${code}

${plain(message)}

Status ${status}. ${repeat}
${code in next ? `\n${next[code]}\n` : ''}
A refused or failed call costs nothing; [calling a gateway](/docs/use) names the exceptions. [All codes](/docs/reference/errors).
`
}
