// The limits of a key, as people write them and as the gateway takes them.
import type { Routes } from '@tollway/client'
import { readDollars, wrongDollars } from '../format/money.ts'
import { localTime } from '../format/time.ts'

/** What a key keeps of the answers of models is not shown here. */
export type Policy = Required<Omit<Routes['PATCH /api/v1/keys/{id}']['body'], 'store_responses'>>

/** Empty: without this limit. */
export interface PolicyTexts {
  readonly name: string
  /** Dollars. */
  readonly call: string
  readonly day: string
  readonly month: string
  /** Names of actions, with spaces or commas between them. */
  readonly actions: string
  /** Names of language models, with spaces or commas between them. */
  readonly models: string
  /** Whole numbers. */
  readonly requests: string
  readonly tokens: string
  /** A time of the reader, as YYYY-MM-DDTHH:MM. */
  readonly expires: string
}

export const noLimits: PolicyTexts = {
  name: '',
  call: '',
  day: '',
  month: '',
  actions: '',
  models: '',
  requests: '',
  tokens: '',
  expires: '',
}

export const amounts = ['call', 'day', 'month'] as const
export const rates = ['requests', 'tokens'] as const

const fieldOf = {
  name: 'name',
  call: 'max_cents_per_call',
  day: 'max_cents_per_day',
  month: 'max_cents_per_month',
  actions: 'actions',
  models: 'models',
  requests: 'requests_per_minute',
  tokens: 'tokens_per_minute',
  expires: 'expires_at',
} as const satisfies Record<keyof PolicyTexts, keyof Policy>

const textOfCents = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(2))

export const textsOfPolicy = (policy: Policy): PolicyTexts => ({
  name: policy.name ?? '',
  call: textOfCents(policy.max_cents_per_call),
  day: textOfCents(policy.max_cents_per_day),
  month: textOfCents(policy.max_cents_per_month),
  actions: policy.actions?.join(' ') ?? '',
  models: policy.models?.join(' ') ?? '',
  requests: policy.requests_per_minute?.toString() ?? '',
  tokens: policy.tokens_per_minute?.toString() ?? '',
  expires: policy.expires_at === null ? '' : localTime(policy.expires_at),
})

/** What is wrong with each text, by its name. */
export function problemsOf(texts: PolicyTexts): Partial<Record<keyof PolicyTexts, string>> {
  const wrong = amounts.filter(
    (each) => texts[each].trim() !== '' && readDollars(texts[each]) === undefined,
  )
  const wrongRates = rates.filter((each) => !/^([1-9]\d{0,8})?$/.test(texts[each].trim()))
  return Object.fromEntries([
    ...wrong.map((each) => [each, wrongDollars]),
    ...wrongRates.map((each) => [each, 'Write a whole number, such as 60.']),
  ])
}

const namesIn = (text: string) => {
  const names = text.split(/[\s,]+/).filter((each) => each !== '')
  return names.length === 0 ? null : names
}

const rateIn = (text: string) => (text.trim() === '' ? null : Number(text))

/** Null where nothing is written. Texts must have no problem. */
export function policyOf(texts: PolicyTexts): Policy {
  return {
    name: texts.name.trim() === '' ? null : texts.name.trim(),
    max_cents_per_call: readDollars(texts.call) ?? null,
    max_cents_per_day: readDollars(texts.day) ?? null,
    max_cents_per_month: readDollars(texts.month) ?? null,
    actions: namesIn(texts.actions),
    models: namesIn(texts.models),
    requests_per_minute: rateIn(texts.requests),
    tokens_per_minute: rateIn(texts.tokens),
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
