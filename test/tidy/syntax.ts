// Reads the syntax of a file for the rules. TypeScript 7 exports no stable parser. knip already uses oxc-parser, so
// this adds no dependency.
import { parseSync } from 'oxc-parser'
import type { Source } from './sources.ts'

export interface Measured {
  readonly file: string
  readonly name: string
  /** Statements and declarations, those of nested functions included. */
  readonly statements: number
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Each function with its number of statements, nested functions included. */
export function functionsOf({ file, text }: Source): Measured[] {
  const names = new Map<object, string>()
  const functions: (Span & { readonly id?: { readonly name: string } | null })[] = []
  const statements: Span[] = []
  walk(parseSync(file, text).program, (node) => {
    if (node.type === 'VariableDeclarator' && node.init !== null) names.set(node.init, node.id.name)
    if (node.type === 'Property') names.set(node.value, node.key.name)
    if (/Function/.test(node.type) && node.body !== null) functions.push(node)
    if (isStatement(node.type)) statements.push(node)
  })
  return functions.map((node) => ({
    file,
    name: node.id?.name ?? names.get(node) ?? 'anonymous',
    statements: statements.filter(({ start, end }) => start > node.start && end <= node.end).length,
  }))
}

/** A block counts by what is in it, and types cost a reader of the function nothing. */
const isStatement = (type: string) =>
  /(Statement|Declaration)$/.test(type) && type !== 'BlockStatement' && !type.startsWith('TS')

/** The lines with `...{ a, b }` in an object: properties that are folded onto one line. */
export function foldedProperties({ file, text }: Source): string[] {
  if (!text.includes('...{')) return []
  const found: string[] = []
  walk(parseSync(file, text).program, ({ type, properties }) => {
    if (type !== 'ObjectExpression') return
    for (const { type: kind, argument, start } of properties)
      if (kind === 'SpreadElement' && argument.type === 'ObjectExpression')
        found.push(`${file}:${text.slice(0, start).split('\n').length}`)
  })
  return found
}

/** The lines of comments, with their numbers from one. */
export function commentLines({
  file,
  text,
}: Source): { readonly line: number; readonly text: string }[] {
  const lines = text.split('\n')
  return parseSync(file, text).comments.flatMap(({ start, end }) => {
    const first = text.slice(0, start).split('\n').length
    const count = text.slice(start, end).split('\n').length
    return lines
      .slice(first - 1, first - 1 + count)
      .map((each, n) => ({ line: first + n, text: each }))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the type of a node decides which fields it has.
type Node = any

function walk(node: Node, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (typeof node.type === 'string') visit(node)
  for (const child of Object.values(node)) walk(child, visit)
}
