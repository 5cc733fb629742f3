// The schema of an operator's file of additions to the catalog. docs/operate/ shows an example.
import { z } from '#core/action.ts'
import { mediaModelChanges } from '../ns_media/lib/models.ts'
import { addedParameter } from '../ns_primary/lib/added-parameter.ts'
import { primaryEndpoints } from '../ns_primary/lib/endpoints.ts'
import { parameters as builtInParameters } from '../ns_primary/lib/parameters.ts'
import { parametersIn, templatesIn, variablesIn } from '../ns_primary/lib/template.ts'
import { addedPlatformRow, findRowProblems } from '../platform_data/lib/added-row.ts'

const centsMax = 1_000
const name = z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, 'must be lower-case letters, digits and _')
const words = z.array(z.string().min(2).max(60)).max(50)
const sentence = z.string().min(10).max(300)

const request = z.strictObject({
  method: z.enum(['GET', 'POST']).default('GET'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine((url) => !/[{}]/.test(new URL(url).host), 'must not take its host from a parameter')
    .refine((url) => new URL(url).username === '', 'must not hold a password: use headers'),
  query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  as: z.enum(['json', 'text']).default('json'),
})

const endpoint = z
  .strictObject({
    summary: sentence,
    price_cents: z.number().min(0.01).max(centsMax),
    source: z.string().min(2).max(200),
    parameters: z.record(name, addedParameter).default({}),
    request,
    /** A JSON pointer to the part of the reply that is the answer. */
    result: z
      .string()
      .regex(/^(\/.*)?$/, 'must be a JSON pointer such as /data/items')
      .default(''),
    cache_seconds: z.int().min(0).max(604_800).default(0),
    example: z.record(z.string(), z.unknown()).default({}),
    synonyms: words.default([]),
  })
  .superRefine((row, context) => {
    const { parameters, example } = row
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    for (const [own, { type, enum: allowed }] of Object.entries(parameters)) {
      const isBuiltIn = own in builtInParameters
      if (own === 'endpoint') refuse(['parameters', own], 'is the name of the endpoint itself')
      if (isBuiltIn && type !== undefined)
        refuse(['parameters', own, 'type'], 'must be left out: the gateway knows this parameter')
      if (!isBuiltIn && type === undefined && allowed === undefined)
        refuse(['parameters', own, 'type'], 'is needed')
    }
    for (const [part, text] of Object.entries(templatesIn(row.request)))
      for (const used of parametersIn(text))
        if (!(used in parameters))
          refuse(['request', part], `uses {${used}}, which is not a parameter`)
    for (const used of parametersIn(JSON.stringify(row.request.headers)))
      refuse(['request', 'headers'], `must not hold a parameter, as {${used}} is`)
    for (const own of Object.keys(example))
      if (!(own in parameters)) refuse(['example', own], 'is not a parameter of the endpoint')
    for (const [own, { required }] of Object.entries(parameters))
      if (required && example[own] === undefined)
        refuse(['example'], `must show ${own}, which is required`)
  })
  .transform((row) => ({
    ...row,
    keys: [...new Set(variablesIn(JSON.stringify(row.request)))],
    cache_seconds: row.cache_seconds || undefined,
  }))
export type AddedEndpointRow = z.output<typeof endpoint>

export const operatorFile = z.strictObject({
  primary_endpoints: z
    .record(
      z
        .string()
        .regex(/^[a-z][a-z0-9/-]{0,60}$/, 'must be lower-case letters, digits, - and /')
        .refine((own) => !(own in primaryEndpoints), 'is an endpoint of the gateway already'),
      endpoint,
    )
    .default({}),
  platform_actors: z
    .record(
      z
        .string()
        .regex(/^[a-z][a-z0-9_]{0,30}\/[a-z][a-z0-9-]{0,40}$/, 'must be written platform/kind'),
      addedPlatformRow,
    )
    .superRefine((rows, context) => {
      for (const [id, row] of Object.entries(rows))
        for (const [field, message] of findRowProblems(id, row))
          context.addIssue({ code: 'custom', path: [id, field], message })
    })
    .default({}),
  media_models: mediaModelChanges.default({}),
  /** The gateway sells only the models of this file, and none of its own table. */
  media_models_only: z.boolean().default(false),
})
export type OperatorFile = z.output<typeof operatorFile>
