// Fields that several tools take.
import { z } from '#core/action.ts'

const waitSecondsMax = 50

export const actionId = z.string().max(200).describe('service/action')

export const callShape = {
  action: actionId,
  params: z.looseObject({}).default({}).describe('The parameters of the action.'),
  max_cost_cents: z.int().min(0).optional().describe('Refuse the call above this price.'),
}

export const waitSeconds = z
  .int()
  .min(0)
  .max(waitSecondsMax)
  .default(0)
  .describe('Wait for a job this long.')

const selectedMax = 20

export const select = z
  .array(
    z
      .string()
      .max(300)
      .regex(/^(\/([^~/]|~[01])*)*$/),
  )
  .min(1)
  .max(selectedMax)
  .optional()
  .describe('Keep only these fields of the answer: JSON pointers, * for each: /results/*/title.')

export const idempotencyKey = z
  .string()
  .optional()
  .describe('The same key and call again: the stored answer, not charged twice.')
