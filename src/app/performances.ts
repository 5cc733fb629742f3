// Films of the operator in which people on photos perform.
import { createRequestSchema } from '#catalog/ns_media/lib/request.ts'
import { describeIssues } from '#core/input/issues.ts'
import type { MediaModels } from '#core/media-model.ts'
import {
  createPerformances,
  type Performances,
} from '#features/studio/performances/performances.ts'
import { openRecipes, type Recipes } from '#features/studio/performances/recipes.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { AppContext } from './context.ts'

export async function openPerformances(
  { config, sandbox, log, onClose }: AppContext,
  { guard, models }: { guard: EgressGuard; models: MediaModels },
): Promise<Performances> {
  const folder = config.PERFORMANCES_DIR
  const recipes = await openRecipes({ folder, sandbox, checkGeneration: createCheck(models) })
  if (folder !== undefined) warnOfUnusable(recipes, log)
  const performances = createPerformances({ recipes, sandbox, guard, settings: config, log })
  onClose(performances.close)
  return performances
}

function createCheck(models: MediaModels) {
  const schema = createRequestSchema(models)
  return (body: object) => {
    const parsed = schema.safeParse(body)
    return parsed.success ? undefined : describeIssues(parsed.error, []).message
  }
}

function warnOfUnusable(recipes: Recipes, log: AppContext['log']) {
  for (const [production, recipe] of Object.entries(recipes))
    if ('reason' in recipe) log.warn({}, `${production}/generate is unavailable. ${recipe.reason}`)
}
