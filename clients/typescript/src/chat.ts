// Language models, in the common chat-completions format.
import { readError, TollwayError } from './errors.ts'
import { newIdempotencyKey } from './idempotency.ts'
import type { Transport } from './transport.ts'

export interface ChatRequest {
  /** A model, or a tier such as `tollway/mid`. */
  readonly model: string
  readonly messages: readonly ChatMessage[]
  /** Default 4096. */
  readonly max_tokens?: number
  /** Further fields of the format: `temperature`, `tools`, `response_format` and others. */
  readonly [field: string]: unknown
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | (string & {})
  readonly content?: unknown
  readonly [field: string]: unknown
}

interface ChatFields {
  readonly id: string
  /** The model that answered. */
  readonly model: string
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  readonly [field: string]: unknown
}

interface Said {
  readonly role?: string
  readonly content?: string | null
  readonly [field: string]: unknown
}

export interface ChatAnswer extends ChatFields {
  readonly choices: readonly {
    readonly index: number
    readonly message: Said
    readonly finish_reason: string | null
  }[]
}

export interface ChatChunk extends ChatFields {
  readonly choices: readonly {
    readonly index: number
    readonly delta: Said
    readonly finish_reason?: string | null
  }[]
}

export interface ChatOptions {
  readonly maxCostCents?: number
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface Chat {
  /** The whole answer. Repeated like other calls. */
  (request: ChatRequest, options?: ChatOptions): Promise<ChatAnswer>
  /**
   * The parts of an answer as they arrive. It is repeated only until it begins: a stream that breaks off throws, costs
   * nothing if the gateway ended it, and is asked for again with the same `idempotencyKey`. Leaving the loop ends the
   * stream.
   */
  stream(request: ChatRequest, options?: ChatOptions): AsyncIterable<ChatChunk>
}

export function openChat(transport: Transport): Chat {
  function send<Result>(
    request: ChatRequest,
    { maxCostCents, idempotencyKey, signal }: ChatOptions,
    read: (response: Response) => Promise<Result>,
  ) {
    return transport.send(
      {
        method: 'POST',
        at: '/api/llm/v1/chat/completions',
        json: maxCostCents === undefined ? request : { ...request, max_cost_cents: maxCostCents },
        idempotencyKey: idempotencyKey ?? newIdempotencyKey(),
        signal,
      },
      read,
    )
  }

  const chat = (request: ChatRequest, options: ChatOptions = {}) =>
    send(
      { ...request, stream: false },
      options,
      async (response): Promise<ChatAnswer> => await response.json(),
    )

  async function* stream(request: ChatRequest, options: ChatOptions = {}) {
    const response = await send({ ...request, stream: true }, options, async (begun) => begun)
    for await (const data of eventsOf(response)) {
      if (data === '[DONE]') return
      const chunk: ChatChunk & { readonly error?: unknown } = JSON.parse(data)
      if (chunk.error) throw readError(response, data)
      yield chunk
    }
    throw brokenStream(undefined)
  }

  return Object.assign(chat, { stream })
}

/** The data of server-sent events. Comments and other fields are left out. */
async function* eventsOf({ body }: Response): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split(/\r?\n/)
      rest = lines.pop() ?? ''
      for (const line of lines)
        if (line.startsWith('data:')) yield line.slice('data:'.length).trim()
    }
  } catch (cause) {
    // By the standard, a connection that breaks is a TypeError; an abort is the reason of the signal.
    throw cause instanceof TypeError ? brokenStream(cause) : cause
  } finally {
    // Ends the request when the caller leaves the loop.
    await reader.cancel().catch(() => undefined)
  }
}

const brokenStream = (cause: unknown) =>
  new TollwayError('connection_failed', {
    message: 'The stream broke off before its end. Ask again with the same idempotency key.',
    cause,
  })
