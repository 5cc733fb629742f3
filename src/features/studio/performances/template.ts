// Fills the operator's parameters of a model in for one generation.

import { membersOf } from '#core/input/members.ts'
import type { Generation } from './manifest.ts'

/** What a template may name. `$references` is one picture for each performer, in the order of the slots. */
export interface TemplateValues {
  readonly $prompt: string
  readonly $photos: readonly string[]
  readonly $keyframe: string
  readonly $references: readonly string[]
  readonly $clip: string
  readonly $mask: string
}

export type TemplateName = keyof TemplateValues

/** The body of a call of ns_media/generate. */
export function fillTemplate(
  { model, parameters }: Pick<Generation, 'model' | 'parameters'>,
  values: Partial<TemplateValues>,
): Record<string, unknown> {
  return { ...membersOf(fill(parameters, values)), model }
}

/** A list in a list becomes part of it: `["$photos", "$keyframe"]`. */
function fill(value: unknown, values: Partial<TemplateValues>): unknown {
  if (typeof value === 'string')
    return Object.hasOwn(values, value) ? values[value as TemplateName] : value
  if (Array.isArray(value)) return value.flatMap((item) => fill(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, values)]))
}

/** Whether the template names this value, so that it is needed. */
export function isNamed(parameters: unknown, name: TemplateName): boolean {
  if (typeof parameters !== 'object' || parameters === null) return parameters === name
  return Object.values(parameters).some((each) => isNamed(each, name))
}

/** The operator's directions, then the caller's notes. */
export const promptOf = ({ prompt }: Pick<Generation, 'prompt'>, notes: string): string =>
  [prompt, notes].filter((part) => part.trim() !== '').join('\n\n')
