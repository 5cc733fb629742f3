// The caller's JSON schema as it can be honoured: any value may be null, since pages do not say everything.
import { z } from 'zod'
import { fail } from '#core/errors.ts'

type Schema = Readonly<Record<string, unknown>>

const schemaCharactersMax = 20_000
const depthMax = 20
/** Keywords whose values are schemas, lists of them, or maps of them. */
const inner = ['items', 'additionalProperties', 'not', 'contains'] as const
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const maps = ['properties', '$defs', 'definitions'] as const

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface OwnSchema {
  /** What is wrong with the value, in a sentence; undefined where it fits. */
  problemWith(value: unknown): string | undefined
  /** The value with null for each property that it lacks. */
  complete(value: unknown): unknown
}

/** Throws CallError `bad_request` for a schema that cannot be read here. */
export function readSchema(schema: Schema): OwnSchema {
  const refuse = (why: string) => fail('bad_request', { message: `schema: ${why}` })
  if (JSON.stringify(schema).length > schemaCharactersMax)
    throw refuse(`It is longer than ${schemaCharactersMax} characters. Send a smaller one.`)
  if (hasPattern(schema, 0))
    throw refuse('pattern is not checked by this gateway. Leave it out, or say it in the prompt.')
  let accepts: z.ZodType
  try {
    accepts = z.fromJSONSchema(allowNull(schema) as Parameters<typeof z.fromJSONSchema>[0])
  } catch (cause) {
    throw fail('bad_request', {
      message: 'schema: It is not a JSON schema that this gateway can read.',
      cause,
    })
  }
  return {
    problemWith(value) {
      const issue = accepts.safeParse(value).error?.issues[0]
      return issue && describeIssue(issue)
    },
    complete: (value) => completeWithNulls(schema, value),
  }
}

/** Of alternatives that all refuse, the one that came farthest says it best. */
function describeIssue(issue: z.core.$ZodIssue, path: readonly PropertyKey[] = []): string {
  const at = [...path, ...issue.path]
  const closest =
    issue.code === 'invalid_union'
      ? issue.errors
          .flat()
          .toSorted((one, other) => other.path.length - one.path.length)
          .at(0)
      : undefined
  return closest === undefined
    ? `${at.join('.') || 'data'}: ${issue.message}`
    : describeIssue(closest, at)
}

function hasPattern(value: unknown, depth: number): boolean {
  if (depth > depthMax) throw fail('bad_request', { message: 'schema: It is nested too deep.' })
  if (Array.isArray(value)) return value.some((item) => hasPattern(item, depth + 1))
  if (!isSchema(value)) return false
  return Object.entries(value).some(
    ([name, item]) =>
      (name === 'pattern' && typeof item === 'string') ||
      name === 'patternProperties' ||
      hasPattern(item, depth + 1),
  )
}

/** The same schema, which accepts null wherever it accepts a value. */
function allowNull(schema: unknown): unknown {
  if (!isSchema(schema)) return schema
  const { type, enum: allowed, const: only, required: _required, ...rest } = schema
  const open: Record<string, unknown> = { ...rest }
  if (type !== undefined) open.type = [...new Set([...[type].flat(), 'null'])]
  if (Array.isArray(allowed)) open.enum = [...new Set([...allowed, null])]
  if (only !== undefined) open.enum = [only, null]
  for (const name of inner) if (name in open) open[name] = allowNull(open[name])
  for (const name of lists)
    if (Array.isArray(open[name])) open[name] = (open[name] as unknown[]).map(allowNull)
  for (const name of maps)
    if (isSchema(open[name]))
      open[name] = Object.fromEntries(
        Object.entries(open[name]).map(([key, value]) => [key, allowNull(value)]),
      )
  return open
}

function completeWithNulls(schema: unknown, value: unknown): unknown {
  if (!isSchema(schema)) return value
  if (Array.isArray(value)) return value.map((item) => completeWithNulls(schema.items, item))
  if (!isSchema(value) || !isSchema(schema.properties)) return value
  const named = Object.entries(schema.properties).map(([name, property]) => [
    name,
    completeWithNulls(property, value[name] ?? null),
  ])
  return { ...value, ...Object.fromEntries(named) }
}
