// The actions that run plans and batches: jobs whose steps are calls inside one held call.
import { type Action, defineJob, type OrderedCall, z } from '#core/action.ts'
import type { Catalog, ResellingAction } from '#core/catalog.ts'
import { centsToMicros } from '#core/money.ts'
import { type CallPlan, type ExaminePlan, plannedCall, planSchema, stepsMax } from '#core/plan.ts'
import { partSchema, spentShape } from './answer.ts'
import { bodyOf, type Examined, examinePlan } from './examine.ts'
import { planTerms, runParts } from './run-parts.ts'
import { type ExamineSaved, planCentsMax } from './saved/saved-plan.ts'

export function createPlans(catalog: () => Catalog): {
  readonly actions: readonly Action[]
  readonly examine: ExaminePlan
  readonly saved: ExamineSaved
} {
  const examine = createExamine(catalog)
  const saved: ExamineSaved = {
    bound: examine,
    boundIn: (seen) => createExamine(() => seen),
    open({ steps, input, output, account_id: owner }, self) {
      return examinePlan(catalog(), steps, { self, input, output, owner })
    },
  }
  const resold = (define: (examine: Examine) => Action): ResellingAction => ({
    ...define(examine),
    seenIn: (seen) => define(createExamine(() => seen)),
  })
  return { actions: [resold(defineRunPlan), resold(defineBatch)], examine, saved }
}

type Examine = ExamineSaved['bound']

/** Examines the steps of one input once. */
function createExamine(catalog: () => Catalog): Examine {
  const examined = new WeakMap<object, Examined>()
  return (plan, self) => {
    const known =
      examined.get(plan) ?? examinePlan(catalog(), plan, self === undefined ? {} : { self })
    examined.set(plan, known)
    return known
  }
}

const terms = { ...planTerms, stopsEarly: true } as const

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
      const parts = await runParts(context, plan, centsToMicros(context.maxCents))
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
      const { rows, spent } = await runParts(
        context,
        planOfBatch(context.input),
        centsToMicros(context.maxCents),
      )
      const failed = rows.filter(({ status }) => status !== 'succeeded')
      return { calls: rows, failed_count: failed.length, ...spent }
    },
  })
}
