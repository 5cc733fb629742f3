// A row of the model table, as the table and the operator's file hold it.
import { z } from '#core/action.ts'
import { type MediaModel, mediaPrice, quoteMedia } from '#core/media-model.ts'
import { createParameterReader } from './parameters.ts'

const endpoint = z
  .string()
  .regex(/^[a-z0-9][\w.-]*(\/[\w.-]+)+$/, 'must be an endpoint, written owner/app/path')
const parameterSchema = z.record(z.string(), z.unknown())

const fields = z.strictObject({
  title: z.string().min(1).max(100),
  endpoint,
  mode: z.enum(['inline', 'job']),
  parameters: z.strictObject({
    type: z.literal('object'),
    properties: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), parameterSchema),
    required: z.array(z.string()).default([]),
    additionalProperties: z.literal(false).default(false),
  }),
  price: mediaPrice,
  example: z.record(z.string(), z.unknown()),
  source: z.string().min(2).max(300),
  date: z.iso.date(),
})

/** Names of the gateway's own fields in a body. A model cannot have parameters of these names. */
const ownFields: readonly string[] = ['model', 'store', 'max_cost_cents']

export const modelRow = fields.superRefine((row, context) => {
  const refuse = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const { properties, required } = row.parameters
  for (const name of ownFields)
    if (name in properties)
      refuse(['parameters', 'properties', name], 'is the name of a field of the gateway')
  for (const name of required)
    if (!(name in properties))
      refuse(['parameters', 'required'], `names ${name}, which is not a parameter`)
  for (const name of pricedParameters(row)) {
    if (!(name in properties)) refuse(['price'], `needs ${name}, which is not a parameter`)
    else if (!required.includes(name) && properties[name]?.default === undefined)
      refuse(['parameters', 'properties', name], 'needs a default, because the price depends on it')
  }
  const read = readerOf(row)
  if (typeof read === 'string') return refuse(['parameters'], read)
  const parsed = read(row.example)
  if (!parsed.success) refuse(['example'], `does not fit: ${parsed.error.issues[0]?.message}`)
  else if (!Number.isFinite(quoteMedia(row.price, parsed.data)))
    refuse(['price'], 'cannot be computed for the example')
})
export type ModelRow = z.output<typeof modelRow>

/** Reads parameters, or says why their schema is unusable. */
function readerOf(row: Pick<MediaModel, 'parameters'>) {
  try {
    return createParameterReader(row)
  } catch (thrown) {
    return `is not a usable JSON Schema (${String(thrown)})`
  }
}

function pricedParameters({ price }: Pick<ModelRow, 'price'>): readonly string[] {
  const { variants = [], extra = [], per: _per, cents: _cents, ...units } = price
  const counted = Object.values(units).map((unit) =>
    typeof unit === 'string' ? unit : unit?.parameter,
  )
  const named = [
    ...variants.flatMap(({ when }) => Object.keys(when)),
    ...extra.map(({ parameter }) => parameter),
    ...counted,
  ]
  return [...new Set(named)].filter((name) => name !== undefined)
}
