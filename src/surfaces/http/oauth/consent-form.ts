// What a person has written into the form of the consent page, as the limits of a key.
import type { KeyPolicy } from '#accounts/keys/keys.ts'
import { connectionDays } from '#accounts/oauth/endpoints.ts'
import { fail } from '#core/errors.ts'
import type { ConsentFields } from '../pages/consent.ts'
import type { ReadPolicy } from '../routes/key-policy.ts'

const dollars = /^\d{1,6}([.,]\d{1,2})?$/
const dayMs = 86_400_000

export function readConsentFields(body: Readonly<Record<string, string>>): ConsentFields {
  const text = (name: keyof ConsentFields) => (body[name] ?? '').trim()
  return {
    per_call: text('per_call'),
    per_day: text('per_day'),
    per_month: text('per_month'),
    actions: text('actions'),
    days: text('days'),
  }
}

/** Throws `bad_request` with a sentence for the person. */
export function policyOf(
  fields: ConsentFields,
  { nowMs, readPolicy }: { nowMs: number; readPolicy: ReadPolicy },
): KeyPolicy {
  const days = Number(fields.days)
  if (!/^\d{1,3}$/.test(fields.days) || days < 1 || days > connectionDays)
    throw fail('bad_request', {
      message: `Write after how many days the access ends: 1 to ${connectionDays}.`,
    })
  const actions = fields.actions.split(/[\s,]+/).filter((name) => name !== '')
  return readPolicy({
    max_cents_per_call: centsOf(fields.per_call),
    max_cents_per_day: centsOf(fields.per_day),
    max_cents_per_month: centsOf(fields.per_month),
    actions: actions.length === 0 ? null : actions,
    expires_at: new Date(nowMs + days * dayMs).toISOString(),
  })
}

function centsOf(text: string): number | null {
  if (text === '') return null
  if (!dollars.test(text))
    throw fail('bad_request', {
      message: `“${text.slice(0, 20)}” is not an amount. Write dollars, such as 5 or 2.50, or leave the field empty.`,
    })
  const [whole = '0', part = ''] = text.split(/[.,]/)
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}
