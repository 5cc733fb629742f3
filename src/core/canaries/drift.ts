// What differs between the reply that is expected of a vendor and the one that it gave.
import { compareShapes, mergeShapes, type Shape } from './shape.ts'

export interface DriftLine {
  /** `schema`: the answer does not fit the output schema of the action. `error`: the vendor answered with a failure. */
  readonly kind: 'missing' | 'new' | 'changed' | 'header' | 'schema' | 'error'
  /** A field such as `results[].title`, or a header. */
  readonly where: string
  /** Null: there was none. */
  readonly before: string | null
  /** Null: there is none. */
  readonly now: string | null
}

/** What the next reply is compared with. */
export interface ReplyForm {
  readonly shape: Shape
  /** Fields that a reply may lack. */
  readonly optional?: readonly string[]
  /** Headers that say what a call costs. */
  readonly headers: Readonly<Record<string, string>>
}

export const compareForms = (before: ReplyForm, now: ReplyForm): DriftLine[] => [
  ...compareShapes(before.shape, now.shape, new Set(before.optional)).map(inReply),
  ...compareHeaders(before.headers, now.headers),
]

/** A form is that of the list of all replies of a call, which is not the vendor's. */
const inReply = (line: DriftLine): DriftLine => ({
  ...line,
  where: line.where.replace(/^\[\]\.?/, '') || 'the reply',
})

/** The form that allows for both, with the prices of `now`. */
export const mergeForms = (before: ReplyForm, now: ReplyForm): ReplyForm => ({
  ...mergeShapes(before.shape, now.shape, new Set(before.optional)),
  headers: now.headers,
})

const priceWord =
  /(^|[-_])(prices?|pricing|costs?|credits?|charges?|charged|bill|billed|billing|fees?|spent)([-_]|$)/
/** They differ in each reply. */
const leftWord = /remaining|left|limit|reset|balance|quota/

export function priceHeadersOf(
  replies: readonly { readonly headers: Readonly<Record<string, string>> }[],
): Record<string, string> {
  const all = replies.flatMap(({ headers }) => Object.entries(headers))
  return Object.fromEntries(
    all
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => priceWord.test(name)),
  )
}

function compareHeaders(before: ReplyForm['headers'], now: ReplyForm['headers']): DriftLine[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted()
  return names.flatMap((name) => {
    const [old, recent] = [before[name] ?? null, now[name] ?? null]
    const isSame = old === recent || (old !== null && recent !== null && leftWord.test(name))
    return isSame ? [] : [{ kind: 'header' as const, where: name, before: old, now: recent }]
  })
}

/** A line of a diff: `-` what is missing, `+` what is new, `~` what has changed. */
export function showDrift({ kind, where, before, now }: DriftLine): string {
  const what = kind === 'header' ? `header ${where}` : where
  if (before === null) return `+ ${what}: ${now}`
  return now === null ? `- ${what}: ${before}` : `~ ${what}: ${before}, now ${now}`
}
