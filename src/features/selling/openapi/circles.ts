// A schema that leads back to itself for the same value, such as `allOf` of itself, would be checked without an end.
import type { JsonSchema } from '../described-operation.ts'
import { circleDepthMax } from './limits.ts'

const listKeywords = ['allOf', 'anyOf', 'oneOf']
const schemaKeywords = ['not', 'if', 'then', 'else']
const mapKeywords = ['dependentSchemas']

/** A schema that others refer to by its name. */
export interface NamedSchema {
  readonly name: string
  schema: JsonSchema
}

/**
 * Leaves out the references that close a circle, so that anything fits in their place. Circles through properties and
 * items stay: there each step leads to another value. References to schemas that are not in the list stay too.
 */
export function openCircles(named: readonly NamedSchema[]): void {
  const waiting = new Map(named.map((each) => [each.name, each]))
  const open = new Set<string>()

  function visit(each: NamedSchema): void {
    waiting.delete(each.name)
    open.add(each.name)
    each.schema = opened(each.schema)
    open.delete(each.name)
  }

  function opened(schema: JsonSchema): JsonSchema {
    const { $ref, ...rest } = schema
    const result: Record<string, unknown> = isClosing($ref) ? rest : { ...schema }
    for (const keyword of listKeywords)
      if (Array.isArray(result[keyword])) result[keyword] = result[keyword].map(openedPart)
    for (const keyword of schemaKeywords)
      if (keyword in result) result[keyword] = openedPart(result[keyword])
    for (const keyword of mapKeywords)
      if (isSchema(result[keyword]))
        result[keyword] = Object.fromEntries(
          Object.entries(result[keyword]).map(([key, part]) => [key, openedPart(part)]),
        )
    return result
  }

  const openedPart = (part: unknown) => (isSchema(part) ? opened(part) : part)

  function isClosing(reference: unknown): boolean {
    if (typeof reference !== 'string') return false
    const name = reference.slice('#/$defs/'.length)
    if (open.has(name)) return true
    const next = waiting.get(name)
    if (next === undefined) return false
    if (open.size >= circleDepthMax) return true
    visit(next)
    return false
  }

  for (const each of named) if (waiting.has(each.name)) visit(each)
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
