// {own_ns}/consult: which calls to make, in which order, and what they cost. Free, and it runs none of them.

import { type Action, defineAction, type RunContext, z } from '#core/action.ts'
import { type Catalog, type CatalogEntry, catalogFor, splitId } from '#core/catalog.ts'
import { ceilingCentsMax, ceilingField } from '#core/ceiling.ts'
import { toCallError } from '#core/errors.ts'
import { type Micros, microsToCents } from '#core/money.ts'
import type { CallPlan } from '#core/plan.ts'
import type { Clock } from '#core/ports.ts'
import type { PartsCost } from '#core/price.ts'
import type { ComposeFilm } from '#core/rooms/film-edit.ts'
import { once } from '#platform/once.ts'
import { examinePlan } from '../examine.ts'
import { type ActionCandidate, createCandidates, type RankActions } from './candidates.ts'
import { makeCards } from './cards.ts'
import { qualities, readConstraints } from './constraints.ts'
import { recipesFor } from './drafting/recipes.ts'
import { filmAssetShape, filmSchema, readKinds } from './film.ts'
import { memoriesOf, readAuthors } from './intents.ts'
import { createMemory, type RecallIntents, remember } from './memory.ts'
import { type PlanModel, planByModel } from './model-plan.ts'
import { outputSchema } from './plan-output.ts'
import {
  askFor,
  type ConsultRequest,
  finish,
  type Proposal,
  type ProposalParts,
  propose,
  readKnown,
  tellCalls,
} from './propose.ts'
import { readBudgetCents, type SlotKind } from './slots.ts'
import { createWorkflowMatch } from './workflows/workflow-plan.ts'
import { workflowsFor } from './workflows/workflows.ts'

/** The first question of a process reads all that was learnt: seconds, or a minute on a starved machine. */
const timeoutMs = 180_000

const assetsMax = 50
const answersMax = 20
const deadlineSecondsMax = 86_400

const budgetSchema = z.int().min(0).max(ceilingCentsMax)

const assetSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  file_id: z.uuid().optional().describe('Of your file on this gateway.'),
  label: z.string().max(200).optional().describe('What it shows. A note.'),
  ...filmAssetShape,
})

const manifestSchema = z.strictObject({
  assets: z.array(assetSchema).max(assetsMax).default([]).describe('What you have.'),
  film: filmSchema.optional(),
  constraints: z
    .strictObject({
      budget_cents: budgetSchema.optional().describe('The most that all calls together may cost.'),
      deadline_seconds: z
        .int()
        .min(1)
        .max(deadlineSecondsMax)
        .optional()
        .describe('How long you can wait. Calls that answer at once are preferred to longer jobs.'),
      quality: z
        .enum(qualities)
        .optional()
        .describe(
          'fast: calls that answer at once. verified: contacts that are found are checked, and pages that a search finds are read.',
        ),
    })
    .default({}),
})

const intentSchema = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .refine((text) => /[\p{L}\p{N}]/u.test(text), {
    error: 'Say in words what you want to reach',
  })

const inputSchema = z
  .strictObject({
    intent: intentSchema
      .optional()
      .describe('What you want to reach, in your words. A film of assets needs none.'),
    manifest: manifestSchema.prefault({}),
    answers: z
      .record(z.string().max(100), z.unknown())
      .refine((answers) => Object.keys(answers).length <= answersMax, {
        error: `Send at most ${answersMax} answers`,
      })
      .default({})
      .describe('Values by the name of the parameter, for questions that consult has asked.'),
    style: z
      .enum(['plan', 'cards'])
      .default('plan')
      .describe(
        'plan: the calls, filled in. cards: up to three actions for each goal, with the values read, for your own model to choose from and fill.',
      ),
  })
  .refine(({ intent, manifest }) => intent !== undefined || manifest.assets.length > 0, {
    error: 'Send an intent, or a manifest of what you have',
  })

interface Dependencies {
  readonly catalog: () => Catalog
  readonly rank: RankActions
  readonly ownNamespace: string
  readonly clock: Clock
  readonly composeFilm: ComposeFilm
  /** Absent: plans are made by the rules alone. */
  readonly model?: PlanModel | undefined
}

