// Fields that several tools take.
import { z } from '#core/action.ts'

export const waitSecondsMax = 50

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

export const idempotencyKey = z
  .string()
  .optional()
  .describe('The same key and call again: the stored answer, not charged twice.')
