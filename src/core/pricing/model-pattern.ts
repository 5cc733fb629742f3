// Which language models a key may use.
import type { Caller } from '../caller.ts'
import { fail } from '../errors.ts'

/** Whether a pattern names a model. A trailing * matches any ending. */
export function matchesModel(pattern: string, slug: string): boolean {
  return pattern.endsWith('*') ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern
}

const patternsShown = 20

/** Throws `forbidden` if the key of the caller lists models, and this one is not among them. */
export function requireModel(caller: Caller, slug: string): void {
  const models = caller.kind === 'account' ? caller.models : undefined
  if (models === undefined || models.some((pattern) => matchesModel(pattern, slug))) return
  throw modelForbidden(models, slug)
}

export function modelForbidden(models: readonly string[], slug: string) {
  return fail('forbidden', {
    message: `This API key may not use ${slug.slice(0, 100)}. Its models are ${models.slice(0, patternsShown).join(', ')}. Name one of them, or use another key.`,
    data: { limit: 'models', param: 'model' },
  })
}
