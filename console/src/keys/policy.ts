// The limits of a key, as people write them and as the gateway takes them.
import type { Routes } from '@tollway/client'
import { readDollars, wrongDollars } from '../format/money.ts'
import { localTime } from '../format/time.ts'

export type Policy = Required<Routes['PATCH /api/v1/keys/{id}']['body']>

/** Empty: without this limit. */
export interface PolicyTexts {
  readonly name: string
  /** Dollars. */
  readonly call: string
  readonly day: string
  readonly month: string
  /** Names of actions, with spaces or commas between them. */
  readonly actions: string
  /** A time of the reader, as YYYY-MM-DDTHH:MM. */
  readonly expires: string
}

export const noLimits: PolicyTexts = {
  name: '',
  call: '',
  day: '',
  month: '',
  actions: '',
  expires: '',
}

export const amounts = ['call', 'day', 'month'] as const

const fieldOf = {
  name: 'name',
  call: 'max_cents_per_call',
  day: 'max_cents_per_day',
  month: 'max_cents_per_month',
  actions: 'actions',
  expires: 'expires_at',
} as const satisfies Record<keyof PolicyTexts, keyof Policy>

const textOfCents = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(2))

export const textsOfPolicy = (policy: Policy): PolicyTexts => ({
  name: policy.name ?? '',
  call: textOfCents(policy.max_cents_per_call),
  day: textOfCents(policy.max_cents_per_day),
  month: textOfCents(policy.max_cents_per_month),
  actions: policy.actions?.join(' ') ?? '',
  expires: policy.expires_at === null ? '' : localTime(policy.expires_at),
})

/** What is wrong with each text, by its name. */
export function problemsOf(texts: PolicyTexts): Partial<Record<keyof PolicyTexts, string>> {
  const wrong = amounts.filter(
    (each) => texts[each].trim() !== '' && readDollars(texts[each]) === undefined,
  )
  return Object.fromEntries(wrong.map((each) => [each, wrongDollars]))
}

/** Null where nothing is written. Texts must have no problem. */
export function policyOf(texts: PolicyTexts): Policy {
  const actions = texts.actions.split(/[\s,]+/).filter((each) => each !== '')
  return {
    name: texts.name.trim() === '' ? null : texts.name.trim(),
    max_cents_per_call: readDollars(texts.call) ?? null,
    max_cents_per_day: readDollars(texts.day) ?? null,
    max_cents_per_month: readDollars(texts.month) ?? null,
    actions: actions.length === 0 ? null : actions,
    expires_at: texts.expires === '' ? null : new Date(texts.expires).toISOString(),
  }
}

/** Only what was written anew: a limit finer than its text stays as it is. */
export function changesOf(before: PolicyTexts, after: PolicyTexts): Partial<Policy> {
  const policy = policyOf(after)
  const changed = (Object.keys(fieldOf) as (keyof PolicyTexts)[]).filter(
    (each) => before[each].trim() !== after[each].trim(),
  )
  return Object.fromEntries(changed.map((each) => [fieldOf[each], policy[fieldOf[each]]]))
}
