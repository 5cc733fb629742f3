// The price of a call, and whether the call would be accepted. Runs nothing and holds nothing.

import { type AccountCaller, ownerOf } from '#core/caller.ts'
import { runsAsJob } from '#core/calls/action-mode.ts'
import { type CallError, fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { type Micros, microsToCents, microsToUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import {
  aboveCeiling,
  needsCeiling,
  type PriceRange,
  priceRange,
  type Quote,
  quotePrice,
} from '#core/price.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { HoldOutcome } from '#money/ledger/operations.ts'
import { envelope } from '../envelope.ts'
import { type CallRules, proposalOf, refusalOfRules } from '../execute/call-rules.ts'
import type { Executor } from '../execute/execute.ts'
import type { Calls } from '../history/calls.ts'
import { jobsAtOnceMax } from '../jobs/jobs.ts'
import type { CallRequest } from './call.ts'
import { toHold } from './call-hold.ts'
import { createDayCalls, type Offered } from './day-calls.ts'
import { holdRefusal } from './hold-refusal.ts'

export type QuoteRequest = Omit<CallRequest, 'caller'> & { caller?: AccountCaller | undefined }

export type QuoteCall = (request: QuoteRequest) => Promise<string>

export function createQuote(dependencies: {
  executor: Executor
  ledger: Ledger
  calls: Calls
  rules: CallRules
  clock: Clock
}): QuoteCall {
  const { executor, ledger, calls, rules, clock } = dependencies
  const offerDayCall = createDayCalls(ledger)

  /** The ledger's answer to the hold that the call would need. */
  async function rehearse(
    request: CallRequest,
    input: unknown,
    { entry, freePerDay, quote }: Offered & { readonly quote: Quote },
  ) {
    const isJob = runsAsJob(entry.action, input)
    const held = await ledger.rehearse(
      toHold(request, uuidv7(clock.now()), {
        quote,
        freePerDay,
        ...executor.costOf(entry, input),
      }),
      isJob ? { atOnceMax: jobsAtOnceMax(entry) } : undefined,
    )
    const available = held.outcome === 'held' ? held.available + quote.micros : held.available
    const isFree = entry.action.price === 'free'
    const refusal = isFree ? undefined : await refusalOf(held, quote, request.caller, isJob)
    return {
      available: available ?? undefined,
      refusal,
      replays: held.outcome === 'replay' && refusal === undefined ? held.earlier : undefined,
    }
  }

  async function refusalOf(held: HoldOutcome, quote: Quote, caller: AccountCaller, isJob: boolean) {
    if (held.outcome === 'held') return undefined
    if (held.outcome !== 'replay') return holdRefusal(held, quote, isJob)
    const earlier = await calls.find(ownerOf(caller), held.earlier)
    return earlier === undefined ? fail('idempotency_key_reused') : undefined
  }

  return async (request) => {
    const { caller } = request
    const { input, maxCostMicros } = executor.validate(request.entry, request.body)
    const { entry, freePerDay } = await offerDayCall(request.entry, input, caller)
    const { price } = entry.action
    if (caller !== undefined) await executor.admit(entry, input, caller)
    // Sellers are asked for a price only for callers with an account. Strangers could make the gateway ask without
    // limit.
    const asked = caller === undefined ? undefined : await executor.estimate(entry, input)
    const range = asked ?? priceRange(price, input)
    const isOpen = needsCeiling(price) && maxCostMicros === undefined
    const quote: Quote = isOpen
      ? { kind: range.min === range.max ? 'exact' : 'cap', micros: range.max }
      : quotePrice(price, input, maxCostMicros)
    const answer = {
      price: describeQuote(
        quote,
        range,
        (freePerDay !== undefined ? 'free' : describePrice(entry.action).text) +
          (asked === null ? silence : ''),
      ),
      ...(isOpen ? { max_cost_required: true } : {}),
    }
    if (caller === undefined) return envelope({ output: JSON.stringify(answer), charged: 0 })
    const { available, refusal, replays } = await rehearse({ ...request, caller }, input, {
      entry,
      freePerDay,
      quote,
    })
    // A call with the key of an earlier one is answered without any room.
    const full = replays === undefined ? entry.action.fullFor?.(caller.accountId) : undefined
    const ruled =
      replays === undefined
        ? await refusalOfRules(rules, proposalOf(caller, entry, { input, quote }))
        : undefined
    const refused = ceilingRefusal(range, maxCostMicros, isOpen) ?? refusal ?? full ?? ruled
    return envelope({
      output: JSON.stringify({
        ...answer,
        allowed: refused === undefined,
        ...(refused && { refusal: { error: refused.code, message: refused.message } }),
        ...(replays === undefined ? {} : { replays }),
      }),
      charged: 0,
      available,
    })
  }
}

const silence =
  '. The seller could not be asked for its price now; these are the bounds of the catalog. Ask again shortly.'

/**
 * `cents` would be held. It is exact if no delivery costs less. `min` and `max` bound the cost without regard to the
 * caller's ceiling.
 */
function describeQuote({ kind, micros }: Quote, { min, max }: PriceRange, text: string) {
  return {
    kind: min === max ? kind : 'cap',
    cents: microsToCents(micros, 'up'),
    usd: microsToUsd(micros),
    min_cents: microsToCents(min, 'up'),
    max_cents: microsToCents(max, 'up'),
    min_usd: microsToUsd(min),
    max_usd: microsToUsd(max),
    text,
  }
}

const dollarCents = 100

/** Cents below a dollar, dollars from there on. */
function amountText(micros: Micros): string {
  const cents = microsToCents(micros, 'up')
  if (cents < dollarCents) return `${cents}¢`
  return (cents / dollarCents).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay: 'stripIfInteger',
  })
}

function ceilingRefusal(
  { min, max }: PriceRange,
  ceiling: Micros | undefined,
  isOpen: boolean,
): CallError | undefined {
  if (ceiling !== undefined && min > ceiling) return aboveCeiling(min, ceiling, 'at least ')
  if (!isOpen) return undefined
  const [least, most] = [min, max].map(amountText)
  return fail('max_cost_required', {
    message: `Set max_cost_cents, the most that you agree to pay, to run this call. It costs ${least === most ? least : `${least} to ${most}`}.`,
  })
}
