// Reads a wallet's request and computes its price. Pure: it runs nothing.
import { hash } from 'node:crypto'
import type { CallListener } from '#core/calls/call-listener.ts'
import { type CatalogEntry, defaultTimeoutMs, exampleBodyOf, inputSchemaOf } from '#core/catalog.ts'
import type { Micros } from '#core/money.ts'
import { isMetered, priceRange, type Quote, quotePrepaid, quotePrice } from '#core/price.ts'
import type { Demand, RailId, RequestHeader } from '#money/rails/rail.ts'
import type { Executor } from '../execute/execute.ts'
import { digestRequest } from '../idempotency.ts'
import type { Sale } from './challenges.ts'
import type { Replayable } from './replay.ts'

export interface PresentedPayment {
  readonly rail: RailId
  /** The header that carried the payment. */
  readonly header: string
  /** The header pays nothing and proves the wallet's address. */
  readonly signIn?: true
  /** The source of the request. Limits how often a payment from it makes the gateway ask the chain. */
  readonly source: string
}

export interface KeylessRequest {
  readonly entry: CatalogEntry
  readonly body: unknown
  /** The body as it was sent. */
  readonly bodyText: string
  readonly idempotencyKey?: string | undefined
  readonly payment?: PresentedPayment | undefined
  /** Reads a header of the request. A rail's clients may say there which challenges they want. */
  readonly requestHeader?: RequestHeader | undefined
  /** A request without body and payment asks what the action costs. */
  readonly isProbe?: boolean
  /** The address of the request, where it is not the action's own. */
  readonly path?: string | undefined
  readonly listener?: CallListener | undefined
  /** The account that a top-up is for. */
  readonly topUpAccountId?: string | undefined
}

/** A request that passed all checks that do not depend on its payment. */
export interface KeylessCall extends Replayable {
  readonly request: KeylessRequest
  readonly input: unknown
  readonly quote: Quote
}

type Validate = Pick<Executor, 'validate'>

/**
 * Throws if the call would be refused even with a payment, because a wallet must not pay for a call that cannot run.
 */
export function readCall({ validate }: Validate, request: KeylessRequest): KeylessCall {
  const { entry, body, requestHeader, idempotencyKey } = request
  const { action } = entry
  const { input, maxCostMicros } = validate(entry, body)
  const quote = isMetered(action.price)
    ? quotePrepaid(action.price, maxCostMicros)
    : quotePrice(action.price, input, maxCostMicros)
  // Exactly this amount is paid for a session, and what it did not use is refunded.
  const exact = quote.kind === 'exact' || isMetered(action.price)
  return {
    request,
    input,
    quote,
    requestHeader,
    idempotencyKey,
    demand: { ...demandOf(request, quote.micros), isCap: !exact },
    exact,
    only: action.pay,
    // A getter, since only a payment needs it.
    get digest() {
      return digestRequest(body)
    },
  }
}

export function demandOf(request: KeylessRequest, micros: Micros): Demand {
  const { entry, path, bodyText, idempotencyKey } = request
  const { action, id } = entry
  return {
    action: id,
    path: path ?? `/api/run/${id}`,
    description: action.summary,
    micros,
    bodyDigest: digestBody(bodyText),
    timeoutMs: action.timeoutMs ?? defaultTimeoutMs,
    // A getter, since an offer is written once for many calls.
    get discovery() {
      // An endpoint takes any body at its own address.
      if (path !== undefined && action.soldAs === 'endpoint') return undefined
      return { example: exampleBodyOf(action), inputSchema: inputSchemaOf(action) }
    },
    readsBack: idempotencyKey !== undefined,
  }
}

/** The action's published example. Its price is quoted when the request has no call to price. */
export function exampleSale({ validate }: Validate, request: KeylessRequest): Sale {
  const { entry, requestHeader } = request
  const { price, pay } = entry.action
  const { input, maxCostMicros } = validate(entry, exampleBodyOf(entry.action))
  if (isMetered(price)) {
    const { micros } = quotePrepaid(price, maxCostMicros)
    return { demand: demandOf(request, micros), exact: true, only: pay, requestHeader }
  }
  const { max } = priceRange(price, input)
  const exact = quotePrice(price, input, maxCostMicros).kind === 'exact'
  const demand = { ...demandOf(request, max), isCap: !exact }
  return { demand, exact, only: pay, requestHeader }
}

/** RFC 9530: `sha-256=:{base64}:`. */
export function digestBody(text: string): string {
  return `sha-256=:${hash('sha256', text, 'base64')}:`
}
