// A tool of the MCP server: data and one function.
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from '#core/action.ts'
import type { AccountCaller, Caller } from '#core/caller.ts'
import type { CallListener } from '#core/calls/call-listener.ts'
import { type CallEnvelope, type DataSchema, envelopeOf, type ToolAnswer } from '../envelope.ts'

export interface ActionCall {
  /** `service/action`. */
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string | undefined
  /** Asks for the price only. */
  readonly wantsQuote?: boolean
  /** Sees the progress, and cancels the call. */
  readonly listener?: CallListener | undefined
}

/** One call of a tool. */
export interface ToolCall {
  /** Undefined when the request carries no API key. */
  readonly caller: AccountCaller | undefined
  /** Runs an action as `POST /api/run/{action}` does. Throws a CallError. */
  run(call: ActionCall): Promise<CallEnvelope>
  /** The owner of what the call reads or uses. Throws `invalid_token`. */
  owner(): Promise<Caller>
  /** Tells a waiting client how far a job is. */
  report(percent: number, phase: string): Promise<void>
  /** Passes on what a tool of another server reports, and that its caller has cancelled. */
  readonly listener: CallListener
  /** The client has gone or has cancelled the call. */
  readonly signal: AbortSignal
}

export interface Tool {
  /** The one action that it runs. Absent: its arguments name the action, or it runs none. */
  readonly action?: string
  readonly listed: ListedTool
  /** Reads the arguments and answers. Throws a CallError, or a ZodError for arguments that do not fit. */
  call(sent: unknown, call: ToolCall): Promise<ToolAnswer>
}

/** Infers what `run` receives from `input`. */
export function defineTool<Input extends z.ZodType>(tool: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: ToolAnnotations
  readonly input: Input
  /** What its answer says of itself. Default: it is an object. */
  readonly data?: DataSchema
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer>
}): Tool {
  const { name, title, description, annotations, input, data = { type: 'object' } } = tool
  return {
    listed: {
      name,
      title,
      description,
      annotations,
      inputSchema: briefly(z.toJSONSchema(input, { io: 'input' })),
      outputSchema: envelopeOf(data),
    },
    call: async (sent, call) => await tool.run(input.parse(sent), call),
  }
}

type Json = Readonly<Record<string, unknown>>

/** Arguments are checked against these too, but a model that fills in the tool does well without. */
const unlisted = new Set(['$schema', 'minLength', 'maxLength', 'minItems', 'propertyNames'])

/** The schema without what says little to a model, which reads it in each conversation. */
export function briefly(schema: object): ListedTool['inputSchema'] {
  const says = ([name, part]: [string, unknown]) =>
    !unlisted.has(name) && part !== Number.MAX_SAFE_INTEGER && !isEmptyPart(name, part)
  const shorten = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(shorten)
    if (typeof part !== 'object' || part === null) return part
    const said = Object.entries(part).filter(says)
    return Object.fromEntries(said.map(([name, inner]) => [name, shorten(inner)]))
  }
  return shorten(schema) as ListedTool['inputSchema']
}

const isEmptyPart = (name: string, part: unknown) =>
  ['properties', 'additionalProperties', 'default'].includes(name) &&
  typeof part === 'object' &&
  Object.keys(part as Json).length === 0

/** It changes nothing and reaches nothing outside the gateway. */
export const readsOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Actions may send, buy or delete, at any vendor. */
export const acts: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
}
