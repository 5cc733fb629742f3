// A saved plan: steps of run-plan under a name, with an input schema, a price, and what it answers.
import { createHash } from 'node:crypto'
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import { removeHidden } from '#core/input/hidden-characters.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import { type CallPlan, planSchema, publishedService } from '#core/plan.ts'
import type { Examined } from '../examine.ts'

/** Plans of one account, those that were retired in the last `retiredDays` included. Also of the operator. */
export const plansPerAccountMax = 50
/** Limits the plans of all accounts together, because gateways keep them in memory. */
export const plansInAllMax = 5_000
export const retiredDays = 30
const documentCharactersMax = 100_000
const nameCharactersMax = 40
const titleCharactersMax = 180
const notesCharactersMax = 1_500
/** A thousand dollars, as of one call of run-plan. */
export const planCentsMax = 100_000
const marginPercentMax = 10_000

const visibleText = (charactersMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(charactersMax)
    .refine((text) => removeHidden(text) === text, 'has characters that no reader sees')

/** A ten-thousandth of a cent is a micro-dollar. */
const exactCents = z
  .number()
  .min(0)
  .max(planCentsMax)
  .refine(
    (cents) => Math.abs(centsToMicros(cents) / centsToMicros(1) - cents) < 1e-9,
    'has more than four decimal places',
  )

export const planPrice = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fixed'),
    cents: exactCents.refine((cents) => cents > 0, 'must be above 0'),
  }),
  z.strictObject({
    kind: z.literal('sum'),
    margin_percent: z
      .number()
      .min(0)
      .max(marginPercentMax)
      .default(0)
      .describe('On what the steps cost.'),
    margin_cents: exactCents.default(0).describe('Of a plan that is completed.'),
  }),
])
export type PlanPrice = z.output<typeof planPrice>

export const planName = z
  .string()
  .max(nameCharactersMax)
  .regex(/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/, 'must be small letters, digits, - and _')
  .describe('It is the last part of the action: `plans/morning-report`.')

const schemaObject = z.record(z.string(), z.unknown())

const planParts = {
  title: visibleText(titleCharactersMax).describe('What it does, in a sentence.'),
  notes: visibleText(notesCharactersMax).optional().describe('When to use it, and how.'),
  input: schemaObject
    .default({ type: 'object', properties: {}, additionalProperties: false })
    .describe('The JSON Schema of what its caller sends. Steps take it as `{"$step": "input"}`.'),
  steps: planSchema.describe('As in run-plan.'),
  output: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe('What it answers as `result`, with references to its steps.'),
  price: planPrice
    .default({ kind: 'sum', margin_percent: 0, margin_cents: 0 })
    .describe('Fixed, or the sum of the steps with a margin. Only the operator sets another one.'),
  example: schemaObject.default({}).describe('An input that works, shown to callers.'),
}

export const planBody = z.strictObject(planParts)
export const namedPlanBody = z.strictObject({ name: planName, ...planParts })

const savedPlan = z.strictObject({
  format: z.literal('tollway-plan/1'),
  name: planName,
  account_id: z.uuid().nullable(),
  retired: z.string().optional(),
  ...planParts,
})
export type SavedPlan = z.output<typeof savedPlan>

export interface ExamineSaved {
  /** The steps of a call. Throws what it would be refused for. `self`: of a saved plan. */
  readonly bound: (steps: CallPlan, self?: string) => Examined
  /** The same at the prices of this catalog. */
  readonly boundIn: (catalog: Catalog) => ExamineSaved['bound']
  /** A plan whose input is not known. */
  readonly open: (plan: SavedPlan, self: string) => Pick<Examined, 'warnings'>
}

/** Throws ZodError. */
export const readSavedPlan = (document: unknown): SavedPlan => savedPlan.parse(document)

/** Half of a pair of UTF-16, or a NUL: PostgreSQL keeps neither. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Why it cannot be kept. Undefined: it can. */
export function whyUnkept(plan: SavedPlan): string | undefined {
  const json = JSON.stringify(plan)
  if (json.length > documentCharactersMax)
    return `A plan may have at most ${documentCharactersMax} characters as JSON.`
  return unstorable.test(json)
    ? 'A text of the plan has a character that cannot be stored.'
    : undefined
}

/** Of one account. It cannot be guessed without the id of the account, and says nothing of it. */
export const ownService = (accountId: string): string =>
  `own_${createHash('sha256').update(`plans of ${accountId}`).digest('hex').slice(0, 16)}`

export const planId = ({ name, account_id: owner }: Pick<SavedPlan, 'name' | 'account_id'>) =>
  `${owner === null ? publishedService : ownService(owner)}/${name}`

/** What callers of a retired plan read. */
export const retiredSentence = (plan: SavedPlan): string =>
  `${planId(plan)} was retired on ${plan.retired?.slice(0, 10)}. GET /api/run lists all actions.`

const percentParts = 10_000n

/** What a caller pays for steps that cost this much, rounded up to a micro-dollar. */
export function withMargin(micros: Micros, price: PlanPrice, isComplete: boolean): Micros {
  if (price.kind === 'fixed') return isComplete ? centsToMicros(price.cents) : 0
  const factor = percentParts + BigInt(Math.round(price.margin_percent * 100))
  const scaled = (BigInt(micros) * factor + percentParts - 1n) / percentParts
  return Number(scaled) + (isComplete ? centsToMicros(price.margin_cents) : 0)
}

/** What steps may cost together, so that they cost the caller at most this much. */
export function withoutMargin(micros: Micros, price: PlanPrice): Micros {
  if (price.kind === 'fixed') return Number.MAX_SAFE_INTEGER
  const left = Math.max(0, micros - centsToMicros(price.margin_cents))
  const factor = percentParts + BigInt(Math.round(price.margin_percent * 100))
  return Number((BigInt(left) * percentParts) / factor)
}
