// Reads a provider's answer against an action's output schema: strictly outside of rows, leniently inside them. One odd
// field must not cost the caller the other rows of a paid answer.
import type { z } from 'zod'

export interface Read {
  readonly data: unknown
  /** What did not fit, such as `results.3.price: expected number`. Empty if everything fitted. */
  readonly misfits: readonly string[]
  /** The number of rows left out. */
  readonly dropped: number
}

/** Rows can be nested. Each round mends or drops what the round before has revealed. */
const roundsMax = 12
const misfitsListedMax = 50

/**
 * A misfit inside a row is converted (`"7"` to 7), or else removed if the schema allows that, or else its row is
 * dropped. Returns the schema's error for a misfit outside of rows, and for a list that loses all of its rows.
 */
export function readLeniently(schema: z.ZodType, raw: unknown): Read | { readonly error: unknown } {
  const first = schema.safeParse(raw)
  if (first.success) return { data: first.data, misfits: [], dropped: 0 }
  const misfits = first.error.issues.slice(0, misfitsListedMax).map(describe)
  // A copy as JSON, the form that the caller gets. The provider's reply itself stays unchanged.
  const copy: unknown = JSON.parse(JSON.stringify(raw) ?? 'null')
  const attempts = new Map<string, number>()
  let dropped = 0
  let { issues } = first.error
  for (let round = 0; round < roundsMax && issues.every(isInRow); round += 1) {
    const doomed = mend(copy, issues, attempts)
    if (!drop(copy, doomed, attempts)) break
    dropped += doomed.reduce((sum, { rows }) => sum + rows.size, 0)
    const parsed = schema.safeParse(copy)
    if (parsed.success) return { data: parsed.data, misfits, dropped }
    issues = parsed.error.issues
  }
  return { error: first.error }
}

type Issue = z.core.$ZodIssue

const isInRow = ({ path }: Issue) => path.some((part) => typeof part === 'number')

const describe = ({ path, message }: Issue) => `${path.join('.')}: ${message}`

type Holder = Record<PropertyKey, unknown>

/** The remedies for a field, in order. After the last one its row is dropped. */
const remedies: readonly ((holder: Holder, name: PropertyKey, issue: Issue) => void)[] = [
  (holder, name, issue) => {
    holder[name] = convert(holder[name], issue)
  },
  (holder, name) => {
    holder[name] = null
  },
  (holder, name) => {
    delete holder[name]
  },
]

interface Doomed {
  readonly list: readonly PropertyKey[]
  readonly rows: Set<number>
}

/** Applies the next remedy to each misfit. Returns the rows that have run out of remedies. */
function mend(copy: unknown, issues: readonly Issue[], attempts: Map<string, number>): Doomed[] {
  const doomed = new Map<string, Doomed>()
  for (const { path, ...issue } of issues) {
    const where = path.join('.')
    const tried = attempts.get(where) ?? 0
    attempts.set(where, tried + 1)
    const name = path.at(-1) as PropertyKey
    const holder = valueAt(copy, path.slice(0, -1))
    const remedy = typeof name === 'number' ? undefined : remedies[tried]
    if (remedy !== undefined && isObject(holder)) {
      remedy(holder, name, { path, ...issue } as Issue)
      continue
    }
    const place = path.findLastIndex((part) => typeof part === 'number')
    const list = path.slice(0, place)
    const known = doomed.get(list.join('.')) ?? { list, rows: new Set() }
    known.rows.add(path[place] as number)
    doomed.set(list.join('.'), known)
  }
  return [...doomed.values()]
}

/** Drops the rows. False if an outer list loses all of its rows: no answer is left to sell. */
function drop(copy: unknown, doomed: readonly Doomed[], attempts: Map<string, number>): boolean {
  // Inner lists first, while the positions of the rows around them are still valid.
  for (const { list, rows } of doomed.toSorted(
    (one, other) => other.list.length - one.list.length,
  )) {
    const held = valueAt(copy, list)
    if (!Array.isArray(held)) continue
    const kept = held.filter((_row, place) => !rows.has(place))
    held.length = 0
    for (const row of kept) held.push(row)
    const isOuter = !list.some((part) => typeof part === 'number')
    if (isOuter && kept.length === 0) return false
    // The remaining rows have moved, so their attempts no longer count.
    const inside = [...list, ''].join('.')
    for (const where of [...attempts.keys()]) if (where.startsWith(inside)) attempts.delete(where)
  }
  return true
}

/** Converts between `"7"` and 7, and `"true"` and true. Other values stay unchanged. */
function convert(value: unknown, issue: Issue): unknown {
  const wanted = issue.code === 'invalid_type' ? issue.expected : undefined
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value)
  const isNumeral = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())
  if ((wanted === 'number' || wanted === 'int') && isNumeral) return Number(value)
  if (wanted === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const isObject = (value: unknown): value is Holder => typeof value === 'object' && value !== null

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((held, part) => (isObject(held) ? held[part] : undefined), value)
