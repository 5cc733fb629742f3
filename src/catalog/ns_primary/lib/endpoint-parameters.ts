import { z } from '#core/action.ts'
import type { AddedEndpoint } from './added.ts'
import type { PrimaryEndpoint } from './endpoints.ts'

/**
 * Endpoints may declare one name differently, so any declaration is accepted here and the endpoint's own is checked
 * later.
 */
export function mergeParameters(added: Readonly<Record<string, AddedEndpoint>>) {
  const merged = new Map<string, z.ZodType>()
  for (const { parameters: own } of Object.values(added))
    for (const [name, schema] of Object.entries(own)) {
      const known = merged.get(name)
      const either = known === undefined ? schema : z.union([known, schema])
      merged.set(name, either.optional().describe(schema.description ?? ''))
    }
  return Object.fromEntries(merged)
}

/** The parameters that are missing, unknown or invalid for this endpoint. */
export function* findProblems(
  row: PrimaryEndpoint | undefined,
  endpoint: string,
  given: readonly (readonly [string, unknown])[],
): Generator<readonly [name: string, message: string]> {
  const { required = [], optional = [] } = row ?? {}
  const own = (row as AddedEndpoint | undefined)?.parameters ?? {}
  for (const name of required)
    if (!given.some(([other]) => other === name)) yield [name, `is needed for ${endpoint}`]
  for (const [name, value] of given) {
    if (![...required, ...optional].includes(name))
      yield [name, `is not a parameter of ${endpoint}`]
    const refused = own[name]?.safeParse(value).error?.issues[0]
    if (refused !== undefined) yield [name, refused.message]
  }
}
