// What the server of a tool says of it, as clients of MCP read it.

/** Of the effect of a tool, as MCP names them. */
export const toolHints = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
] as const

export type ToolFacts = { readonly title?: string | undefined } & {
  readonly [Hint in (typeof toolHints)[number]]?: boolean | undefined
}
