// What an action says about itself in words.

import type { ActionEndpoint } from './action-endpoint.ts'

export interface ActionText {
  /** One sentence, capitalised, with a full stop: what the caller gets. */
  readonly summary: string
  /** When to use it, which action to use otherwise, and what surprises people. */
  readonly notes?: string
  /** Words that people use for it, for search. */
  readonly synonyms?: readonly string[]
  /** What callers say for values of its fields, besides the values themselves: by field and value. */
  readonly saidAs?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Questions that it answers, as people ask them: `who raised money last week?`. */
  readonly questions?: readonly string[]
  /** The values of its parameter `endpoint`, when each has its own price and parameters. */
  readonly endpoints?: readonly ActionEndpoint[]
}
