// The operator's command for an MCP server. `npx` is read here, because a box has no npm.
import { fail } from '#core/errors.ts'

export type ServerCommand =
  | {
      readonly kind: 'package'
      readonly specification: string
      readonly program: string | undefined
      readonly args: readonly string[]
    }
  | { readonly kind: 'program'; readonly words: readonly string[] }

/** Throws `bad_request` for options of npx that it does not know. */
export function readCommand(words: readonly string[]): ServerCommand {
  const [first = '', ...rest] = words
  if (!/^npx(\.cmd)?$/.test(first)) return { kind: 'program', words }
  const left = [...rest]
  let named: string | undefined
  while (left[0]?.startsWith('-')) {
    const option = left.shift() ?? ''
    const [, value] = /^(?:-p|--package)=(.+)$/.exec(option) ?? []
    if (value !== undefined) named = value
    else if (option === '-p' || option === '--package') named = left.shift()
    else if (option === '--') break
    else if (option !== '-y' && option !== '--yes')
      throw fail('bad_request', {
        message: `The option ${option} of npx is not known here. Name the package, and then the words for its program: \`npx some-mcp-server …\`.`,
      })
  }
  const [operand, ...args] = left
  if (operand === undefined)
    throw fail('bad_request', { message: 'Name the package of the server: `npx some-mcp-server`.' })
  return named === undefined
    ? { kind: 'package', specification: operand, program: undefined, args }
    : { kind: 'package', specification: named, program: operand, args }
}
