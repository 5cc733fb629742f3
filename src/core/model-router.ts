// What actions may ask of the router of language models, inside a paid call of their own.
import type { Hop } from './action.ts'
import type { ModelPrice, TokenUsage } from './model-price.ts'

/** A chat in the common format: `model`, `messages`, `max_tokens` and the like. */
export type RoutedChat = Readonly<Record<string, unknown>> & { readonly model: string }

export interface RoutedAnswer {
  /** Who served: the upstream's name. */
  readonly upstream: string
  readonly model: string
  /** The completion in the common format, as the upstream gave it. */
  readonly completion: Readonly<Record<string, unknown>>
  /** As the upstream counted; estimated from the bytes where it did not. */
  readonly usage: TokenUsage
  /** What it cost the operator in dollars, where the upstream says so. */
  readonly costUsd: number | undefined
}

export interface ModelOffer {
  readonly model: string
  readonly price: ModelPrice
}

/** The router charges nobody for these chats: the action that asks has a price of its own. */
export interface ModelRouter {
  /** The models that an upstream answers now: those of the cheap tier first, then the others by price. */
  offers(): readonly ModelOffer[]
  /** Throws CallError: `not_found` or `provider_not_configured` where no upstream has the model, or the last failure. */
  complete(
    chat: RoutedChat,
    context: { readonly signal: AbortSignal; readonly record: (hop: Hop) => void },
  ): Promise<RoutedAnswer>
}
