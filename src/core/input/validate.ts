import type { Action, z } from '../action.ts'
import { ceilingField, readCeiling } from '../ceiling.ts'
import { fail } from '../errors.ts'
import type { Micros } from '../money.ts'
import { describeIssues } from './issues.ts'
import { membersOf } from './members.ts'

export interface ValidCall {
  readonly input: unknown
  /** The caller's ceiling: `max_cost_cents`, which every body may carry. */
  readonly maxCostMicros?: Micros | undefined
}

/** Reads a body against the action's schema. Throws `bad_request` with a sentence for each problem. */
export function validateCall(action: Action, body: unknown): ValidCall {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw fail('bad_request', {
      message: 'The body must be a JSON object with the parameters of the action.',
    })
  }
  const { [ceilingField]: ceiling, ...parameters } = membersOf(body)
  const maxCostMicros = readCeiling(ceiling)
  const parsed = action.input.safeParse(parameters)
  if (!parsed.success) throw invalidInput(action, parsed.error)
  action.check?.(parsed.data)
  return { input: parsed.data, maxCostMicros }
}

/** The refusal of an input that the action's schema does not accept. */
export function invalidInput(action: Action, error: z.ZodError) {
  const parameters = Object.keys(membersOf(membersOf(action.input).shape))
  const { message, issues } = describeIssues(error, parameters)
  return fail('bad_request', { message, data: { issues } })
}