export function createConsult(dependencies: Dependencies): Action {
  return defineAction('consult', {
    summary: 'Recommend which calls to make for an intent, filled in, checked and priced.',
    notes:
      'Free, and runs nothing. Say what you want to reach, with the names, addresses and identifiers that you know. The answer has calls in their order, or one question, or says that no action does it. Run them one by one, or send `plan` to run-plan. To find single actions use discover, and to read pages whose addresses you know onescrape.',
    synonyms: ['plan my task', 'advice', 'which calls', 'recommend a workflow', 'planner'],
    questions: [
      'which calls do I have to make for this task?',
      'plan how to reach my goal, with prices',
      'what would it cost to do this in several steps?',
    ],
    input: inputSchema,
    output: outputSchema,
    price: 'free',
    timeoutMs,
    ...(dependencies.model !== undefined && { inference: true as const }),
    example: {
      input: { intent: 'find the page about Ada Lovelace in the encyclopedia and read it' },
      cents: 0,
    },
    run: createAdvisor(dependencies),
  })
}

type Advised = Pick<
  RunContext<z.output<typeof inputSchema>>,
  'caller' | 'input' | 'files' | 'signal' | 'record' | 'spend'
>

/** What proposals are made with. `recall`: from the intents of the repository, unless others are given. */
export function createProposalParts({
  rank,
  ownNamespace,
  catalog,
  recall,
}: Pick<Dependencies, 'rank' | 'ownNamespace' | 'catalog'> & {
  readonly recall?: RecallIntents
}): Omit<ProposalParts, 'catalog'> {
  const rankOthers: RankActions = async (goal, limit) => {
    const ranked = await rank(goal, limit)
    return ranked.filter(
      ({ entry }) => entry.id !== `${ownNamespace}/consult` && !runsOthers(entry),
    )
  }
  // At the first intent, because a gateway starts without them faster.
  const memories = once(async () => {
    const intents = readAuthors(ownNamespace).flatMap((author) => author.intents)
    return remember(await memoriesOf(intents, catalog()))
  })
  const memory = once(async () => recall ?? (await createMemory(await memories())))
  const workflows = once(async () =>
    createWorkflowMatch(workflowsFor(ownNamespace), await memories()),
  )
  return {
    candidatesFor: createCandidates({
      rank: rankOthers,
      recall: async (intent) => (await memory())(intent),
    }),
    recipes: recipesFor(ownNamespace),
    workflowFor: async (intent) => (await workflows())(intent),
    searchAction: `${ownNamespace}/onesearch`,
  }
}

function createAdvisor({ composeFilm, model, ...dependencies }: Dependencies) {
  const { ownNamespace } = dependencies
  const parts = createProposalParts(dependencies)
  return async ({ caller, input, files, signal, record, spend }: Advised) => {
    const { manifest, answers } = input
    const catalog = catalogFor(dependencies.catalog(), caller)
    const { budget_cents: answered, intent: answeredIntent, ...rest } = answers
    const stated = input.intent ?? intentSchema.safeParse(answeredIntent).data
    const isForFilm = manifest.film !== undefined || manifest.assets.some(({ kind }) => kind)
    if (stated === undefined && !isForFilm)
      return {
        ...describe(catalog, ownNamespace, askForIntent(ownNamespace)),
        engine: 'rules' as const,
      }
    const intent = stated ?? filmIntent
    const assets = await readKinds(manifest.assets, files)
    const statedCents = budgetSchema.safeParse(answered).data ?? manifest.constraints.budget_cents
    const request: ConsultRequest = {
      intent,
      today: new Date(dependencies.clock.now()).toISOString().slice(0, 10),
      answers: rest,
      assets: readAssets(manifest.assets),
      film: {
        assets,
        wish: manifest.film ?? (stated === undefined ? {} : undefined),
      },
      budgetCents: statedCents ?? readBudgetCents(intent),
      deadlineSeconds: manifest.constraints.deadline_seconds,
      quality: manifest.constraints.quality,
    }
    if (input.style === 'cards') return dealCards({ ...parts, catalog }, request)
    const ruled = await propose({ ...parts, catalog, composeFilm }, request)
    const isFilm = ruled.mode === 'call' && ruled.film !== undefined
    const planned =
      model === undefined || isFilm
        ? undefined
        : await planByModel(catalog, model, {
            intent,
            budgetCents: request.budgetCents,
            signal,
            record,
            spend,
            material: JSON.stringify({ assets, answers: rest }),
            ranked: (await parts.candidatesFor(intent)).ranked,
          })
    const constraints = readConstraints(intent, request)
    const proposal =
      planned === undefined
        ? ruled
        : finish(
            { ...parts, catalog },
            planned,
            {
              answers: rest,
              budgetCents: request.budgetCents,
              constraints,
              known: readKnown(request),
            },
            [],
          )
    const engine = planned === undefined ? ('rules' as const) : ('model' as const)
    return { ...describe(catalog, ownNamespace, proposal), engine }
  }
}

