// The envelope of a call as an MCP tool result. Clients that read structured content have the envelope, and those that
// read text have its facts in one line and the answer as JSON.
import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server'

/** The envelope of every surface, parsed: `ok`, `data`, `charged_cents` and more. */
export type CallEnvelope = Readonly<Record<string, unknown>>

type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** The part of JSON Schema in which `data` of a tool is described. */
export interface DataSchema {
  readonly type: JsonType | readonly JsonType[]
  readonly properties?: Readonly<Record<string, DataSchema>>
  readonly items?: DataSchema
}

/** What an action that others have written may answer with. */
export const anyData: DataSchema = {
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
}

/**
 * The JSON Schema of a tool's structured content. Refusals fit it too, because clients check them as well: their other
 * fields are the same for all tools, and the instructions of the server explain them.
 */
export const envelopeOf = (data: DataSchema) => ({
  type: 'object' as const,
  properties: { ok: { type: 'boolean' }, data, charged_cents: { type: 'integer' } },
  required: ['ok'],
})

/** What a tool answers with. */
export interface ToolAnswer {
  readonly envelope: CallEnvelope
  /** The file that holds the whole answer, where the envelope does not. */
  readonly link?: ResourceLink
  /** What a tool of another server has answered: clients read it as it is, and the charge beside it. */
  readonly result?: CallToolResult
}

/** Beside the answer of a tool of another server: the envelope without that answer. */
const chargeMeta = 'tollway/charge'

/** An answer that no call in the ledger stands for. */
export const freeAnswer = (data: unknown): ToolAnswer => ({
  envelope: { ok: true, data, charged_cents: 0 },
})

export function showAnswer({ envelope, link, result }: ToolAnswer): CallToolResult {
  if (result !== undefined) {
    const { data: _, ...charge } = envelope
    return { ...result, _meta: { [chargeMeta]: charge } }
  }
  const text = `${factsOf(envelope)}\n${JSON.stringify(envelope.data)}`
  return {
    content: [{ type: 'text', text }, ...(link === undefined ? [] : [link])],
    structuredContent: { ...envelope },
  }
}

function factsOf(envelope: CallEnvelope): string {
  const { charged_cents: charged, balance_remaining_cents: left, transaction_id: id } = envelope
  return [
    `Charged ${charged}¢`,
    ...(left === undefined ? [] : [`${left}¢ left`]),
    ...(id === undefined ? [] : [`transaction ${id}`]),
  ].join(', ')
}
