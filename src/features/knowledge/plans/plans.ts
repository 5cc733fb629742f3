// The actions that run plans and batches: jobs whose steps are calls inside one held call.
import { type Action, defineJob, type JobContext, type OrderedCall, z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import { centsToMicros } from '#core/money.ts'
import { type CallPlan, type ExaminePlan, plannedCall, planSchema, stepsMax } from '#core/plan.ts'
import { describeParts, nothingDelivered, type Parts, partSchema, spentShape } from './answer.ts'
import { bodyOf, type Examined, examinePlan, readyStepsOf } from './examine.ts'
import { runSteps } from './run-steps.ts'

/** From its first try on, with all its waiting. */
const planTimeoutMs = 60 * 60_000
const endingMarginMs = 60_000
const jobsAtOnceMax = 3
/** A thousand dollars. */
const planCentsMax = 100_000
const startedName = 'started'

export function createPlans(catalog: () => Catalog): {
  readonly actions: readonly Action[]
  readonly examine: ExaminePlan
} {
  const examined = new WeakMap<object, Examined>()
  /** Of the steps of one input, once. */
  const examine = (plan: CallPlan): Examined => {
    const known = examined.get(plan) ?? examinePlan(catalog(), plan)
    examined.set(plan, known)
    return known
  }
  return { actions: [defineRunPlan(examine), defineBatch(examine)], examine }
}

type Examine = (plan: CallPlan) => Examined

const terms = {
  jobsAtOnceMax,
  stopsEarly: true,
  timeoutMs: planTimeoutMs + endingMarginMs,
} as const

function priceOf<Input>(planOf: (input: Input) => CallPlan, examine: Examine, basis: string) {
  return {
    sumOf: (input: Input) => examine(planOf(input)).cost,
    atMostCents: planCentsMax,
    basis,
    settle: ({ output }: { output: { spent_usd: string } }) => Number(output.spent_usd) * 100,
  }
}

const ordersOf = ({ ready }: Examined): OrderedCall[] =>
  ready.map(({ step, isComplete }) => ({
    id: step.action,
    name: `Step "${step.id}"`,
    ...(isComplete && { body: bodyOf(step, step.params) }),
  }))

const runPlanSchema = z.strictObject({
  steps: planSchema.describe('In an order in which each step comes after those it needs.'),
})

type RunPlanInput = z.output<typeof runPlanSchema>

function defineRunPlan(examine: Examine): Action {
  return defineJob('run-plan', {
    summary:
      'Run up to twenty calls in an order, under one ceiling, with values from earlier answers.',
    notes:
      'A job: answers with a job_id, to be polled with result. A step takes a value from an earlier answer by {"$step": id, "pointer": "/a/0/b"}, or a list of values with "each". Steps that await nothing run side by side. The plan stops when a required step fails or max_cost_cents is used up; what was delivered until then is charged and returned. The price is the sum of the steps. A sandbox or a browser that a step opens is closed with the plan. Actions that buy something for good or open sessions are called by themselves. For calls that do not depend on each other use batch, and to read many pages onescrape-deep.',
    synonyms: ['workflow', 'pipeline', 'chain of calls', 'execute a plan', 'several steps'],
    questions: [
      'search, then read the pages that were found',
      'run these calls one after the other under one budget',
      'use the answer of one call in the next',
    ],
    input: runPlanSchema,
    output: z.object({
      status: z
        .enum(['completed', 'stopped', 'cancelled'])
        .describe('stopped: a required step did not succeed, and no further step was run.'),
      steps: z.array(partSchema.extend({ id: z.string(), why: z.string().optional() })),
      ...spentShape,
    }),
    check: ({ steps }) => void examine(steps),
    orders: ({ steps }) => ordersOf(examine(steps)),
    price: priceOf(({ steps }: RunPlanInput) => steps, examine, 'the sum of its steps'),
    example: {
      input: {
        steps: [
          { id: 'find', action: 'ns_encyclopedia/search', params: { q: 'Ada Lovelace' } },
          {
            id: 'read',
            action: 'ns_encyclopedia/page',
            params: { title: { $step: 'find', pointer: '/results/0/title' } },
          },
        ],
      },
      cents: 2,
    },
    ...terms,
    closes: true,
    async run(context) {
      const { steps: plan } = context.input
      const parts = await runParts(context, plan)
      const steps = parts.rows.map((part, at) => {
        const { id = '', why } = plan[at] ?? {}
        return { id, ...(why === undefined ? {} : { why }), ...part }
      })
      const isComplete = parts.rows.every(
        ({ status }, at) => status === 'succeeded' || plan[at]?.optional,
      )
      const status = parts.isCancelled ? 'cancelled' : 'stopped'
      return { status: isComplete ? 'completed' : status, steps, ...parts.spent }
    },
  })
}

const batchSchema = z.strictObject({
  calls: z.array(z.strictObject(plannedCall)).min(1).max(stepsMax),
})

const plansOfBatches = new WeakMap<object, CallPlan>()

/** A batch is a plan in which no step needs another. */
function planOfBatch({ calls }: z.output<typeof batchSchema>): CallPlan {
  const known = plansOfBatches.get(calls)
  if (known !== undefined) return known
  const plan = calls.map((call, at) => ({ ...call, id: `call_${at + 1}`, optional: true }))
  plansOfBatches.set(calls, plan)
  return plan
}

function defineBatch(examine: Examine): Action {
  return defineJob('batch', {
    summary: 'Run up to twenty independent calls at once, under one ceiling.',
    notes:
      'A job: answers with a job_id, to be polled with result. The calls run side by side, and one that fails is free and does not stop the others. The price is the sum of the calls. For calls that use the answers of others use run-plan, and to read many pages onescrape-deep.',
    synonyms: ['bulk', 'many calls at once', 'parallel calls', 'multi-execute'],
    questions: [
      'run these ten calls at once',
      'send many independent requests with one budget',
      'call several actions in parallel',
    ],
    input: batchSchema,
    output: z.object({
      calls: z.array(partSchema).describe('In the order of the request.'),
      failed_count: z.int(),
      ...spentShape,
    }),
    check: (input) => void examine(planOfBatch(input)),
    orders: (input) => ordersOf(examine(planOfBatch(input))),
    price: priceOf(planOfBatch, examine, 'the sum of its calls'),
    example: {
      input: {
        calls: [
          { action: 'ns_encyclopedia/search', params: { q: 'Ada Lovelace' } },
          { action: 'ns_encyclopedia/search', params: { q: 'Charles Babbage' } },
        ],
      },
      cents: 2,
    },
    ...terms,
    async run(context) {
      const { rows, spent } = await runParts(context, planOfBatch(context.input))
      const failed = rows.filter(({ status }) => status !== 'succeeded')
      return { calls: rows, failed_count: failed.length, ...spent }
    },
  })
}

/** Runs the steps and describes them. Throws the failure of the first one if none has delivered anything. */
async function runParts(
  context: JobContext<unknown>,
  plan: CallPlan,
): Promise<Parts & { readonly isCancelled: boolean }> {
  const deadlineMs = (await startedAtMs(context)) + planTimeoutMs
  const held = centsToMicros(context.maxCents)
  const limits = { held, deadlineMs }
  const { outcomes, stopReason } = await runSteps(context, readyStepsOf(plan), limits)
  const parts = describeParts(plan, outcomes)
  const isCancelled = stopReason === 'cancelled'
  if (parts.rows.some(({ status }) => status === 'succeeded')) return { ...parts, isCancelled }
  throw nothingDelivered(plan, parts.rows)
}

/** When the first try began. */
async function startedAtMs({ checkpoints, save, clock }: JobContext<unknown>): Promise<number> {
  const saved = checkpoints.get(startedName)
  if (typeof saved === 'number') return saved
  const now = clock.now()
  await save(startedName, now)
  return now
}
