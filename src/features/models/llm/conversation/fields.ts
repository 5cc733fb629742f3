// Readers for single fields of a request. Each accepts a valid value, skips an absent one, and names an invalid one.
import { fail } from '#core/errors.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export type ChatFields = Record<string, UntypedJson>

const jsonDepthMax = 64

export function readNumber(
  name: string,
  value: unknown,
  range: readonly [least: number, most: number] = [-Infinity, Infinity],
  whole = false,
): number | undefined {
  if (value == null) return undefined
  const fits =
    typeof value === 'number' &&
    value >= range[0] &&
    value <= range[1] &&
    (!whole || Number.isSafeInteger(value))
  if (!fits)
    throw invalid(
      name,
      `${name} must be a ${whole ? 'whole ' : ''}number from ${range[0]} to ${range[1]}.`,
    )
  return value
}

export function readBoolean(name: string, value: unknown): boolean | undefined {
  if (value == null) return undefined
  if (typeof value !== 'boolean') throw invalid(name, `${name} must be true or false.`)
  return value
}

export function readWord(
  name: string,
  value: unknown,
  known: readonly string[],
): string | undefined {
  if (value == null) return undefined
  if (typeof value !== 'string' || !known.includes(value))
    throw invalid(name, `${name} must be one of ${known.join(', ')}.`)
  return value
}

export function readText(value: unknown, at: string, charactersMax = Infinity): string {
  if (typeof value !== 'string' || value.length > charactersMax)
    throw invalid(
      at,
      `${at} must be a string${charactersMax === Infinity ? '' : ` of at most ${charactersMax} characters`}.`,
    )
  return value
}

export function isObject(value: unknown): value is ChatFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The entry of a caller's word. Undefined for what is not a word, and for names that every object has. */
export const entryOf = <Entry>(
  table: Readonly<Record<string, Entry>>,
  word: unknown,
): Entry | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const shownCharactersMax = 100

/** What a caller sent in place of a word, for a message. Some objects cannot be made into text. */
export const shown = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, shownCharactersMax) : `(${typeof value})`

/** Limits the nesting of values that are passed on unchecked. */
export function requireShallow(name: string, value: unknown, depth = 0): void {
  if (depth > jsonDepthMax)
    throw invalid(name, `${name} is nested more than ${jsonDepthMax} levels deep.`)
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) requireShallow(name, inner, depth + 1)
}

export function invalid(param: string, message: string) {
  return fail('bad_request', { message, ...(param === '' ? {} : { data: { param } }) })
}
