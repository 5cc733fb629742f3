// The file of `--rules`, and where in it each rule is.
import { UsageError } from '@tollway/command'

export interface RulesFile {
  readonly rules: unknown[]
  /** A sentence about rules with the line of each rule that it names: `Rule 7 (line 31)`. */
  readonly withLines: (sentence: string) => string
}

/** Throws UsageError, with the line and the column of what is not JSON. */
export function readRulesFile(file: string, text: string): RulesFile {
  const { problemAt, itemsAt } = scan(text)
  if (problemAt !== undefined) {
    const { line, column } = placeOf(text, problemAt)
    const found = problemAt >= text.length ? 'The file ends too early' : 'Something is wrong'
    throw new UsageError(`${file} is not JSON. ${found} at line ${line}, column ${column}.`)
  }
  const rules: unknown = JSON.parse(text)
  if (!Array.isArray(rules))
    throw new UsageError(
      `${file} is not a list of price rules in JSON, such as [{"match": "GET *", "price": 1}].`,
    )
  const withLines = (sentence: string) =>
    sentence.replaceAll(/\bRule (\d+)\b/g, (whole, number: string) => {
      const at = itemsAt[Number(number) - 1]
      return at === undefined ? whole : `${whole} (line ${placeOf(text, at).line})`
    })
  return { rules, withLines }
}

function placeOf(text: string, at: number) {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON refuses these inside of its texts.
  /(?<mark>[{}[\],:])|(?<text>"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const space = /[ \t\r\n]*/y

/** What may come next in JSON: a value, a name, or what follows them. `end`: of a list or an object. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end'

/** Where the text stops to be JSON, and where the items of its outermost list begin. */
function scan(text: string): { problemAt: number | undefined; itemsAt: readonly number[] } {
  const itemsAt: number[] = []
  const open: string[] = []
  let next: Next = 'value'
  let at = 0
  const skip = () => {
    space.lastIndex = at
    at += space.exec(text)?.[0].length ?? 0
  }
  const isDone = () => next === 'comma or end' && open.length === 0
  for (skip(); !isDone(); skip()) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return { problemAt: at, itemsAt }
    const { mark, text: isText } = found.groups ?? {}
    const takesValue: boolean = next === 'value' || next === 'value or end'
    const isValue = mark === undefined || mark === '{' || mark === '['
    if (takesValue && isValue && open.length === 1 && open[0] === '[') itemsAt.push(at)
    const after: Next | undefined =
      takesValue && isValue ? afterValue(mark, open) : afterMark(next, mark, isText, open)
    if (after === undefined) return { problemAt: at, itemsAt }
    next = after
    at += found[0].length
  }
  return { problemAt: at < text.length ? at : undefined, itemsAt }
}

function afterValue(mark: string | undefined, open: string[]): Next {
  if (mark === undefined) return 'comma or end'
  open.push(mark)
  return mark === '{' ? 'name or end' : 'value or end'
}

function afterMark(
  next: Next,
  mark: string | undefined,
  text: string | undefined,
  open: string[],
): Next | undefined {
  const isIn = open.at(-1)
  if (text !== undefined) return next === 'name' || next === 'name or end' ? 'colon' : undefined
  if (mark === ':') return next === 'colon' ? 'value' : undefined
  if (mark === ',' && next === 'comma or end') return isIn === '{' ? 'name' : 'value'
  const closes = isIn === '{' ? '}' : ']'
  if (mark !== closes || !next.endsWith('or end')) return undefined
  open.pop()
  return 'comma or end'
}
