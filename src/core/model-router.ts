// How actions use the router of language models inside their own paid call.
import type { RunContext } from './action.ts'
import type { ModelPrice, TokenUsage } from './model-price.ts'

/** What the surfaces are called among the calls and in the limits of keys. They are not in the catalog. */
export const modelActions = {
  chat: 'llm/chat',
  responses: 'llm/responses',
  messages: 'llm/messages',
  embeddings: 'llm/embeddings',
  images: 'llm/images',
  speech: 'llm/speech',
  transcriptions: 'llm/transcriptions',
  moderations: 'llm/moderations',
  rerank: 'llm/rerank',
} as const

/** A chat in the common format: `model`, `messages`, `max_tokens` and the like. */
export type RoutedChat = Readonly<Record<string, unknown>> & { readonly model: string }

export interface RoutedAnswer {
  /** The name of the upstream that answered. */
  readonly upstream: string
  readonly model: string
  /** The upstream's completion, in the common format. */
  readonly completion: Readonly<Record<string, unknown>>
  /** As counted by the upstream, or estimated from the bytes. */
  readonly usage: TokenUsage
  /** What it cost the operator in dollars, if the upstream reports it. */
  readonly costUsd: number | undefined
}

export interface ModelOffer {
  readonly model: string
  readonly price: ModelPrice
}

/** The parts of an action's context that its chats need. The router tells `spend` what each of them has cost. */
export type ModelContext = Pick<RunContext<unknown>, 'signal' | 'record' | 'spend'>

/** These chats are not charged: the action that asks has its own price. */
export interface ModelRouter {
  /** The models that are available now: the cheap tier first, then the others by price. */
  offers(): readonly ModelOffer[]
  /**
   * Throws CallError: `not_found` or `provider_not_configured` if no upstream has the model, or else the last failure.
   */
  complete(chat: RoutedChat, context: ModelContext): Promise<RoutedAnswer>
}
