// A slip of the finger must not give away a fortune: a large amount is given only if it is said twice.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'

export const confirmCents = z
  .int()
  .optional()
  .describe('The same amount again. Needed for amounts above CONFIRM_ABOVE_CENTS.')

/** `field` is the one that has the amount. Throws `bad_request` for a large amount that is not confirmed. */
export function requireConfirmation(
  aboveCents: number,
  field: string,
  { cents, confirmed }: { cents: number; confirmed: number | undefined },
) {
  if (confirmed === cents || (confirmed === undefined && cents <= aboveCents)) return
  const dollars = microsToUsd(centsToMicros(cents)).slice(0, -4)
  throw fail('bad_request', {
    message: `This gives $${dollars}. If that is right, send "confirm_cents": ${cents} beside ${field}.`,
  })
}

const creditYearsMax = 10

/** When a credit expires. Throws `bad_request`. */
export function readExpiry(expiresAt: string | undefined): Date | undefined {
  if (expiresAt === undefined) return undefined
  const [found, latest] = [new Date(expiresAt), new Date()]
  latest.setUTCFullYear(latest.getUTCFullYear() + creditYearsMax)
  if (found > new Date() && found <= latest) return found
  throw fail('bad_request', {
    message: `expires_at must be in the future, and at most ${creditYearsMax} years from now.`,
  })
}
