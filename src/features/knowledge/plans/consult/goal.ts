// What a plan is drafted for, and what a draft is.
import type { Catalog } from '#core/catalog.ts'
import type { PlanStep } from '#core/plan.ts'
import type { PartsCost } from '#core/price.ts'
import type { ReadText } from '../../values/read-values.ts'
import type { AnswerConstraints } from './constraints.ts'
import type { ValueRecipe } from './drafting/recipes.ts'
import type { IntentSlots } from './slots.ts'

/** A value without which a call cannot be made. */
export interface MissingValue {
  readonly action: string
  readonly parameter: string
  readonly description: string
}

export interface PlanDraft {
  readonly steps: readonly PlanStep[]
  readonly assumptions: readonly string[]
  /** The words of the values that fields have taken. */
  readonly taken?: readonly string[]
  readonly missing?: MissingValue
  /** It begins with a search that another action may make unnecessary. */
  readonly isRoundabout?: true
}

/** A draft whose calls fit their actions, with what they cost. */
export interface Planned extends PlanDraft {
  readonly costs: readonly PartsCost[]
  readonly total: PartsCost
}

/** What drafts are made with. */
export interface DraftParts {
  readonly catalog: Catalog
  readonly recipes: readonly ValueRecipe[]
}

export interface Goal {
  readonly text: string
  /** The whole intent. */
  readonly intent: string
  /** What its own words name. */
  readonly named: IntentSlots
  /** How many, since when, where and how long, as its own words say it. */
  readonly said: ReadText
  /** The same of the whole intent. */
  readonly saidInAll: ReadText
  /** What it is about, where that is known otherwise than by its words. */
  readonly topic?: string
  /** What the whole intent and the manifest name. */
  readonly known: IntentSlots
  /** What the caller has answered, by parameter. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly budgetCents: number | undefined
  /** It says more than which action it is for, so that a search for it can find something. */
  readonly isSpecific: boolean
  /** How likely it is that its text does not name what it is about, 0 to 1. */
  readonly unnamed: number
  /** An action that takes a task in words is told it. */
  readonly addsTask?: true
  readonly constraints: AnswerConstraints
  /** It says what to do with what an earlier goal finds: `open the first one`. */
  readonly isBack: boolean
  /** It is about a file that only the caller's machine has. */
  readonly hasLocalFile: boolean
}
