// The types of all actions for the TypeScript client, written from the same schemas as the OpenAPI document.
import { type Catalog, type CatalogEntry, inputSchemaOf, outputSchemaOf } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { errorTable } from '#core/errors.ts'
import { describePrice } from '#core/price.ts'
import { comment, type JsonSchema, typeOf } from './client-types.ts'

/** The text of clients/typescript/src/catalog/actions.ts. */
export function clientActions(catalog: Catalog, note: string): string {
  const entries = catalog.entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(describeEntry)
  return `// ${note}

/** Every action by its name: its parameters, its answer, and how it is called. */
export interface Actions {
${entries.join('\n')}
}
`
}

/** The text of clients/typescript/src/catalog/error-codes.ts. */
export function clientErrorCodes(note: string): string {
  const lines = Object.entries(errorTable).map(
    ([code, { retryable }]) => `  ${code}: ${retryable},`,
  )
  return `// ${note}

/** The codes of errors, and whether the same call can succeed later. */
export const errorCodes = {
${lines.join('\n')}
} as const
`
}

function describeEntry({ id, action }: CatalogEntry): string {
  const { properties = {}, required = [], ...rest } = inputSchemaOf(action) as JsonSchema
  // The ceiling is an option of the client.
  const { [ceilingField]: _, ...parameters } = properties
  const input = { ...rest, properties: parameters, required }
  const members = [
    `    input: ${typeOf(input, 4)}`,
    `    output: ${typeOf(outputSchemaOf(action) as JsonSchema, 4)}`,
    ...(action.mode === 'job' ? ['    job: true'] : []),
    ...(required.includes(ceilingField) ? ['    needsMaxCost: true'] : []),
  ]
  const price = describePrice(action.price).text
  return `${comment(`${action.summary} Price: ${price}.`, 2)}  '${id}': {\n${members.join('\n')}\n  }`
}
