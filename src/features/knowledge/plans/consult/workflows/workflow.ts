// A task of several steps that belong together, as data for workflow-plan.ts.
import type { SlotKind } from '../slots.ts'

/** A value of the request. `all`: the list of them, of two at least. `as`: each in an object under this name. */
interface SlotValue {
  readonly $slot: SlotKind
  readonly all?: true
  readonly as?: string
}

/** What the call of an earlier step gives by this name. */
interface GivenValue {
  readonly $from: string
  readonly value: string
}

/** Where in the answer a value is: a pointer to it, or to a list and into each of its items. */
type GivenPlace = string | { readonly list: string; readonly each: string; readonly first: number }

export interface WorkflowCall {
  readonly action: string
  /** JSON, with slots and values of earlier steps in it. */
  readonly params: Readonly<Record<string, unknown>>
  /** Parameters that composed.ts reads in the intent. The call cannot be made without them. */
  readonly composed?: readonly string[]
  readonly gives?: Readonly<Record<string, GivenPlace>>
}

export interface WorkflowStep {
  readonly id: string
  readonly why: string
  /** The first one that is available and whose values are known counts: the cheapest first. */
  readonly calls: readonly WorkflowCall[]
  /**
   * The workflow is not proposed without it, and its plan stops if it fails. Other steps may be left out, and may fail.
   */
  readonly isRequired?: true
  /** It finds a value of this kind, which the request may name. */
  readonly unless?: SlotKind
}

export interface Workflow {
  readonly name: string
  /** How callers ask for it. An intent that is like them is for this workflow. */
  readonly phrasings: readonly string[]
  /** Only for an intent that says more than one goal: single calls serve each of them. */
  readonly isOfSeveralGoals?: true
  readonly steps: readonly WorkflowStep[]
}

export const slot = ($slot: SlotKind): SlotValue => ({ $slot })
export const all = ($slot: SlotKind, as?: string): SlotValue => ({
  $slot,
  all: true,
  ...(as !== undefined && { as }),
})
export const from = ($from: string, value: string): GivenValue => ({ $from, value })

export const pagesReadMax = 5
export const listedPagesMax = 10

export const readPages = (step: string): WorkflowStep => ({
  id: 'read',
  why: 'To read what was found.',
  calls: [{ action: 'own/onescrape', params: { urls: from(step, 'pages') } }],
})
