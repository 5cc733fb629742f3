// Handles one request to run an action, from any door: decides who pays and runs the action.
import type { AccountCaller } from '#core/caller.ts'
import type { CallListener } from '#core/calls/call-listener.ts'
import { type CatalogEntry, isFor, noAction } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { observe } from '#core/telemetry/observe.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { RequestHeader } from '#money/rails/rail.ts'
import type { Executor } from './execute/execute.ts'
import { readIdempotencyKey } from './idempotency.ts'
import type { Keyless } from './keyless/keyless.ts'
import type { PresentedPayment } from './keyless/request.ts'
import type { PriceOverrides } from './pricing/price-overrides.ts'
import type { AccountRunner } from './run/run.ts'

export interface RunRequest {
  readonly entry: CatalogEntry
  readonly body: unknown
  /** The body as it was sent. A payment covers exactly these bytes. */
  readonly bodyText: string
  /** Undefined when the request carries no API key. */
  readonly caller: AccountCaller | undefined
  readonly payment: PresentedPayment | undefined
  /** Reads a header of the request. A rail's clients may say there which challenges they want. */
  readonly requestHeader?: RequestHeader | undefined
  readonly idempotencyKey?: string | undefined
  /** The address that was asked, where it is not the action's own. */
  readonly path?: string | undefined
  /** The request asks for the price only. */
  readonly wantsQuote: boolean
  /** Only calls of a server's tools are reported on and cancelled: other work has an end soon, or is a job. */
  readonly listener?: CallListener | undefined
  /** Adds points to the rate limit of the request's source. Throws `rate_limited`. */
  readonly weigh: (points: number) => Promise<void>
}

/**
 * How a request is answered: with a quote; free of charge, without an account; by an account that pays from its
 * balance; or by a wallet, which pays or is challenged to pay.
 */
export type Way = 'quote' | 'open' | 'account' | 'wallet'

export interface RunOutcome {
  readonly way: Way
  /** The success envelope, as JSON text. */
  readonly body: string
  /** Receipts of the wallet's payment. */
  readonly headers: Readonly<Record<string, string>>
  /** This is the stored answer of an earlier call. */
  readonly replayed: boolean
}

export interface Runner {
  /** What this caller may know of. Throws `not_found`, `provider_not_configured`. */
  resolve(service: string, action: string, caller: AccountCaller | undefined): CatalogEntry
  /** Answers the request, or throws a CallError. A failed call is not charged. */
  handle(request: RunRequest): Promise<RunOutcome>
}

/**
 * Rate-limit points for requests that cost the gateway work and earn nothing, on top of those that every request
 * counts.
 */
const extraPoints = { quote: 1, open: 9, account: 0, wallet: 0, challenge: 1 } as const

export function createRunner(dependencies: {
  executor: Pick<Executor, 'resolve'>
  accountRunner: AccountRunner
  keyless: Pick<Keyless, 'run' | 'rails'>
  prices: Pick<PriceOverrides, 'current'>
  telemetry?: Telemetry | undefined
}): Runner {
  const { executor, accountRunner, keyless, prices, telemetry } = dependencies

  async function answer(way: Way, request: RunRequest): Promise<Omit<RunOutcome, 'way'>> {
    const { entry, body, caller, bodyText, payment, requestHeader, path } = request
    const listener = entry.action.soldAs === 'tool' ? request.listener : undefined
    const idempotencyKey = readIdempotencyKey(request.idempotencyKey)
    const call = { entry, body, idempotencyKey, listener }
    await weigh(way, request)
    if (way === 'quote')
      return { ...withoutReceipt, body: await accountRunner.quote({ ...call, caller }) }
    if (way === 'open') return { ...withoutReceipt, body: await accountRunner.runOpen(call) }
    if (way === 'wallet') {
      const isProbe = bodyText === '' && payment === undefined
      return await keyless.run({ ...call, bodyText, payment, requestHeader, isProbe, path })
    }
    if (caller === undefined) throw fail('invalid_token')
    return { ...withoutReceipt, ...(await accountRunner.run({ ...call, caller })) }
  }

  async function handle(asked: RunRequest): Promise<RunOutcome> {
    // A payment of a wallet belongs to no account of a group.
    const payer = asked.payment === undefined ? asked.caller : undefined
    const request = { ...asked, entry: await prices.current(asked.entry, payer?.priceGroup) }
    const way = wayOf(request, keyless.rails.length > 0)
    return { way, ...(await answer(way, request)) }
  }

  return {
    resolve(service, action, caller) {
      const id = `${service}/${action}`
      const entry = executor.resolve(service, action)
      if (!isFor(entry, caller?.accountId)) throw noAction(id)
      return entry
    },
    handle: (asked) =>
      observe(
        asked.wantsQuote ? undefined : telemetry,
        { kind: 'call', action: asked.entry.id },
        () => handle(asked),
        ({ replayed }) => (replayed ? 'replayed' : 'ok'),
      ),
  }
}

const withoutReceipt = { headers: {}, replayed: false }

export function wayOf(
  { entry, caller, payment, wantsQuote }: Omit<RunRequest, 'weigh'>,
  walletsCanPay: boolean,
): Way {
  if (wantsQuote) return 'quote'
  if (payment !== undefined) return 'wallet'
  if (caller !== undefined) return 'account'
  if (entry.action.open) return 'open'
  return walletsCanPay ? 'wallet' : 'account'
}

async function weigh(way: Way, { payment, weigh }: RunRequest): Promise<void> {
  const isChallenge = way === 'wallet' && payment === undefined
  const points = extraPoints[isChallenge ? 'challenge' : way]
  if (points > 0) await weigh(points)
}
