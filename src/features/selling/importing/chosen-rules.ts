// The price rules of a sale: those that the operator sends, or those of the sale before.
import { fail } from '#core/errors.ts'
import { type PriceRule, readPriceRules } from '../rules/price-rules.ts'
import type { SellRequest } from './sell-request.ts'

/**
 * Without `rules`, those of the sale before stay, and a price replaces only the rule that a price has made. Throws
 * `bad_request`.
 */
export function chosenRules(
  { price, rules }: SellRequest,
  before: readonly PriceRule[] = [],
): readonly PriceRule[] {
  const rest = price === undefined ? [] : [{ match: '*', price: price === 0 ? 'free' : price }]
  const kept = price === undefined ? before : before.filter((rule) => !isMadeByPrice(rule))
  const all = [...(rules ?? kept), ...rest]
  if (all.length > 0) return readPriceRules(all)
  throw fail('bad_request', {
    message: 'Say what a call costs: a price in cents for each call, or price rules.',
  })
}

const isMadeByPrice = (rule: PriceRule) => centsOfAll([rule]) !== null

/** Cents of the last rule, where it only says what any other call costs. */
export function centsOfAll(rules: readonly PriceRule[]): number | null {
  const { match, price, ...more } = rules.at(-1) ?? { match: '', price: 'not sold' }
  const saysMore = Object.values(more).some((term) => term !== undefined)
  if (match !== '*' || price === 'not sold' || saysMore) return null
  return price === 'free' ? 0 : price
}

/** Tells the operator that a price was not enough to replace the rules of the sale before. */
export function keptRulesWarnings(
  { file, price, rules }: SellRequest,
  before: readonly PriceRule[] = [],
): readonly string[] {
  const kept = before.filter((rule) => !isMadeByPrice(rule)).length
  if (file !== undefined || price === undefined || rules !== undefined || kept === 0) return []
  return kept === 1
    ? ['The price rule of the sale now stays. Other rules replace it.']
    : [`The ${kept} price rules of the sale now stay. Other rules replace them.`]
}
