// Fields before they have their names.
import type { DescribedField, JsonSchema } from '../described-operation.ts'
import type { Dialect } from './keywords.ts'
import { fieldsMax } from './limits.ts'
import { problemAt, type SourceDocuments, type SourcePlace } from './place.ts'
import type { DefinitionIds, Schemas } from './schemas.ts'
import { fieldName, takeName } from './text.ts'

/** What all parts of the reader need to know. */
export interface DescriptionReading {
  readonly root: SourcePlace
  readonly documents: SourceDocuments
  readonly dialect: Dialect
  readonly schemas: Schemas
}

export interface DraftField extends Omit<DescribedField, 'name'> {
  readonly schema: JsonSchema
  /** Which name it has in the input, if it is free. Default: the one in the request. */
  readonly preferredName?: string
}

export interface NamedFields {
  readonly fields: DescribedField[]
  readonly input: JsonSchema
}

/** Of the gateway: it reads them from the body of each call. */
const takenNames = ['max_cost_cents', 'idempotency_key']

/** Names the fields. Those that come later give way: `id` of the path keeps its name, that of the body is `body_id`. */
export function nameFields(drafts: readonly DraftField[], operation: SourcePlace): NamedFields {
  if (drafts.length > fieldsMax)
    throw problemAt(operation, `The operation has more than ${fieldsMax} fields.`)
  const taken = new Set<string>(takenNames)
  const properties: Record<string, JsonSchema> = Object.create(null)
  const fields = drafts.map(({ schema, preferredName, ...field }) => {
    const wanted = fieldName(preferredName ?? field.wireName)
    const name = takeName(taken.has(wanted) ? `${field.in}_${wanted}` : wanted, taken, '_')
    properties[name] = schema
    return { name, ...field }
  })
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  const input: JsonSchema = {
    type: 'object',
    properties: { ...properties },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  return { fields, input }
}

/** Writes a schema of the input, and says what it needs. */
export type WriteInput = (place: SourcePlace) => JsonSchema

export const inputWriter =
  ({ schemas }: DescriptionReading, needs: DefinitionIds): WriteInput =>
  (place) =>
    schemas.write(place, 'input', needs)
