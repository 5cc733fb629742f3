import { z } from '#core/action.ts'
import type { AddedEndpoint } from './added.ts'
import type { PrimaryEndpoint } from './endpoints.ts'

/**
 * Endpoints may declare one name differently, so any declaration is accepted here and the endpoint's own is checked
 * later. Defaults differ too, so each endpoint fills in its own.
 */
export function mergeParameters(endpoints: Readonly<Record<string, AddedEndpoint>>) {
  const declared = Object.values(endpoints).flatMap(({ parameters }) => Object.entries(parameters))
  return Object.fromEntries(
    [...Map.groupBy(declared, ([name]) => name)].map(([name, rows]) => {
      const schemas = new Map(rows.map(([, schema]) => [formOf(schema), withoutDefault(schema)]))
      const [only, ...more] = schemas.values() as unknown as [z.ZodType, ...z.ZodType[]]
      const merged = more.length === 0 ? only : z.union([only, ...more])
      const texts = new Set(rows.map(([, schema]) => describe(schema)))
      return [name, merged.optional().describe([...texts].join(' '))]
    }),
  )
}

/** Two declarations with the same form accept the same values. */
const formOf = (schema: z.ZodType) =>
  JSON.stringify({
    ...z.toJSONSchema(withoutDefault(schema), { io: 'input' }),
    description: undefined,
  })

const describe = (schema: z.ZodType) =>
  schema.description ?? withoutDefault(schema).description ?? ''

function withoutDefault(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
  return isWrapped ? withoutDefault(schema.unwrap() as z.ZodType) : schema
}

/** The parameters that are missing, unknown or invalid for this endpoint. */
export function* findProblems(
  row: PrimaryEndpoint | undefined,
  endpoint: string,
  given: readonly (readonly [string, unknown])[],
): Generator<readonly [name: string, message: string]> {
  const { required = [], optional = [], anyOf = [] } = row ?? {}
  const own = (row as AddedEndpoint | undefined)?.parameters ?? {}
  for (const name of required)
    if (!given.some(([other]) => other === name)) yield [name, `is needed for ${endpoint}`]
  const [first] = anyOf
  if (first !== undefined && !given.some(([other]) => anyOf.includes(other)))
    yield [first, `or another of ${anyOf.join(', ')} is needed for ${endpoint}`]
  for (const [name, value] of given) {
    if (![...required, ...optional].includes(name))
      yield [name, `is not a parameter of ${endpoint}`]
    const refused = own[name]?.safeParse(value).error?.issues[0]
    if (refused !== undefined) yield [name, refused.message]
  }
}
