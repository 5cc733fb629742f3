// Measures how often consult proposes the right first call: `npm run bench consult [FILE] [--misses]`. Without FILE, it
// chooses for the intents of each author with weights and a memory that were learned from authors of other groups
// alone. With FILE, it asks consult itself, with the weights of the repository. FILE has lines
// `mode<TAB>intent<TAB>accepted actions with commas`, or JSON lines with intent, mode, accepted_first and budget_cents.
import { centsToMicros } from '#core/money.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import type { RankActions } from '#features/knowledge/plans/consult/candidates.ts'
import { type ChoiceWeights, choose } from '#features/knowledge/plans/consult/choice.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import {
  type IntentAuthor,
  type JudgedIntent,
  ownName,
  readAuthors,
  readJudged,
} from '#features/knowledge/plans/consult/intents.ts'
import type { GoalOption } from '#features/knowledge/plans/consult/options.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import {
  type ChoiceExample,
  createChoiceExamples,
  isRight,
  modeOf,
  trainChoice,
} from '../training/consult-choice.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'

interface Judgement {
  readonly asked: JudgedIntent
  readonly mode: string
  readonly isRight: boolean
  readonly isWithinBudget: boolean
  readonly answer: string
}

/** Of authors: each group is asked with what the others say. More groups take longer, and learn from more. */
const groups = 4
const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const showsMisses = process.argv.includes('--misses')
const { catalog, close } = openWholeCatalog()
const { rank } = createDiscover({ catalog: () => catalog, ownNamespace, loadEncoder })

if (file === undefined) await crossAuthors()
else report(file, await askConsult(readJudged(file, ownNamespace)))
await close()

async function crossAuthors() {
  // The weights are learned without meanings, as those of the repository are.
  const words = createDiscover({ catalog: () => catalog, ownNamespace })
  const rankWords = rememberRanks(words.rank)
  const rankBoth = rememberRanks(rank)
  const authors = readAuthors(ownNamespace)
  const without = (left: readonly IntentAuthor[]) => authors.filter((one) => !left.includes(one))
  const intentsOf = (some: readonly IntentAuthor[]) => some.flatMap(({ intents }) => intents)
  const all: Judgement[] = []
  for (let group = 0; group < groups; group += 1) {
    const asked = authors.filter(({ name }, at) => name !== ownName && at % groups === group)
    const others = without(asked)
    const learnable: ChoiceExample[] = []
    for (const other of others) {
      const remembered = intentsOf(without([...asked, other]))
      learnable.push(
        ...(await createChoiceExamples({ catalog, rank: rankWords, remembered }, other.intents)),
      )
    }
    const weights = trainChoice(learnable)
    for (const { name, intents } of asked) {
      const of = { catalog, rank: rankBoth, remembered: intentsOf(others) }
      const judged = (await createChoiceExamples(of, intents)).flatMap((example) =>
        judge(example, weights),
      )
      report(name, judged)
      all.push(...judged)
    }
  }
  report('All authors but that of consult', all)
}

/** A rank does not depend on what is remembered. */
function rememberRanks(rank: RankActions): RankActions {
  const known = new Map<string, Awaited<ReturnType<RankActions>>>()
  return async (goal, limit) => {
    const ranked = known.get(goal) ?? (await rank(goal, limit))
    known.set(goal, ranked)
    return ranked
  }
}

function judge({ asked, options }: ChoiceExample, weights: ChoiceWeights): readonly Judgement[] {
  const option = choose(options, weights)
  if (option === undefined) return []
  const { tried, entry } = option
  const answer = 'planned' in tried ? tried.planned.steps[0]?.action : entry?.id
  return [
    {
      asked,
      mode: modeOf(option),
      answer: answer ?? '',
      isRight: isRight(asked, option),
      isWithinBudget: keepsTo(asked, option),
    },
  ]
}

function keepsTo({ budgetCents }: JudgedIntent, { tried }: GoalOption): boolean {
  if (budgetCents === undefined || !('planned' in tried)) return true
  return tried.planned.total.max <= centsToMicros(budgetCents)
}

async function askConsult(intents: readonly JudgedIntent[]): Promise<readonly Judgement[]> {
  const consult = createConsult({ catalog: () => catalog, rank, ownNamespace, clock, composeFilm })
  const outcomes: Judgement[] = []
  for (const asked of intents) {
    const { intent, budgetCents, accepted } = asked
    const constraints = budgetCents === undefined ? {} : { budget_cents: budgetCents }
    const input = consult.input.parse({ intent, manifest: { constraints } })
    const answer: UntypedJson = consult.output.parse(await consult.run({ input } as never))
    const first = answer.calls[0]?.action
    outcomes.push({
      asked,
      mode: answer.mode,
      answer: first ?? answer.message,
      isRight: answer.mode === asked.mode && (first === undefined || accepted.includes(first)),
      isWithinBudget: budgetCents === undefined || answer.total.max_cents <= budgetCents,
    })
  }
  return outcomes
}

function report(name: string, outcomes: readonly Judgement[]) {
  const rate = (is: (one: Judgement) => boolean) => {
    const count = outcomes.filter(is).length
    return `${(count / outcomes.length).toFixed(3)} (${count} of ${outcomes.length})`
  }
  console.log(`${name}:`)
  console.log(`First step right: ${rate((one) => one.isRight)}`)
  console.log(`Mode right: ${rate(({ asked, mode }) => asked.mode === mode)}`)
  console.log(`Within the budget: ${rate((one) => one.isWithinBudget)}`)
  if (!showsMisses) return
  for (const { asked, mode, answer } of outcomes.filter((one) => !one.isRight))
    console.log(`${asked.mode} → ${mode} ${answer} | ${asked.intent}`)
}
