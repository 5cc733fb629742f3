// Reads a parameter of an endpoint that the operator has added: its notation and the values that it accepts.
import { z } from '#core/action.ts'
import { normalizeUrl, urlCharactersMax } from '#core/web-address.ts'

const textCharactersMax = 2_000

export const addedParameter = z
  .strictObject({
    type: z.enum(['string', 'integer', 'number', 'boolean', 'url']).optional(),
    description: z.string().min(2).max(300),
    required: z.boolean().default(false),
    enum: z.array(z.string().min(1)).min(1).max(500).optional(),
    pattern: z.string().max(500).refine(isPattern, 'must be a regular expression').optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  })
  .readonly()
type AddedParameter = z.output<typeof addedParameter>

export function addedSchema(parameter: AddedParameter): z.ZodType {
  const { type, description, minimum, maximum, pattern } = parameter
  const bounded = (schema: z.ZodNumber) =>
    schema.min(minimum ?? Number.MIN_SAFE_INTEGER).max(maximum ?? Number.MAX_SAFE_INTEGER)
  const text = z.string().trim().min(1).max(textCharactersMax)
  const schemas = {
    string: () => (pattern === undefined ? text : text.regex(new RegExp(pattern))),
    integer: () => bounded(z.int()),
    number: () => bounded(z.number()),
    boolean: () => z.boolean(),
    url: () =>
      z
        .string()
        .trim()
        .max(urlCharactersMax)
        .transform((address) => normalizeUrl(address)),
  } as const
  const schema =
    parameter.enum === undefined
      ? schemas[type ?? 'string']()
      : z.enum(parameter.enum as [string, ...string[]])
  return schema.describe(description)
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
