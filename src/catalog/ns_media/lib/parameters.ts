// Reads the parameters of one model. Sizes and durations are accepted in the forms that callers write, and sent in the
// form that the vendor expects.
import { z } from '#core/action.ts'
import type { MediaModel, MediaParameters } from '#core/media-model.ts'
import { addressesOf, isAddress, readAddress } from './own-files.ts'

export type ReadParameters = (given: MediaParameters) => z.ZodSafeParseResult<MediaParameters>

type Schema = Readonly<Record<string, unknown>>

/** Throws for a JSON Schema that cannot be read. */
export function createParameterReader({
  parameters,
}: Pick<MediaModel, 'parameters'>): ReadParameters {
  const properties = parameters.properties as Readonly<Record<string, Schema>>
  const schema = z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0])
  const addresses = addressesOf({ parameters })
  const checked = schema.superRefine((value, context) => {
    for (const name of addresses)
      for (const address of [(value as MediaParameters)[name] ?? []].flat())
        if (!isAddress(address))
          context.addIssue({
            code: 'custom',
            path: [name],
            message: 'must be an http or https address, or a file_id of yours',
          })
  })
  return (given) => {
    const coerced = Object.entries(given).map(([name, value]) => [
      name,
      addresses.includes(name) ? readAddress(value) : coerce(value, properties[name]),
    ])
    return checked.safeParse(Object.fromEntries(coerced)) as z.ZodSafeParseResult<MediaParameters>
  }
}

function coerce(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined) return value
  return sizeFrom(value, schema) ?? secondsFrom(value, schema) ?? value
}

/** `1024x768` as width and height. */
function sizeFrom(value: unknown, schema: Schema) {
  const forms = [schema, ...((schema.anyOf ?? []) as Schema[])]
  const isSize = forms.some((form) => 'width' in ((form.properties as object | undefined) ?? {}))
  const sides =
    isSize && typeof value === 'string' ? /^(\d{1,5}) ?[x×] ?(\d{1,5})$/i.exec(value) : null
  return sides === null ? undefined : { width: Number(sides[1]), height: Number(sides[2]) }
}

/** `8`, `"8"` and `"8s"` as the one of them that the model expects. */
function secondsFrom(value: unknown, { enum: allowed, type }: Schema) {
  const seconds = /^(\d+(?:\.\d+)?)s?$/.exec(String(value))?.[1]
  if (seconds === undefined || typeof value === 'boolean') return undefined
  if (type === 'number' || type === 'integer') return Number(seconds)
  return (allowed as unknown[] | undefined)?.find(
    (form) => form !== value && String(form).replace(/s$/, '') === seconds,
  )
}
