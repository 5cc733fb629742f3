// Readers for single fields of a request. Each accepts a valid value, skips an absent one, and names an invalid one.
import { fail } from '#core/errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: checked field by field; translators read them.
export type ChatFields = Record<string, any>

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

export function isObject(value: unknown): value is ChatFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
