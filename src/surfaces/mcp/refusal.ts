// A failed call as an MCP tool result: the error body of every surface, and the call that fixes it.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type CallError, type ErrorCode, errorTable } from '#core/errors.ts'
import { errorBody } from '../doors/error-body.ts'

/** A tool call that fixes an error, or a request for what no tool does. */
export type NextCall =
  | {
      readonly tool: string
      readonly arguments: Readonly<Record<string, unknown>>
      /** Wait this long first. */
      readonly after_seconds?: number
    }
  | { readonly request: string }

/** A call as its client sent it. */
export interface SentCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

interface FailedCall extends SentCall {
  /** The action that it ran. Absent: its arguments name the action. */
  readonly action?: string | undefined
}

export function showRefusal(error: CallError, call: FailedCall): CallToolResult {
  const next = nextOf(error, call)
  const body = { ...errorBody(error), charged_cents: 0, ...(next === undefined ? {} : { next }) }
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
  }
}

/** Undefined where only other arguments help, and the message says which. */
function nextOf(error: CallError, call: FailedCall): NextCall | undefined {
  const { code, retryAfterSeconds } = error
  const { tool, arguments: sent, action = sent.action } = call
  const params = call.action === undefined ? (sent.params ?? {}) : sent
  if (code === 'invalid_token' || code === 'payment_required')
    return { request: 'POST /api/v1/agents' }
  if (typeof action === 'string') {
    const fix = fixesOfActions[code]?.(action, params)
    if (fix !== undefined) return fix
  }
  if (aboutMoney.has(code)) return { tool: 'account', arguments: {} }
  if (!errorTable[code].retryable) return undefined
  return {
    tool,
    arguments: sent,
    ...(retryAfterSeconds !== undefined && { after_seconds: retryAfterSeconds }),
  }
}

const aboutMoney: ReadonlySet<ErrorCode> = new Set([
  'insufficient_balance',
  'credits_required',
  'spend_limit_reached',
  'paid_topup_required',
])

type Fix = (action: string, params: unknown) => NextCall

const describeIt: Fix = (action) => ({ tool: 'describe', arguments: { actions: [action] } })
const discoverOthers: Fix = (action) => ({
  tool: 'discover',
  arguments: { query: action.replaceAll(/[^a-z0-9]+/gi, ' ').trim() },
})
const quoteIt: Fix = (action, params) => ({ tool: 'quote', arguments: { action, params } })

const fixesOfActions: { readonly [Code in ErrorCode]?: Fix } = {
  bad_request: describeIt,
  not_found: discoverOthers,
  provider_not_configured: discoverOthers,
  max_cost_exceeded: quoteIt,
  max_cost_required: quoteIt,
}
