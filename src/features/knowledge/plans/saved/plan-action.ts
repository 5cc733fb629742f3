// A saved plan as an action.
import { type Action, defineJob, type JobContext, type OrderedCall, z } from '#core/action.ts'
import type { ResellingAction } from '#core/catalog.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { centsToMicros, type Micros, microsToCents, microsToUsd } from '#core/money.ts'
import {
  bindInput,
  type CallPlan,
  findReferences,
  findReferred,
  mapReferences,
} from '#core/plan.ts'
import type { AnyPrice, PartsCost } from '#core/price.ts'
import { inputSchema } from '#platform/json-schema/json-schema.ts'
import { isFree, type Part, partSchema, spentShape } from '../answer.ts'
import { bodyOf, type Examined } from '../examine.ts'
import { planTerms, runParts } from '../run-parts.ts'
import { defaultsOf, lazyCompiler } from './input-schema.ts'
import {
  type ExamineSaved,
  type PlanPrice,
  planCentsMax,
  planId,
  retiredSentence,
  type SavedPlan,
  withMargin,
  withoutMargin,
} from './saved-plan.ts'

/**
 * What the input of a call becomes when it is checked: all of the plan that its job needs. So a job that is under way
 * ends as it began, although the plan has another version by then.
 */
interface BoundPlan {
  readonly sent: object
  readonly steps: CallPlan
  readonly output?: unknown
  readonly price: PlanPrice
}

function bindPlan({ input: schema, steps, output, price }: SavedPlan, sent: object): BoundPlan {
  const input = { ...defaultsOf(schema), ...sent }
  return {
    sent,
    steps: steps.map((step) => ({
      ...step,
      params: membersOf(bindInput(step.params, input)),
    })),
    ...(output !== undefined && { output: bindInput(output, input) }),
    price,
  }
}

/** A fixed price does not follow what the steps cost. */
export function planAction(
  plan: SavedPlan,
  { bound, boundIn }: Pick<ExamineSaved, 'bound' | 'boundIn'>,
): Action {
  const action = planActionAt(plan, bound)
  if (plan.price.kind === 'fixed') return action
  const resold: ResellingAction = {
    ...action,
    seenIn: (catalog) => planActionAt(plan, boundIn(catalog)),
  }
  return resold
}

function planActionAt(plan: SavedPlan, examine: ExamineSaved['bound']): Action {
  const { name, title, notes, steps, price, input: schema, account_id: owner, retired } = plan
  const id = planId(plan)
  const planOf = [...new Set(steps.map(({ action }) => action))]
  const examined = (bound: BoundPlan) => examine(bound.steps, id)
  return defineJob(name, {
    summary: title,
    notes: [notes, termsOf(price)].filter((each) => each !== undefined).join(' '),
    synonyms: ['plan', 'workflow'],
    input: inputOf(plan, schema),
    output: price.kind === 'fixed' ? fixedAnswer : sumAnswer,
    check(bound) {
      if (retired !== undefined) throw fail('not_found', { message: retiredSentence(plan) })
      examined(bound)
    },
    orders: (bound): OrderedCall[] =>
      examined(bound).ready.map(({ step, isComplete }) => ({
        id: step.action,
        name: `Step "${step.id}"`,
        ...(isComplete && { body: bodyOf(step, step.params) }),
        ...(owner === null && { included: true as const }),
      })),
    sentOf: ({ sent }) => sent,
    price: priceOf(price, (bound) => examined(bound).cost),
    example: {
      input: plan.example,
      /** What it may cost follows the prices of its steps. */
      get cents() {
        return exampleCents(plan, examined)
      },
    },
    ...planTerms,
    // The caller pays nothing for a plan at a fixed price that has not ended, so it goes on once it has begun.
    ...(price.kind === 'sum' && { stopsEarly: true as const }),
    closes: true,
    planOf,
    ...(retired !== undefined && { ended: true as const }),
    run: async (context) =>
      context.input.price.kind === 'fixed'
        ? await runFixed(context)
        : await runSum(context, owner === null),
  })
}

const inputOf = (plan: SavedPlan, schema: SavedPlan['input']) =>
  inputSchema(schema, {}, lazyCompiler).transform((sent, context) => {
    try {
      // A value must not become a reference to the answer of a step.
      if (findReferences(sent).length > 0) throw fail('bad_request')
      return bindPlan(plan, sent as object)
    } catch {
      context.addIssue({ code: 'custom', message: 'has a field "$step", or is nested too deep.' })
      return z.NEVER
    }
  })

function priceOf(price: PlanPrice, costOf: (bound: BoundPlan) => PartsCost): AnyPrice {
  if (price.kind === 'fixed') return { cents: price.cents }
  const { margin_percent: percent, margin_cents: cents } = price
  const margin = [
    ...(percent === 0 ? [] : [`${percent} %`]),
    ...(cents === 0 ? [] : [`${cents}¢`]),
  ].join(' and ')
  return {
    sumOf(bound: BoundPlan) {
      const { min, max, least = min, isExact } = costOf(bound)
      return {
        min: withMargin(min, bound.price, true),
        max: withMargin(max, bound.price, true),
        least: withMargin(least, bound.price, false),
        isExact,
      }
    },
    atMostCents: planCentsMax,
    basis: `the sum of its steps${margin === '' ? '' : ` plus ${margin}`}`,
    settle: ({ output }: { input: unknown; output: { spent_usd: string } }) =>
      Number(output.spent_usd) * 100,
  }
}

