import type { Action, z } from '#core/action.ts'
import { ceilingField, readCeiling } from '#core/ceiling.ts'
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'

export interface ValidCall {
  readonly input: unknown
  /** The caller's ceiling, from `max_cost_cents`, which every body may carry. */
  readonly maxCostMicros?: Micros | undefined
}

const issuesShownMax = 5

/** Reads a body against the action's schema. Throws `bad_request` with a sentence for each thing that is wrong. */
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

function invalidInput(action: Action, { issues }: z.ZodError) {
  const sentences = issues.slice(0, issuesShownMax).map((issue) => describeIssue(action, issue))
  if (issues.length > issuesShownMax)
    sentences.push(`${issues.length - issuesShownMax} more problems follow.`)
  return fail('bad_request', {
    message: sentences.join(' '),
    data: {
      issues: issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
    },
  })
}

function describeIssue(action: Action, issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${key}"`).join(', ')
    const known = place === '' ? Object.keys((action.input as { shape?: object }).shape ?? {}) : []
    return `Unknown parameter ${names}${place && ` in ${place}`}.${known.length > 0 ? ` This action takes: ${known.join(', ')}.` : ''}`
  }
  const message = issue.message.replace(/^Invalid input: /, '')
  if (place === '') return `${message}.`
  const isMissing = issue.code === 'invalid_type' && message.endsWith('received undefined')
  return isMissing
    ? `"${place}" is missing. Send it as ${withArticle(issue.expected)}.`
    : `${place}: ${message}.`
}

const plainNames: Readonly<Record<string, string>> = { int: 'whole number', record: 'object' }

function withArticle(expected: string): string {
  const noun = plainNames[expected] ?? expected
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
