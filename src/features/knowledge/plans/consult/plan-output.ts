// What consult answers.
import { z } from '#core/action.ts'
import { planStepSchema } from '#core/plan.ts'
import { cardsSchema } from './cards.ts'

const costShape = {
  min_cents: z.int(),
  max_cents: z.int().describe('Rounded up to whole cents.'),
}

const callSchema = planStepSchema.omit({ optional: true }).extend({
  service: z.string(),
  endpoint: z.string(),
  mode: z.enum(['live', 'keyless', 'embedded']),
  ...costShape,
  is_exact: z.boolean(),
})

const nearestSchema = z.object({
  action: z.string(),
  summary: z.string(),
  confidence: z.number().min(0).max(1),
})

export const outputSchema = z.looseObject({
  mode: z
    .enum(['call', 'converse', 'unsupported'])
    .describe(
      'call: make these calls. converse: answer the question, and ask again. unsupported: no action does it.',
    ),
  message: z.string(),
  calls: z
    .array(callSchema)
    .describe('In an order in which each call comes after those it takes values from.'),
  plan: z
    .looseObject({})
    .optional()
    .describe('The body for run-plan, if it can run all of these calls.'),
  question: z
    .object({ parameter: z.string(), action: z.string(), text: z.string() })
    .optional()
    .describe('Answer it in `answers`, by the name of the parameter.'),
  suggestions: z.array(nearestSchema).describe('The nearest actions, if there are no calls.'),
  total: z.object(costShape),
  composition: z
    .looseObject({})
    .optional()
    .describe('Of a film: what it shows and when. The uploads give the ids of its media.'),
  validation: z
    .object({
      valid: z.boolean(),
      errors: z.array(z.object({ path: z.string(), message: z.string(), fix: z.string() })),
    })
    .optional()
    .describe('What ns_assembler/validate says about the composition.'),
  assumptions: z.array(z.string()),
  cards: cardsSchema.optional(),
  engine: z.enum(['rules', 'model']).describe('What made the plan. The same checks hold for both.'),
})
