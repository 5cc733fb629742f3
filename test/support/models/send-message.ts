// Requests to the messages surface, as its clients send them.
import type { Gateway, TestAccount } from '../harness.ts'
import { hello } from '../llm-gateway.ts'
import type { Json } from '../model-upstream.ts'
import { readMessageEvents } from './message-events.ts'

export interface MessageResult {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body of an answer that is not streamed, or of an error. */
  readonly body: Json
  /** The message of either answer, with its thoughts, texts and calls; undefined after an error. */
  readonly message: Json | undefined
  /** The error of either answer. */
  readonly error: Json | undefined
}

export async function sendMessage(
  { url }: Gateway,
  account: TestAccount,
  body: Json,
  {
    headers = {},
    at = '/api/llm/v1/messages',
  }: { headers?: Record<string, string>; at?: string } = {},
): Promise<MessageResult> {
  const reply = await fetch(`${url}${at}`, {
    method: 'POST',
    headers: {
      'x-api-key': account.key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ messages: hello, max_tokens: 1_000, ...body }),
  })
  const text = await reply.text()
  const { status } = reply
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) {
    const { message, error } = readMessageEvents(text)
    return { status, headers: reply.headers, text, body: undefined, message, error }
  }
  const read = JSON.parse(text)
  return {
    status,
    headers: reply.headers,
    text,
    body: read,
    message: read.type === 'message' ? read : undefined,
    error: read.type === 'error' ? read.error : undefined,
  }
}
