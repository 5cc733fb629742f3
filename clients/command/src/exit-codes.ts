// How the command ends, so that scripts can tell kinds of failure apart.
import { TollwayError } from '@tollway/client'
import { isInterruption } from './interruption.ts'
import { UsageError } from './usage-error.ts'

export const exitCodes = {
  done: 0,
  failed: 1,
  wrongRequest: 2,
  notAllowed: 3,
  money: 4,
  notFound: 5,
  workFailed: 6,
  tryLater: 7,
  unknownOutcome: 8,
  interrupted: 130,
} as const

type Kind = keyof typeof exitCodes

export const meanings: Readonly<Record<Kind, string>> = {
  done: 'Done.',
  failed: 'Something unexpected, or a check of `doctor` that failed.',
  wrongRequest: 'The command or the fields of the action are wrong. Correct them.',
  notAllowed: 'The key is missing, wrong or not allowed to do this.',
  money: 'The balance, a ceiling or a limit of the key does not allow the call.',
  notFound: 'There is nothing of this name or id, or nothing was found.',
  workFailed: 'The call was made and failed. It cost nothing.',
  tryLater: 'The gateway cannot be reached or is busy. Repeat the call later.',
  unknownOutcome:
    'The outcome is not known yet, and the price may be held. Ask with `tollway job`; do not repeat the call.',
  interrupted: 'Ended by Ctrl-C.',
}

const kindOfStatus: Readonly<Record<number, Kind>> = {
  401: 'notAllowed',
  402: 'money',
  403: 'notAllowed',
  404: 'notFound',
  410: 'notFound',
  409: 'tryLater',
  429: 'tryLater',
  503: 'tryLater',
  504: 'tryLater',
}

/** These differ from what their status says. */
const kindOfCode: Readonly<Record<string, Kind>> = {
  connection_failed: 'tryLater',
  outcome_unknown: 'unknownOutcome',
  // The gateway asks for a wallet's payment because no key was sent.
  payment_required: 'notAllowed',
  payment_pending: 'unknownOutcome',
  provider_not_configured: 'workFailed',
  spend_limit_reached: 'money',
  not_found: 'notFound',
  file_already_uploaded: 'wrongRequest',
  session_closed: 'notFound',
  cancelled: 'workFailed',
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.wrongRequest
  if (isInterruption(error)) return exitCodes.interrupted
  if (!(error instanceof TollwayError)) return exitCodes.failed
  const { status, code } = error
  const kind = kindOfCode[code] ?? (status === undefined ? undefined : kindOfStatus[status])
  if (kind !== undefined) return exitCodes[kind]
  const isRefusal = status !== undefined && status >= 400 && status < 500
  return isRefusal ? exitCodes.wrongRequest : exitCodes.workFailed
}
