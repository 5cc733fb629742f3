import type { FastifyRequest } from 'fastify'
import type { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { describeIssues } from '#core/input/issues.ts'
import { membersOf } from '#core/input/members.ts'
import { type Micros, microsToCents, microsToUsd } from '#core/money.ts'

/** Reads a body or query of the account and admin surfaces. Throws `bad_request`. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const parameters = Object.keys(membersOf(membersOf(schema).shape))
  throw fail('bad_request', { message: describeIssues(parsed.error, parameters).message })
}

/** The Idempotency-Key header, not yet checked. */
export const idempotencyKeyOf = ({ headers }: FastifyRequest) =>
  headers['idempotency-key'] as string | undefined

/** An amount in both forms: whole cents, rounded, and exact dollars. */
export function showAmount<Name extends string>(
  name: Name,
  micros: Micros,
  direction: 'up' | 'down',
) {
  return {
    [`${name}_cents`]: microsToCents(micros, direction),
    [`${name}_usd`]: microsToUsd(micros),
  }
}
