// Fields that several tools take.
import { z } from '#core/action.ts'

const waitSecondsMax = 50

export const actionId = z.string().max(200).describe('service/action')

export const callShape = {
  action: actionId,
  params: z.looseObject({}).default({}),
  max_cost_cents: z.int().min(0).optional().describe('Refuse the call above this price.'),
}

export const waitSeconds = z.int().min(0).max(waitSecondsMax).default(0)

const selectedMax = 20
const pointer = /^(\/([^~/]|~[01])*)*$/

// A field of several tools is described in one of them, because models read the whole list in each conversation.
export const select = z
  .array(
    z
      .string()
      .max(300)
      .refine((text) => pointer.test(text), 'Send JSON pointers, such as /results/*/title.'),
  )
  .min(1)
  .max(selectedMax)
  .optional()

export const idempotencyKey = z.string().optional()
