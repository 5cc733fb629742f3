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
  | { readonly request: string; readonly after_seconds?: number }

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
  const body = { ...errorBody(error), charged_cents: 0, next: nextOf(error, call) }
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
  }
}

/** How a caller without an account gets one. Clients that know OAuth sign in instead. */
const openAccount: NextCall = { request: 'POST /api/v1/agents' }

/** For the name of something that does not exist. */
export const findAction = (name: string): NextCall => ({
  tool: 'discover',
  arguments: { query: name.replaceAll(/[^a-z0-9]+/gi, ' ').trim() },
})

/** What follows a refusal of a whole request, whose message says what was wrong with it. */
export function nextRequest({ code, retryAfterSeconds }: CallError): NextCall {
  if (code === 'invalid_token' || code === 'payment_required') return openAccount
  return {
    request: errorTable[code].retryable ? 'POST /mcp' : 'tools/list',
    ...(retryAfterSeconds !== undefined && { after_seconds: retryAfterSeconds }),
  }
}

function nextOf(error: CallError, call: FailedCall): NextCall {
  const { code, retryAfterSeconds } = error
  const { tool, arguments: sent, action = sent.action } = call
  const params = call.action === undefined ? (sent.params ?? {}) : sent
  if (code === 'invalid_token' || code === 'payment_required') return openAccount
  if (typeof action === 'string') {
    const fix = fixesOfActions[code]?.(action, params)
    if (fix !== undefined) return fix
  }
  if (aboutMoney.has(code)) return { tool: 'account', arguments: {} }
  if (!errorTable[code].retryable) return otherArguments(code, action)
  return {
    tool,
    arguments: sent,
    ...(retryAfterSeconds !== undefined && { after_seconds: retryAfterSeconds }),
  }
}

/** The message says what to change; this is where the right arguments are found. */
function otherArguments(code: ErrorCode, action: unknown): NextCall {
  if (typeof action === 'string') return describeIt(action, {})
  // Jobs and sessions are named by ids, which `account` lists.
  return code === 'bad_request' ? { request: 'tools/list' } : { tool: 'account', arguments: {} }
}

const aboutMoney: ReadonlySet<ErrorCode> = new Set([
  'insufficient_balance',
  'credits_required',
  'spend_limit_reached',
  'paid_topup_required',
])

type Fix = (action: string, params: unknown) => NextCall

const describeIt: Fix = (action) => ({ tool: 'describe', arguments: { actions: [action] } })
const discoverOthers: Fix = (action) => findAction(action)
const quoteIt: Fix = (action, params) => ({ tool: 'quote', arguments: { action, params } })

const fixesOfActions: { readonly [Code in ErrorCode]?: Fix } = {
  bad_request: describeIt,
  not_found: discoverOthers,
  provider_not_configured: discoverOthers,
  max_cost_exceeded: quoteIt,
  max_cost_required: quoteIt,
}
