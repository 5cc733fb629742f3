// The settings of what is sold.
import { z } from 'zod'
import { wholeNumber } from '#core/settings.ts'
import { keylessFeeCentsDefault } from './bought.ts'

const actorName = z.string().regex(/^[\w.-]+\/[\w.-]+$/)
const actorChoices = z.record(
  z.string(),
  z.union([
    actorName.transform((actor) => ({ actor })),
    z.strictObject({ actor: actorName, limitField: z.string().min(1).optional() }),
  ]),
)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const registrySettings = {
  KEYLESS_FEE_CENTS: wholeNumber(0, 100)
    .default(keylessFeeCentsDefault)
    .describe(
      'What an answer of an open registry costs, in cents, where no seller took anything for it. Never more than the listed price.',
    ),
} as const

export const catalogSettings = {
  CATALOG_FILE: z
    .string()
    .optional()
    .describe(
      'A JSON file with your own endpoints for ns_primary/fetch, actors for platform data, and models of media.',
    ),
} as const

export const actorSettings = {
  PLATFORM_ACTORS: z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = actorChoices.safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      context.addIssue('must be JSON such as {"tiktok/comments": "user/actor"}')
      return z.NEVER
    })
    .describe(
      'Actors for platform data actions, as JSON: {"tiktok/comments": "user/actor"}, or {"actor": …, "limitField": …} for one.',
    ),
} as const
