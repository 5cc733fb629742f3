// Payments of wallets in `_meta` of a tool call. Each rail says how its protocol is bound to MCP.
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { type CallError, fail } from '#core/errors.ts'
import type { Rail } from '#money/rails/rail.ts'
import type { PresentedPayment } from '#runner/keyless/request.ts'

export type Meta = Readonly<Record<string, unknown>>

export interface McpPayments {
  /** The payment of a call. Throws `bad_request` for two, or for one that cannot be read. */
  read(meta: Meta, source: string): PresentedPayment | undefined
  /** The `_meta` of the answer to a paid call: receipts. */
  receipt(headers: Readonly<Record<string, string>>, meta: Meta): Meta
  /**
   * Adds to a refusal how it can be paid. Throws the JSON-RPC error of the protocol where its clients read nothing
   * else: the gateway then offers no other protocol.
   */
  challenge(refusal: CallToolResult, error: CallError): CallToolResult
}

export function createMcpPayments(known: ReadonlyMap<string, Rail>): McpPayments {
  const bound = () => [...known.values()].flatMap(({ id, mcp }) => (mcp ? [{ id, mcp }] : []))

  return {
    read(meta, source) {
      const [found, another] = bound().filter(({ mcp }) => meta[mcp.payment] !== undefined)
      if (another !== undefined)
        throw fail('bad_request', { message: 'Send one payment: it must be clear who pays.' })
      if (found === undefined) return undefined
      try {
        return { rail: found.id, header: found.mcp.headerOf(meta[found.mcp.payment]), source }
      } catch (cause) {
        throw fail('bad_request', {
          message: `_meta["${found.mcp.payment}"] is not a payment. Nothing was taken.`,
          cause,
        })
      }
    },
    receipt: (headers, meta) =>
      Object.assign(
        {},
        ...bound()
          .filter(({ mcp }) => meta[mcp.payment] !== undefined)
          .map(({ mcp }) => mcp.receipt(headers, meta[mcp.payment])),
      ),
    challenge(refusal, error) {
      const { headers } = error.challenge ?? {}
      if (headers === undefined) return refusal
      const said = bound().map(({ mcp }) => mcp.challenge(headers))
      const inBody = said.flatMap(({ body }) => body ?? [])
      const [asError] = said.flatMap(({ error }) => error ?? [])
      if (inBody.length === 0 && asError !== undefined)
        throw new ProtocolError(asError.code, error.message, asError.data)
      // The code of the refusal stays the error of both.
      const structuredContent = Object.assign({}, ...inBody, refusal.structuredContent)
      return {
        ...refusal,
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        structuredContent,
        _meta: Object.assign({}, ...said.map(({ meta }) => meta)),
      }
    },
  }
}
