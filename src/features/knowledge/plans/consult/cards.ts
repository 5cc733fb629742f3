// The likeliest actions for each goal, short enough for a model of the caller that fills in what is missing.

import { z } from '#core/action.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { microsToCents } from '#core/money.ts'
import type { PlanStep } from '#core/plan.ts'
import type { FieldSchema } from '../../values/field.ts'
import { loadChoiceWeights, sharesOf } from './choice.ts'
import { readGoalFor } from './drafting/goal-reading.ts'
import { type GoalOption, type ReadGoal, readOptions } from './options.ts'
import { nothingPlanned } from './plan-goal.ts'
import { type ConsultRequest, type ProposalParts, readGoals } from './propose.ts'

const cardSchema = z.object({
  action: z.string(),
  summary: z.string(),
  max_cents: z.int().optional().describe('What the call may cost with the values.'),
  required: z.array(z.string()),
  parameters: z.record(z.string(), z.string()),
  values: z.record(z.string(), z.unknown()).describe('Read in the words of the goal.'),
  before: z
    .array(z.string())
    .optional()
    .describe('Actions that find values which the goal does not name.'),
  notes: z.string().optional(),
})

export const cardsSchema = z
  .array(z.object({ goal: z.string(), candidates: z.array(cardSchema) }))
  .describe('With style cards: up to three actions for each goal, the likeliest first.')

type ActionCard = z.output<typeof cardSchema>
type GoalCards = z.output<typeof cardsSchema>[number]

const cardsPerGoalMax = 3
/** About 1,100 tokens of JSON. */
const charactersMax = 3_800
const optionalMax = 6
const descriptionMax = 60
const notesMax = 140

export async function makeCards(
  parts: ProposalParts,
  request: ConsultRequest,
): Promise<readonly GoalCards[]> {
  const goals = await readGoals(parts, request)
  let cards = goals.map(
    (read): GoalCards => ({
      goal: read.goal.text,
      candidates: likeliest(parts, read).map((option) => cardOf(option, read)),
    }),
  )
  for (const shorten of shortenings) {
    if (JSON.stringify(cards).length <= charactersMax) return cards
    cards = cards.map(({ goal, candidates }) => ({ goal, candidates: shorten(candidates) }))
  }
  while (JSON.stringify(cards).length > charactersMax && cards.length > 1)
    cards = cards.slice(0, -1)
  return cards
}

/** What is left out first, if there is too much. */
const shortenings: readonly ((candidates: ActionCard[]) => ActionCard[])[] = [
  (candidates) => candidates.map(({ notes: _, ...card }) => card),
  (candidates) => candidates.map(withoutOptional),
  (candidates) => candidates.slice(0, 2),
  (candidates) => candidates.slice(0, 1),
]

const withoutOptional = (card: ActionCard): ActionCard => ({
  ...card,
  parameters: Object.fromEntries(
    Object.entries(card.parameters).filter(
      ([name]) => card.required.includes(name) || Object.hasOwn(card.values, name),
    ),
  ),
})

function likeliest(parts: ProposalParts, read: ReadGoal): readonly GoalOption[] {
  const options = readOptions(parts, read, nothingPlanned)
  const rows = options.map(({ row }) => row)
  const shares = sharesOf(rows, loadChoiceWeights())
  const byShare = options
    .map((option, at) => ({ option, share: shares[at] ?? 0 }))
    .toSorted((one, other) => other.share - one.share)
    .map(({ option }) => option)
  const first = new Map(byShare.toReversed().map((option) => [option.entry, option]))
  return byShare
    .filter((option) => option.entry !== undefined && first.get(option.entry) === option)
    .slice(0, cardsPerGoalMax)
}

function cardOf({ entry, tried }: GoalOption, { goal }: ReadGoal): ActionCard {
  if (entry === undefined) throw new Error('An option for a card names an action.')
  const { action } = entry
  const steps: readonly PlanStep[] = 'planned' in tried ? tried.planned.steps : []
  const step = steps.find((one) => one.action === entry.id)
  const reading = readGoalFor(entry, goal)
  const { properties, required } = reading
  const read = Object.fromEntries([...reading.filled].map(([name, { value }]) => [name, value]))
  const values = withoutReferences(step?.params ?? read)
  const before = [...new Set(steps.map((one) => one.action))].filter((id) => id !== entry.id)
  const notes = action.notes?.slice(0, notesMax)
  return {
    action: entry.id,
    summary: action.summary,
    ...('planned' in tried && { max_cents: microsToCents(tried.planned.total.max, 'up') }),
    required: [...required],
    parameters: describeParameters(entry, properties, required, values),
    values,
    ...(before.length > 0 && { before }),
    ...(notes !== undefined && { notes }),
  }
}

/** Values of calls that are not made yet are left to the caller. */
const withoutReferences = (params: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(params).filter(([, value]) => !JSON.stringify(value).includes('"$step"')),
  )

function describeParameters(
  { action }: CatalogEntry,
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const isNeeded = (name: string) => required.includes(name) || Object.hasOwn(values, name)
  const names = Object.keys(properties).filter((name) => name !== 'max_cost_cents')
  const shown = [
    ...names.filter(isNeeded),
    ...names.filter((name) => !isNeeded(name)).slice(0, optionalMax),
  ]
  const { saidAs = {} } = action
  return Object.fromEntries(
    shown.map((name) => [
      name,
      describeParameter(properties[name] ?? {}, Object.keys(saidAs[name] ?? {})),
    ]),
  )
}

function describeParameter(
  { type, enum: values, items, anyOf, description = '' }: FieldSchema,
  said: readonly string[],
): string {
  const choices = (values ?? items?.enum ?? said).map(String)
  const kind = type ?? anyOf?.map((each) => each.type).join(' or ') ?? 'any'
  const form = choices.length > 0 ? choices.join('|') : String(kind)
  return `${form.slice(0, descriptionMax)}. ${description.slice(0, descriptionMax)}`.trim()
}
