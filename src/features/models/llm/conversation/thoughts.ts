// Thoughts in the history of a request. A thought is given back only to the model that made it.
import type { Thought, ThoughtSeal, WireName } from './answer-event.ts'
import type { ChatFields } from './fields.ts'
import type { ModelRequest } from './model-request.ts'

/** Where a request goes. */
export interface Addressee {
  readonly wire: WireName
  readonly slug: string
}

export interface SealedThought extends Thought {
  readonly seal: ThoughtSeal
}

/** The thoughts of a message that this model made. One that does not say so is of the model that the caller names. */
export function ownThoughts(
  message: ChatFields,
  request: Pick<ModelRequest, 'model'>,
  to: Addressee,
): SealedThought[] {
  const thoughts: readonly Thought[] = message.thoughts ?? []
  return thoughts.filter(
    (thought): thought is SealedThought =>
      thought.seal !== undefined && isOwnSeal(thought.seal, request, to),
  )
}

export const isOwnSeal = (
  { maker, model }: ThoughtSeal,
  request: Pick<ModelRequest, 'model'>,
  { wire, slug }: Addressee,
): boolean => maker === wire && (model ?? request.model) === slug

/** Whether a thought of the history is left out for this model. */
export function dropsThoughts(request: ModelRequest, to: Addressee): boolean {
  if (!request.holdsThoughts) return false
  return request.fields.messages.some(
    (message: ChatFields) =>
      (message.thoughts?.length ?? 0) > ownThoughts(message, request, to).length,
  )
}

/** Budgets of tokens for the efforts, and back. */
const budgets = [
  ['minimal', 1_024],
  ['low', 2_048],
  ['medium', 8_192],
  ['high', 24_576],
] as const

export function effortOf(budgetTokens: number): string {
  return budgets.find(([, most]) => budgetTokens <= most)?.[0] ?? 'high'
}

export function budgetOf(effort: string): number {
  return budgets.find(([name]) => name === effort)?.[1] ?? 32_768
}
