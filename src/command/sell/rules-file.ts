// The file of `--rules`, and where in it each rule is.
import { UsageError } from '@tollway/command'
import { type ParseError, parseTree } from 'jsonc-parser'

export interface RulesFile {
  readonly rules: unknown[]
  /** A sentence about rules with the line of each rule that it names: `Rule 7 (line 31)`. */
  readonly withLines: (sentence: string) => string
}

/** Throws UsageError, with the line and the column of what is not JSON. */
export function readRulesFile(file: string, text: string): RulesFile {
  const rules = readJson(file, text)
  if (!Array.isArray(rules))
    throw new UsageError(
      `${file} is not a list of price rules in JSON, such as [{"match": "GET *", "price": 1}].`,
    )
  const items = parseTree(text)?.children ?? []
  const withLines = (sentence: string) =>
    sentence.replaceAll(/\bRule (\d+)\b/g, (whole, number: string) => {
      const item = items[Number(number) - 1]
      return item === undefined ? whole : `${whole} (line ${placeOf(text, item.offset).line})`
    })
  return { rules, withLines }
}

function readJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const errors: ParseError[] = []
    parseTree(text, errors, { disallowComments: true })
    const at = startOfWord(text, errors[0]?.offset ?? text.length)
    const { line, column } = placeOf(text, at)
    const found = text.slice(at).trim() === '' ? 'The file ends too early' : 'Something is wrong'
    throw new UsageError(`${file} is not JSON. ${found} at line ${line}, column ${column}.`)
  }
}

/** The parser reads `01` as two numbers. What is told is where the whole word begins. */
const startOfWord = (text: string, at: number) =>
  /^[\w.+-]/.test(text.slice(at, at + 1)) ? text.slice(0, at).search(/[\w.+-]*$/) : at

function placeOf(text: string, at: number) {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}
