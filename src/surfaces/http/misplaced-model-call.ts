// Calls of language models that were sent to a wrong base address. Their clients read the error objects of their own
// surface only, and people read in it which address is right.
import type { FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import { chatErrorBody } from '#features/models/llm/surface/chat/error-body.ts'
import { messagesErrorBody } from '#features/models/llm/surface/messages/error-body.ts'

const openai = '/api/llm/v1'
const anthropic = '/api/llm'

const ofChat = /\/(?:chat\/completions|responses|embeddings|images\/generations)$/
const ofMessages = /\/messages(?:\/count_tokens)?$/

/** The body of the answer. Undefined for other requests. */
export function elsewhereOf(
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  baseUrl: string,
): object | undefined {
  const [pathname = ''] = url.split('?')
  if (/^\/(?:api\/(?:run|v1)|console|sell)\//.test(pathname)) return undefined
  if (method === 'POST' && ofMessages.test(pathname))
    return messagesErrorBody(refusal(`${baseUrl}${anthropic}`, `${anthropic}/v1/messages`))
  const isCall = method === 'POST' ? ofChat.test(pathname) : pathname === '/v1/models'
  if (!isCall) return undefined
  return chatErrorBody(
    refusal(
      `${baseUrl}${openai}`,
      `${openai}${pathname.replace(/^.*?\/v1(?=\/)|^\/api\/llm/, '')}`,
    ),
  )
}

const refusal = (baseUrl: string, path: string) =>
  fail('not_found', {
    message: `There is nothing at this address. Set the base URL of the client to ${baseUrl}, so that it calls ${path}.`,
  })
