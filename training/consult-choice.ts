// Learns how consult chooses among calls, questions and nothing, from intents with their right answers. It is
// deterministic: the same intents and catalog give the same weights.
import type { Catalog } from '#core/catalog.ts'
import { weigh } from '#features/knowledge/discover/features.ts'
import type { RankActions } from '#features/knowledge/plans/consult/candidates.ts'
import {
  type ChoiceRow,
  type ChoiceWeights,
  choiceFeatures,
} from '#features/knowledge/plans/consult/choice.ts'
import { createProposalParts } from '#features/knowledge/plans/consult/consult.ts'
import {
  type JudgedIntent,
  memoriesOf,
  readAuthors,
} from '#features/knowledge/plans/consult/intents.ts'
import { createMemory, remember } from '#features/knowledge/plans/consult/memory.ts'
import type { GoalOption } from '#features/knowledge/plans/consult/options.ts'
import { readFirstOptions, readGoals } from '#features/knowledge/plans/consult/propose.ts'
import { readBudgetCents } from '#features/knowledge/plans/consult/slots.ts'
import { ownNamespace } from '#test/own-actions.ts'

export interface ChoiceExample {
  readonly asked: JudgedIntent
  readonly options: readonly GoalOption[]
  /** The places of the right options. Empty: consult does not find the right one. */
  readonly right: ReadonlySet<number>
}

interface OptionTable {
  readonly rows: readonly Float64Array[]
  readonly right: ReadonlySet<number>
}

/** The day of all examples, so that training gives the same on every day. */
const learnedOn = '2026-11-01'

export interface ChoiceExamplesOf {
  readonly catalog: Catalog
  readonly rank: RankActions
  /** What is remembered. Those who wrote the intents must not be among them. */
  readonly remembered: readonly JudgedIntent[]
}

export async function createChoiceExamples(
  { catalog, rank, remembered }: ChoiceExamplesOf,
  intents: readonly JudgedIntent[],
): Promise<ChoiceExample[]> {
  const recall = await createMemory(await remember(await memoriesOf(remembered, catalog)))
  const parts = {
    ...createProposalParts({ rank, ownNamespace, recall, catalog: () => catalog }),
    catalog,
  }
  const examples: ChoiceExample[] = []
  for (const asked of intents) {
    const { intent } = asked
    const goals = await readGoals(parts, {
      intent,
      today: learnedOn,
      assets: new Map(),
      answers: {},
      film: { assets: [] },
      budgetCents: asked.budgetCents ?? readBudgetCents(intent),
    })
    const options = readFirstOptions(parts, goals)
    const right = new Set([...options.keys()].filter((at) => isRight(asked, options[at])))
    examples.push({ asked, options, right })
  }
  return examples
}

/**
 * Of all authors, each with the memory of the others: consult does not remember the intents of those who ask it.
 * `every`: of each author, the intents at the places that this number divides.
 */
export async function createAllExamples(
  catalog: Catalog,
  rank: RankActions,
  every = 1,
): Promise<ChoiceExample[]> {
  const authors = readAuthors(ownNamespace)
  const examples: ChoiceExample[] = []
  for (const { name, intents } of authors) {
    const remembered = authors
      .filter((other) => other.name !== name)
      .flatMap((other) => other.intents)
    const asked = intents.filter((_, at) => at % every === 0)
    examples.push(...(await createChoiceExamples({ catalog, rank, remembered }, asked)))
  }
  return examples
}

/** What an option answers. */
export const modeOf = ({ kind, tried }: GoalOption): string =>
  kind === 'nothing' ? 'unsupported' : 'planned' in tried ? 'call' : 'converse'

export function isRight({ mode, accepted }: JudgedIntent, option: GoalOption | undefined): boolean {
  if (option === undefined || modeOf(option) !== mode) return false
  const first = 'planned' in option.tried ? option.tried.planned.steps[0]?.action : undefined
  return mode !== 'call' || accepted.includes(first ?? '')
}

/** Keeps the weights near 0 unless the intents contradict it. */
const ridge = 0.0005
const passes = 150
const steps = { first: 0.1, most: 0.5, least: 1e-4, longer: 1.2, shorter: 0.5 } as const
const digits = 3

/**
 * Maximises the share of the right options in the softmax over all, by resilient propagation: each weight has its own
 * step.
 */
export function trainChoice(examples: readonly ChoiceExample[]): ChoiceWeights {
  const tables = examples
    .filter(({ right }) => right.size > 0)
    .map(({ options, right }) => ({
      right,
      rows: options.map(({ row }) => valuesOf(row)),
    }))
  const weights = choiceFeatures.map(() => 0)
  const sizes = choiceFeatures.map(() => steps.first as number)
  let before = choiceFeatures.map(() => 0)
  for (let pass = 0; pass < passes; pass += 1) {
    const slopes = slopesOf(tables, weights)
    for (const [at, slope] of slopes.entries()) {
      const turn = slope * (before[at] ?? 0)
      const size = sizes[at] ?? 0
      const next =
        turn > 0
          ? Math.min(size * steps.longer, steps.most)
          : turn < 0
            ? Math.max(size * steps.shorter, steps.least)
            : size
      sizes[at] = next
      weights[at] = (weights[at] ?? 0) - Math.sign(slope) * next
    }
    before = slopes
  }
  return Object.fromEntries(
    choiceFeatures.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(digits))]),
  ) as ChoiceWeights
}

const valuesOf = (row: ChoiceRow): Float64Array =>
  Float64Array.from(choiceFeatures, (name) => row[name] ?? 0)

function slopesOf(tables: readonly OptionTable[], weights: readonly number[]): number[] {
  const sums = weights.map(() => 0)
  for (const { rows, right } of tables) {
    const scores = rows.map((row) => weigh(row, weights))
    const most = Math.max(...scores)
    const powers = scores.map((score) => Math.exp(score - most))
    const all = powers.reduce((sum, power) => sum + power, 0)
    let part = 0
    for (const at of right) part += (powers[at] ?? 0) / all
    for (const [at, row] of rows.entries()) {
      const share = (powers[at] ?? 0) / all
      const pull = share - (right.has(at) ? share / Math.max(part, 1e-12) : 0)
      for (let place = 0; place < row.length; place += 1)
        sums[place] = (sums[place] ?? 0) + pull * (row[place] ?? 0)
    }
  }
  return sums.map((sum, at) => sum / tables.length + 2 * ridge * (weights[at] ?? 0))
}

export const writeChoice = (weights: ChoiceWeights): string =>
  `${JSON.stringify(weights, undefined, 2)}\n`
