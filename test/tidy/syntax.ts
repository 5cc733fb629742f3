// Reads the syntax of a file for the rules. TypeScript 7 exports no stable parser. knip already uses oxc-parser, so
// this adds no dependency.
import { parseSync, Visitor } from 'oxc-parser'
import type { Source } from './sources.ts'

export interface Measured {
  readonly file: string
  readonly name: string
  readonly lines: number
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Each function with its number of lines, including nested functions. */
export function functionsOf({ file, text }: Source): Measured[] {
  const names = new Map<object, string>()
  const found: Measured[] = []
  const linesOf = ({ start, end }: Span) => text.slice(start, end).split('\n').length
  const measure = (node: Span & { readonly id?: { readonly name: string } | null }) => {
    found.push({
      file,
      name: node.id?.name ?? names.get(node) ?? 'anonymous',
      lines: linesOf(node),
    })
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init !== null && id.type === 'Identifier') names.set(init, id.name)
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier') names.set(value, key.name)
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(file, text).program)
  return found
}
