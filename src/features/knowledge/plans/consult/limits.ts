// What an intent wants more of than an action gives: limits are those of the action's schema and price.
import type { Action } from '#core/action.ts'
import { type CatalogEntry, inputSchemaOf } from '#core/catalog.ts'

type Unit = 'seconds' | 'bytes' | 'characters' | 'pages' | 'people' | 'cents'

interface Limit {
  readonly unit: Unit
  readonly most: number
  /** It counts only for an intent that says this word. */
  readonly saidAs?: string
}

const numberWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(
    ' ',
  )
const amount = String.raw`(\d[\d.,]*|${numberWords.join('|')})`

/** How an amount of each unit is written, and what one of it is in the unit. */
const written: readonly (readonly [Unit, pattern: RegExp, size: number])[] = (
  [
    ['seconds', `${amount}[\\s-]*(?:seconds?|secs?)\\b`, 1],
    ['seconds', `${amount}[\\s-]*(?:minutes?|mins?)\\b`, 60],
    ['seconds', `${amount}[\\s-]*(?:hours?|h)\\b`, 3_600],
    ['bytes', `${amount}[\\s-]*MB\\b`, 1e6],
    ['bytes', `${amount}[\\s-]*GB\\b`, 1e9],
    ['characters', `${amount}[\\s-]*(?:characters?|chars)\\b`, 1],
    ['pages', `${amount}[\\s-]*pages?\\b`, 1],
    ['people', `${amount}\\s+(?:of us|of them|performers?|dancers?|people|sisters|brothers)\\b`, 1],
    ['cents', `(?:costs?|charges?|price\\D{0,10}|for)\\s+(?:it\\s+)?\\$\\s?${amount}`, 100],
    ['cents', `(?:costs?|charges?|price\\D{0,10})\\s+${amount}\\s+dollars?\\b`, 100],
  ] as const
).map(([unit, pattern, size]) => [unit, new RegExp(`(?<![\\w.])${pattern}`, 'giu'), size])

/** Reads the amounts of an intent once. The result gives the reason if the intent names more than an action takes. */
export function createLimitCheck(intent: string): (entry: CatalogEntry) => string | undefined {
  const wanted = readAmounts(intent)
  if (wanted.size === 0) return () => undefined
  return ({ id, action }) => {
    for (const { unit, most, saidAs = '' } of limitsOf(action)) {
      const said = wanted.get(unit)
      if (said !== undefined && said > most && intent.toLowerCase().includes(saidAs))
        return `${id} takes at most ${most} ${unit}, and the intent says ${said}.`
    }
    return undefined
  }
}

function readAmounts(intent: string): ReadonlyMap<Unit, number> {
  const amounts = new Map<Unit, number>()
  for (const [unit, pattern, size] of written) {
    for (const [, said = ''] of intent.matchAll(pattern)) {
      const word = numberWords.indexOf(said.toLowerCase())
      const value =
        word === -1 ? Number(said.replace(/[.,](?=\d{3}\b)/g, '').replace(',', '.')) : word
      if (Number.isFinite(value)) amounts.set(unit, Math.max(amounts.get(unit) ?? 0, value * size))
    }
  }
  return amounts
}

/** A shorter limit is how long the gateway waits, not how long the caller uses what is opened. */
const useSecondsMin = 600
/** Texts of a few sentences. Longer ones are not counted by callers. */
const countedCharactersMax = 2_000

const known = new WeakMap<Action, readonly Limit[]>()

function limitsOf(action: Action): readonly Limit[] {
  const limits = known.get(action) ?? readLimits(action)
  known.set(action, limits)
  return limits
}

function readLimits(action: Action): readonly Limit[] {
  const { properties } = inputSchemaOf(action)
  const limits = Object.entries(properties).flatMap(([name, schema]): readonly Limit[] => {
    const { description = '', maximum, maxLength, maxItems, items } = schema
    const tail = name.split('_').at(-1) ?? name
    const isTime = /^(?:timeout|duration)/.test(name) && /\bseconds?\b/i.test(description)
    if (isTime && maximum !== undefined && maximum >= useSecondsMin)
      return [{ unit: 'seconds', most: maximum }]
    if (maximum !== undefined && /\bbytes\b/.test(description))
      return [{ unit: 'bytes', most: maximum }]
    if (maximum !== undefined && /pages$/i.test(name)) return [{ unit: 'pages', most: maximum }]
    if (maxItems !== undefined && items?.properties?.consent !== undefined)
      return [{ unit: 'people', most: maxItems }]
    if (maxLength === undefined || maxLength > countedCharactersMax) return []
    return [{ unit: 'characters', most: maxLength, saidAs: tail }]
  })
  return [...limits, ...limitsOfPrice(action)]
}

function limitsOfPrice({ price }: Action): readonly Limit[] {
  if (typeof price !== 'object') return []
  if ('upToCents' in price && typeof price.upToCents === 'number' && !('isBudget' in price))
    return [{ unit: 'cents', most: price.upToCents }]
  const perPage = 'basis' in price ? /([\d.]+)¢ per page/.exec(price.basis ?? '')?.[1] : undefined
  if (perPage === undefined || !('atMostCents' in price) || price.atMostCents === undefined)
    return []
  return [{ unit: 'pages', most: Math.floor(price.atMostCents / Number(perPage)) }]
}
