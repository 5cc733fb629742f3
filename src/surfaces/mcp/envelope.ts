// The envelope of a call as an MCP tool result. Clients that read structured content have the envelope, and those that read
// text have its facts in one line and the answer as JSON.
import type { CallToolResult } from '@modelcontextprotocol/server'

/** The envelope of every surface, parsed: `ok`, `data`, `charged_cents` and more. */
export type CallEnvelope = Readonly<Record<string, unknown>>

/** The envelope of an answer that no call in the ledger stands for. */
export const freeEnvelope = (data: unknown): CallEnvelope => ({ ok: true, data, charged_cents: 0 })

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

export function showEnvelope(envelope: CallEnvelope): CallToolResult {
  return {
    content: [{ type: 'text', text: `${factsOf(envelope)}\n${JSON.stringify(envelope.data)}` }],
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
