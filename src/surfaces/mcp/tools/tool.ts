// A tool of the MCP server: data and one function.
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from '#core/action.ts'
import type { AccountCaller, Caller } from '#core/caller.ts'
import { type CallEnvelope, envelopeSchema, type ToolAnswer } from '../envelope.ts'

export interface ActionCall {
  /** `service/action`. */
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string | undefined
  /** Asks for the price only. */
  readonly wantsQuote?: boolean
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
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer>
}): Tool {
  const { name, title, description, annotations, input } = tool
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
  return {
    listed: {
      name,
      title,
      description,
      annotations,
      inputSchema: inputSchema as ListedTool['inputSchema'],
      outputSchema: envelopeSchema,
    },
    call: async (sent, call) => await tool.run(input.parse(sent), call),
  }
}

/** It changes nothing and reaches nothing outside the gateway. */
export const readsOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Actions may send, buy or delete, at any vendor. */
export const acts: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}
