// This surface refuses what it does not know, as the vendor does, so that no field is lost in silence.
import { type ChatFields, invalid, isObject } from '../../conversation/fields.ts'

/** Throws `bad_request` for the first field that is not in `known`. `refused` says why, for fields of the vendor. */
export function requireKnown(
  at: string,
  object: ChatFields,
  known: readonly string[],
  refused: Readonly<Record<string, string>> = {},
): void {
  for (const [name, value] of Object.entries(object)) {
    if (known.includes(name)) continue
    const path = at === '' ? name : `${at}.${name}`
    const why = Object.hasOwn(refused, name) ? refused[name] : undefined
    if (why === undefined)
      throw invalid(path, `${path} is not a field of this format. Remove it, or correct its name.`)
    if (value != null) throw invalid(path, `${path} is not accepted here. ${why}`)
  }
}

export function readObject(at: string, value: unknown): ChatFields {
  if (!isObject(value)) throw invalid(at, `${at} must be an object.`)
  return value
}

export function readList(at: string, value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most)
    throw invalid(at, `${at} must be a list of at most ${most} entries.`)
  return value
}

export function readString(at: string, value: unknown, charactersMax = Infinity): string {
  if (typeof value === 'string' && value.length <= charactersMax) return value
  const limit = charactersMax === Infinity ? '' : ` of at most ${charactersMax} characters`
  throw invalid(at, `${at} must be a string${limit}.`)
}

/** `{ type: 'ephemeral', ttl? }`, which marks the end of what the vendor's cache keeps. */
export function readCacheMark(at: string, mark: unknown): ChatFields | undefined {
  if (mark == null) return undefined
  const { type, ttl, ...rest } = readObject(at, mark)
  requireKnown(at, rest, [])
  if (type !== 'ephemeral') throw invalid(`${at}.type`, `${at}.type must be ephemeral.`)
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h')
    throw invalid(`${at}.ttl`, `${at}.ttl must be 5m or 1h.`)
  return ttl === '1h' ? { type, ttl } : { type }
}

/** The mark of a block as a field of its translation. */
export function cacheMarkOf(at: string, { cache_control: mark }: ChatFields): ChatFields {
  const read = readCacheMark(`${at}.cache_control`, mark)
  return read === undefined ? {} : { cache_control: read }
}