async function dealCards(parts: ProposalParts, request: ConsultRequest) {
  const cards = await makeCards(parts, request)
  return {
    mode: 'call' as const,
    message: 'Choose one of the cards of each goal, fill in what is missing, and make the calls.',
    calls: [],
    suggestions: [],
    assumptions: [],
    total: { min_cents: 0, max_cents: 0 },
    cards,
    engine: 'rules' as const,
  }
}

/** Of a manifest of media without an intent. */
const filmIntent = 'make a film of these assets'

const askForIntent = (ownNamespace: string): Proposal => ({
  mode: 'converse',
  missing: {
    action: `${ownNamespace}/consult`,
    parameter: 'intent',
    description: 'What you want to reach with these assets',
  },
  nearest: [],
})

/** Plans and batches run other actions: what they would run is proposed instead. */
const runsOthers = ({ action }: CatalogEntry) =>
  typeof action.price === 'object' && 'sumOf' in action.price

function readAssets(assets: readonly z.output<typeof assetSchema>[]) {
  const urls = assets.flatMap(({ url }) => url ?? [])
  const files = assets.flatMap(({ file_id }) => file_id ?? [])
  return new Map<SlotKind, readonly string[]>([
    ...(urls.length > 0 ? [['URL', urls] as const] : []),
    ...(files.length > 0 ? [['file', files] as const] : []),
  ])
}

function describe(catalog: Catalog, ownNamespace: string, proposal: Proposal) {
  const base = { calls: [], suggestions: [], assumptions: [] }
  const nothing = { min_cents: 0, max_cents: 0 }
  if (proposal.mode === 'unsupported')
    return {
      ...base,
      mode: proposal.mode,
      message: proposal.message,
      total: nothing,
      suggestions: proposal.nearest.map(describeNearest),
    }
  if (proposal.mode === 'converse') {
    const question = { ...proposal.missing, text: askFor(proposal.missing) }
    return {
      ...base,
      mode: proposal.mode,
      message: question.text,
      total: nothing,
      question: { parameter: question.parameter, action: question.action, text: question.text },
      suggestions: proposal.nearest.map(describeNearest),
    }
  }
  const { steps, costs, total, assumptions, film } = proposal
  const plan = planFor(catalog, steps, total)
  const calls = steps.map(({ optional: _, ...step }, at) => {
    const entry = catalog.find(...splitId(step.action))
    const { min, max, isExact } = costs[at] ?? total
    return {
      ...step,
      service: splitId(step.action)[0],
      endpoint: `POST /api/run/${step.action}`,
      mode: entry?.mode,
      ...inCents({ min, max }),
      is_exact: isExact,
    }
  })
  return {
    ...base,
    mode: proposal.mode,
    message: tellCalls(steps.length, plan && `${ownNamespace}/run-plan`),
    calls,
    total: inCents(total),
    assumptions,
    ...(plan && { plan }),
    ...(film && {
      composition: film.composition,
      validation: { valid: film.problems.length === 0, errors: film.problems },
    }),
  }
}

/** What run-plan takes, if it takes these steps. */
function planFor(catalog: Catalog, steps: CallPlan, { max }: PartsCost) {
  try {
    examinePlan(catalog, steps)
  } catch (thrown) {
    if (toCallError(thrown).code === 'upstream_error') throw thrown
    return undefined
  }
  return { steps, [ceilingField]: microsToCents(max, 'up') }
}

const inCents = ({ min, max }: { readonly min: Micros; readonly max: Micros }) => ({
  min_cents: microsToCents(min, 'down'),
  max_cents: microsToCents(max, 'up'),
})

const describeNearest = ({ entry: { id, action }, confidence }: ActionCandidate) => ({
  action: id,
  summary: action.summary,
  confidence: Number(confidence.toFixed(3)),
})
