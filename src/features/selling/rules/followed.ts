import { ownValue } from '#core/input/own-value.ts'
import type { JsonSchema } from '../described-operation.ts'

const referencesMax = 10

/** The schema that references lead to. */
export function followed(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  let found = schema
  for (let times = 0; times < referencesMax && typeof found.$ref === 'string'; times++)
    found = ownValue(definitions, found.$ref.replace('#/$defs/', '')) ?? {}
  return found
}
