// Why a page was not read: a code for programs, a sentence for people, and what to do next.
import type { Verdict, VerdictKind } from '@tollway/reader'
import type { BodyCut } from '#platform/egress/body.ts'
import { FetchFailure, type FetchFailureReason } from '#platform/egress/failure.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import type { RungReply } from './rungs.ts'

/** Stable: the `error` of a row. `blocked` is what the specification calls a wall or an empty shell. */
export type TroubleCode =
  | 'blocked'
  | 'not_found'
  | 'server_error'
  | 'login_required'
  | 'paywall'
  | 'restricted'
  | 'undecodable'
  | 'not_a_page'
  | 'document'
  | 'robots'
  | 'no_match'
  | 'too_large'
  | 'timeout'
  | 'connection'
  | 'dns'
  | 'tls'
  | 'redirect_loop'
  | 'redirect_refused'
  | 'address_refused'

export interface Trouble {
  readonly code: TroubleCode
  /** What happened. */
  readonly message: string
  /** No other rung could do better. */
  readonly isFinal?: true
}

type Description = readonly [TroubleCode, string]

const blocked = (what: string): Description => ['blocked', `answered with ${what}`]
const failed: Description = ['server_error', 'failed with an error of its own']

/** To be read after the address. */
const descriptions: Readonly<Record<VerdictKind, Description>> = {
  content: blocked('an empty page'),
  empty: blocked('an empty page'),
  skeleton: blocked('a page whose text never arrived'),
  javascript_required: blocked('a page that asks for JavaScript'),
  redirect: blocked('a page that only leads elsewhere'),
  consent: blocked('a consent dialog instead of the page'),
  bot_wall: blocked('a wall instead of the page'),
  captcha: blocked('a captcha instead of the page'),
  rate_limited: blocked('a request to come back later'),
  queue: blocked('a waiting room instead of the page'),
  not_found: ['not_found', 'answered that there is no such page'],
  parked: ['not_found', 'is a host without a site'],
  error: failed,
  maintenance: ['server_error', 'is closed for maintenance'],
  login: ['login_required', 'shows its page only after a login'],
  paywall: ['paywall', 'shows its page only to subscribers'],
  restricted: ['restricted', 'is closed to readers of this age or country'],
  undecodable: ['undecodable', 'answered with text in no known charset'],
}

/** A page that was not read. */
export function troubleOfVerdict(
  url: string,
  { status, truncated }: RungReply,
  { kind, flags }: Verdict,
): Trouble {
  const isBlocked = flags.includes('blocked')
  const [code, what] =
    isBlocked && descriptions[kind][0] !== 'blocked' ? descriptions.bot_wall : descriptions[kind]
  const withStatus = status >= 400 ? ` (status ${status})` : ''
  if (isBlocked || truncated === undefined || truncated === 'connection')
    return { code, message: `${url} ${what}${withStatus}.` }
  return { ...troubleOfCut(url, truncated), isFinal: true }
}

function troubleOfCut(url: string, cut: Exclude<BodyCut, 'connection'>): Trouble {
  switch (cut) {
    case 'size':
      return {
        code: 'too_large',
        message: `The page ${url} is too large, and its beginning has no readable text.`,
      }
    case 'time':
      return { code: 'timeout', message: `${url} began to answer and did not end in time.` }
    case 'encoding':
      return { code: 'undecodable', message: `The compression of ${url} is damaged.` }
  }
}

const codesOfFailures: Readonly<Record<FetchFailureReason, TroubleCode>> = {
  timeout: 'timeout',
  too_large: 'too_large',
  redirects: 'redirect_loop',
  connection: 'connection',
  tls: 'tls',
  encoding: 'undecodable',
  proxies_busy: 'connection',
}
/** No rung of this machine or of a vendor makes a page smaller, or repairs what cannot be decompressed. */
const finalFailures: ReadonlySet<FetchFailureReason> = new Set(['too_large', 'encoding'])

/** A rung that got no reply. */
export function troubleOfFailure(url: string, thrown: unknown): Trouble {
  if (thrown instanceof EgressRefusal)
    return { code: codeOfRefusal(thrown), message: messageOfRefusal(url, thrown), isFinal: true }
  if (!(thrown instanceof FetchFailure))
    return { code: 'connection', message: `${url} could not be read.` }
  const { reason, message } = thrown
  const trouble = { code: codesOfFailures[reason], message }
  return finalFailures.has(reason) ? { ...trouble, isFinal: true } : trouble
}

function codeOfRefusal({ reason, isOfRedirect }: EgressRefusal): TroubleCode {
  if (reason === 'robots') return 'robots'
  if (reason === 'no_address') return 'dns'
  return isOfRedirect ? 'redirect_refused' : 'address_refused'
}

function messageOfRefusal(url: string, { message, isOfRedirect }: EgressRefusal): string {
  return isOfRedirect ? `${url} redirects to an address that is not read. ${message}` : message
}

/** Files that are neither pages nor documents. */
export function troubleOfFile(url: string, { headers }: RungReply): Trouble {
  const type = headers['content-type'] ?? 'some other file'
  return { code: 'not_a_page', message: `${url} is not a web page but ${type}.`, isFinal: true }
}

export function troubleOfSelectors(url: string): Trouble {
  return { code: 'no_match', message: `${url} has no element that matches include_selectors.` }
}

export function troubleOfTime(url: string): Trouble {
  return { code: 'timeout', message: `${url} could not be read in time.` }
}

const leaveOut = 'Leave out, because no rung can read it'
const askSite = 'Only the site can repair this'
const later = 'Try again later'

const advices: Readonly<Record<TroubleCode, string>> = {
  blocked: later,
  timeout: later,
  connection: later,
  server_error: later,
  not_found: 'Check the address',
  no_match: 'Check include_selectors',
  dns: 'Check the name of the host',
  redirect_loop: askSite,
  tls: askSite,
  undecodable: askSite,
  login_required: leaveOut,
  paywall: leaveOut,
  restricted: leaveOut,
  not_a_page: leaveOut,
  document: leaveOut,
  robots: leaveOut,
  redirect_refused: leaveOut,
  address_refused: leaveOut,
  too_large: 'Ask for a smaller page of the site',
}
/** More rungs, or more time, may help. */
const deepCodes: ReadonlySet<TroubleCode> = new Set(['blocked', 'timeout', 'connection'])

/** What to do about the pages, in sentences that name them. `deepAction` reads what the asked action cannot. */
export function adviceOn(
  pages: readonly { readonly url: string; readonly trouble: Trouble }[],
  deepAction: string | undefined,
): string {
  const byAdvice = Map.groupBy(pages, ({ trouble: { code, isFinal } }) =>
    deepAction !== undefined && deepCodes.has(code) && !isFinal
      ? `Retry on ${deepAction}`
      : advices[code],
  )
  return [...byAdvice]
    .map(([advice, group]) => `${advice}: ${group.map(({ url }) => url).join(', ')}.`)
    .join(' ')
}
