import type { Action, z } from '#core/action.ts'
import { ceilingField, readCeiling } from '#core/ceiling.ts'
import { fail } from '#core/errors.ts'
import { describeIssues } from '#core/issues.ts'
import type { Micros } from '#core/money.ts'

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
  const { [ceilingField]: ceiling, ...parameters } = body as Record<string, unknown>
  const maxCostMicros = readCeiling(ceiling)
  const parsed = action.input.safeParse(parameters)
  if (!parsed.success) throw invalidInput(action, parsed.error)
  action.check?.(parsed.data)
  return { input: parsed.data, maxCostMicros }
}

function invalidInput(action: Action, error: z.ZodError) {
  const parameters = Object.keys((action.input as { shape?: object }).shape ?? {})
  const { message, issues } = describeIssues(error, parameters)
  return fail('bad_request', { message, data: { issues } })
}