const termsOf = ({ kind }: PlanPrice) =>
  kind === 'fixed'
    ? 'A job: answers with a job_id, to be polled with result. Its price does not depend on what its steps cost. It is free if a required step fails.'
    : 'A job: answers with a job_id, to be polled with result. It stops when a required step fails or max_cost_cents is used up; what was delivered until then is charged and returned.'

function exampleCents(plan: SavedPlan, examined: (bound: BoundPlan) => Examined): number {
  if (plan.price.kind === 'fixed') return plan.price.cents
  try {
    const { max } = examined(bindPlan(plan, plan.example)).cost
    return Math.min(planCentsMax, withMargin(max, plan.price, true) / centsToMicros(1))
  } catch {
    // A step is not sold any more, so no call of it is accepted.
    return 0
  }
}

/** What the steps of its example cost at least, each as a call by itself. */
export function leastCostOf(plan: SavedPlan, examine: ExamineSaved['bound']): Micros {
  const { min, least = min } = examine(bindPlan(plan, plan.example).steps, planId(plan)).cost
  return least
}

const result = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('What the plan is for, from the answers of its steps.')

const deliveredSchema = partSchema.omit({ charged_cents: true, charged_usd: true })

const fixedAnswer = z.object({
  status: z.literal('completed'),
  result,
  steps: z
    .array(deliveredSchema.extend({ id: z.string() }))
    .optional()
    .describe('The answers of the steps, where the plan has no result of its own.'),
})

const sumAnswer = z.object({
  status: z
    .enum(['completed', 'stopped', 'cancelled'])
    .describe('stopped: a required step did not succeed, and no further step was run.'),
  result,
  steps: z.array(partSchema.extend({ id: z.string() })),
  margin_cents: z.int().optional().describe('What the plan costs besides its steps.'),
  margin_usd: z.string().optional(),
  ...spentShape,
})

async function runFixed(context: JobContext<BoundPlan>) {
  const { steps: plan, output, price } = context.input
  const { rows, outcomes } = await runParts(context, plan, withoutMargin(0, price)).catch(
    (thrown) => {
      throw failureOf(toCallError(thrown))
    },
  )
  const isMissing = (row: Part, at: number) => row.status !== 'succeeded' && !plan[at]?.optional
  const missing = rows.filter(isMissing)
  const first = missing.find(({ status }) => status === 'failed') ?? missing[0]
  if (first !== undefined) throw failureAt(plan, first, rows.indexOf(first))
  const given = resultOf(output, outcomes)
  if (given === undefined)
    return { status: 'completed' as const, steps: rows.map((row, at) => delivered(plan, row, at)) }
  if (Object.values(given).every((value) => value === null || value === undefined))
    throw fail('upstream_error', {
      message: 'The plan found nothing of what it answers. Nothing was charged.',
    })
  return { status: 'completed' as const, result: given }
}

/** What the finished steps delivered stays with the operator, who pays for them. */
const failureOf = ({ code, message, cause }: CallError) => fail(code, { message, cause })

function failureAt(plan: CallPlan, { error, message = '' }: Part, at: number): CallError {
  const isTold = message.includes(isFree)
  return fail(error as CallError['code'], {
    message: `Step "${plan[at]?.id}": ${message}${isTold ? '' : ` ${isFree}`}`,
  })
}

function delivered(plan: CallPlan, row: Part, at: number) {
  const { charged_cents: _cents, charged_usd: _usd, ...rest } = row
  return { id: plan[at]?.id ?? '', ...rest }
}

/** `isSold`: its callers buy it from the operator, so they see the `result` alone where the plan has one. */
async function runSum(context: JobContext<BoundPlan>, isSold: boolean) {
  const { steps: plan, output, price } = context.input
  const held = centsToMicros(context.maxCents)
  const parts = await runParts(context, plan, withoutMargin(held, price))
  const isComplete = parts.rows.every(
    ({ status }, at) => status === 'succeeded' || plan[at]?.optional,
  )
  const stopped = parts.isCancelled ? ('cancelled' as const) : ('stopped' as const)
  const charge = withMargin(parts.spentMicros, price, isComplete)
  const margin = charge - parts.spentMicros
  const given = resultOf(output, parts.outcomes)
  return {
    status: isComplete ? ('completed' as const) : stopped,
    ...(given !== undefined && { result: given }),
    steps: parts.rows.map((part, at) => ({
      id: plan[at]?.id ?? '',
      ...(isSold && given !== undefined ? withoutAnswer(part) : part),
    })),
    ...(margin > 0 && {
      margin_cents: microsToCents(charge, 'up') - parts.spent.spent_cents,
      margin_usd: microsToUsd(margin),
    }),
    spent_cents: microsToCents(charge, 'up'),
    spent_usd: microsToUsd(charge),
  }
}

/** What a step has cost explains the sum. */
const withoutAnswer = ({ data: _data, ...part }: Part): Part => part

/** Null in place of what the steps did not answer. */
function resultOf(output: unknown, outcomes: RunOutcomes) {
  if (output === undefined) return undefined
  const answerOf = (id: string) => {
    const outcome = outcomes.get(id)
    return outcome?.status === 'succeeded' ? outcome.data : undefined
  }
  return membersOf(
    mapReferences(
      output,
      (reference) => findReferred(reference, answerOf(reference.$step)) ?? null,
    ),
  )
}

type RunOutcomes = Awaited<ReturnType<typeof runParts>>['outcomes']
