// Values for a call that an earlier call of the plan gives, and what it is made with.

import { type CatalogEntry, splitId } from '#core/catalog.ts'
import type { FieldSchema } from '../../../values/field.ts'
import type { DraftParts, Goal, PlanDraft } from '../goal.ts'
import type { SlotKind } from '../slots.ts'
import { deriveRecipe } from './derived-recipes.ts'
import type { ValueRecipe } from './recipes.ts'
import { shapeReference } from './shape.ts'

export const matches = (
  recipe: ValueRecipe,
  entry: CatalogEntry,
  name: string,
  kinds: readonly SlotKind[],
) => recipe.finds === `${entry.id}.${name}` || kinds.includes(recipe.finds as SlotKind)

/** The goal, with what the recipe asks about as its subject. */
export function about(goal: Goal, recipe: ValueRecipe): Goal {
  const named = recipe.about && (goal.named.get(recipe.about) ?? goal.known.get(recipe.about))
  return named === undefined
    ? goal
    : { ...goal, topic: named[0] ?? '', named: new Map([...goal.named, ['subject', named]]) }
}

export const hasRecipe = (recipes: readonly ValueRecipe[], entry: CatalogEntry, name: string) =>
  recipes.some(({ finds }) => finds === `${entry.id}.${name}`)

/** What an earlier call of the same service was made with: the inbox of the message. */
export function carriedOver({ id }: CatalogEntry, name: string, { steps }: PlanDraft): unknown {
  const [service] = splitId(id)
  const step = steps.findLast(
    ({ action, params }) => action.startsWith(`${service}/`) && Object.hasOwn(params, name),
  )
  return /(?:_id|Id)$|^(?:marketplace|lang|cik|url)$/.test(name) ? step?.params[name] : undefined
}

/** An optional parameter takes only what a recipe names for it. */
export function earlierPart(
  parts: DraftParts,
  entry: CatalogEntry,
  name: string,
  schema: FieldSchema,
  draft: PlanDraft,
): unknown {
  const source = earlierSource(parts, entry, name, [], draft)
  return source && shapeReference(schema, source)
}

export function earlierSource(
  { recipes, catalog }: DraftParts,
  entry: CatalogEntry,
  name: string,
  kinds: readonly SlotKind[],
  draft: PlanDraft,
) {
  for (const step of draft.steps.toReversed()) {
    const recipe = recipes.find(
      (each) => each.by === step.action && matches(each, entry, name, kinds),
    )
    if (recipe !== undefined) return { step: step.id, list: recipe.list, at: recipe.at }
  }
  for (const step of draft.steps.toReversed()) {
    const giver = catalog.find(...splitId(step.action))
    const recipe = giver && deriveRecipe(entry, name, giver)
    if (recipe !== undefined) return { step: step.id, list: recipe.list, at: recipe.at }
  }
  return undefined
}
