// What an operator should know of the prices that they are about to sell at.
import type { Action } from '#core/action.ts'
import { centsToMicros, formatCents, parseUsd } from '#core/money.ts'
import { describePrice, priceInWords, type RailTerms } from '#core/pricing/describe-price.ts'
import { lossSentence } from '#core/pricing/loss.ts'
import { type Override, replacePrice } from '#core/pricing/override.ts'

export interface OfferedAction {
  /** `service/action`. */
  readonly id: string
  readonly action: Action
  /** As it is sold now. */
  readonly before?: Action | undefined
  /** What a call costs the operator at most, in cents, as they have declared it. */
  readonly costCents?: number | undefined
}

/** What decides beside the price rules what callers pay, and how. */
export interface PriceSurroundings {
  /** What the operator has set in place of prices, by `service/action`. It may not fit the price. */
  readonly overrides: ReadonlyMap<string, Override>
  /** The payment rails that are on. */
  readonly rails: readonly RailTerms[]
}

const sentencesShown = 20
const namesShown = 5

export function priceWarnings(
  offered: readonly OfferedAction[],
  { overrides, rails }: PriceSurroundings,
): readonly string[] {
  const overridden = offered.flatMap((each) => {
    const override = overrides.get(each.id)
    return (override && overrideWarning(each, override)) ?? []
  })
  const losing = offered.flatMap((each) => lossWarning(each, overrides.get(each.id)) ?? [])
  const capped = offered.filter(
    ({ action: { price } }) => typeof price === 'object' && 'upToCents' in price,
  )
  return [
    ...firstOf(overridden),
    ...firstOf(losing),
    ...(capped.length > 0 ? capWarnings(capped, rails) : []),
  ]
}

function firstOf(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - sentencesShown
  const rest = [`So it is with ${more === 1 ? '1 more action' : `${more} more actions`}.`]
  return [...warnings.slice(0, sentencesShown), ...(more > 0 ? rest : [])]
}

/** Undefined: not every call would cost more than it brings, or it is meant to be free. */
function lossWarning(
  { id, action, costCents = 0 }: OfferedAction,
  override: Override | undefined,
): string | undefined {
  const price = (override && replacePrice(action.price, override)) ?? action.price
  if (price === 'free') return undefined
  const { amount = '0', max = amount } = describePrice({ price })
  const cost = centsToMicros(costCents)
  if (parseUsd(max) >= cost) return undefined
  return lossSentence({
    action: id,
    paid: `callers pay ${priceInWords({ price })}`,
    cost: `you have declared that it costs you ${formatCents(cost)}`,
    otherwise: 'correct the cost',
  })
}

/** Undefined: callers do not pay the price of the operator, neither now nor after it. */
function overrideWarning({ id, action, before }: OfferedAction, override: Override) {
  const replaced = replacePrice(action.price, override)
  const replacedNow = before && replacePrice(before.price, override)
  if (replaced === undefined && replacedNow === undefined) return undefined
  const paid = priceInWords(action, replaced)
  const own = `A price that you have set yourself for ${id}`
  if (before === undefined) return `${own} is in force. Callers will pay: ${paid}.`
  const now = `Callers pay now: ${priceInWords(before, replacedNow)}.`
  if (replaced === undefined)
    return `${own} is in force, and does not fit the new price. ${now} After this: ${paid}.`
  if (replacedNow === undefined)
    return `${own} is not in force now, and fits the new price. ${now} After this: ${paid}.`
  return `${own} is in force. ${now} After this: ${paid}.`
}

/** A price that only the answer shows is a cap, which some rails or their clients cannot pay. */
function capWarnings(capped: readonly OfferedAction[], rails: readonly RailTerms[]) {
  const names = capped.slice(0, namesShown).map(({ id }) => id)
  const more = capped.length - names.length
  const listed = more > 0 ? [...names, `${more} more`] : names
  const any = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  const about = `What a call of ${any.format(listed)} costs is known only after it`
  const able = rails.filter(({ exactOnly }) => !exactOnly)
  const otherwise =
    able.length > 0
      ? `They can pay it by ${any.format(able.map(({ id }) => id))}.`
      : 'So only callers with an API key can call it.'
  return rails.flatMap(({ id, exactOnly, aboutCaps }) => {
    if (exactOnly) {
      const why = aboutCaps === undefined ? '' : ` ${aboutCaps}`
      return [`${about}, so wallets cannot pay it by ${id}.${why} ${otherwise}`]
    }
    return aboutCaps === undefined ? [] : [`${about}. ${aboutCaps}`]
  })
}
