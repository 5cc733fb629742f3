// The envelope of a call as an MCP tool result. Clients that read structured content have the envelope, and those that
// read text have its facts in one line and the answer as JSON.
import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server'

/** The envelope of every surface, parsed: `ok`, `data`, `charged_cents` and more. */
export type CallEnvelope = Readonly<Record<string, unknown>>

/** The JSON Schema of every tool's structured content. Refusals fit it too, because clients check them as well. */
export const envelopeSchema = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    data: { description: 'The answer.' },
    charged_cents: { type: 'integer' },
    transaction_id: { type: 'string' },
    error: { type: 'string' },
    message: { type: 'string' },
    next: { type: 'object', description: 'The call that fixes the error.' },
  },
  required: ['ok'],
} as const

/** What a tool answers with. */
export interface ToolAnswer {
  readonly envelope: CallEnvelope
  /** The file that holds the whole answer, where the envelope does not. */
  readonly link?: ResourceLink
}

/** An answer that no call in the ledger stands for. */
export const freeAnswer = (data: unknown): ToolAnswer => ({
  envelope: { ok: true, data, charged_cents: 0 },
})

export function showAnswer({ envelope, link }: ToolAnswer): CallToolResult {
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
