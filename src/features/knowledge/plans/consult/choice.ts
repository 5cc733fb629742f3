// Chooses what to do about a goal: one of the calls that may serve it, a question for a value, or nothing. The weights
// of the features are learned by `npm run train:consult`.
import { readFileSync } from 'node:fs'

export const choiceFeatures = [
  // What discover says of the action: for the goal, for the goal without names, and for the whole intent.
  'named',
  'plain',
  'whole',
  'place',
  'wholePlace',
  'alternative',
  'explained',
  // How its outcome fits, and how it is used.
  'fit',
  'onlyTells',
  'poller',
  'ends',
  'buys',
  'opens',
  'job',
  'searches',
  'searchesWithoutAsking',
  // The search of all sources: always possible, seldom the best.
  'search',
  'searchForQuestion',
  'searchDespiteName',
  'searchOfUnnamed',
  // The calls as they would be made.
  'price',
  'overBudget',
  'stepsBefore',
  'stepsBeforeOfUnnamed',
  'roundabout',
  'assumed',
  'usesNamed',
  'usesSaid',
  'leavesSaid',
  'takesChoices',
  'leavesNamed',
  'onlySubject',
  'onlySubjectOfUnnamed',
  'takesNothing',
  'takesNothingOfQuestion',
  'callOfUnnamed',
  'callOfNameless',
  'callOfNamelessUnnamed',
  'laterGoal',
  // A value that is missing.
  'missing',
  'missingOfUnnamed',
  'missingOfNameless',
  'missingOfNamelessUnnamed',
  'missingUncommon',
  'missingForAct',
  // What is right for similar intents.
  'recalledCall',
  'recalledMissing',
  'recalledQuestion',
  'recalledNothing',
  // The intent names more than the action takes.
  'aboveLimit',
  'nothingAboveLimit',
  // Nothing.
  'nothing',
  'nothingForAct',
  'nothingForQuestion',
  'nothingForNamed',
  'nothingOfUnnamed',
  'nothingForSureAct',
  'sureness',
  'plainSureness',
] as const
export type ChoiceFeature = (typeof choiceFeatures)[number]
/** Features that are not named are 0. */
export type ChoiceRow = Readonly<Partial<Record<ChoiceFeature, number>>>
export type ChoiceWeights = Readonly<Record<ChoiceFeature, number>>

export const choiceWeightsFile = new URL('./choice-weights.json', import.meta.url)

let loaded: ChoiceWeights | undefined

/** Throws if the file does not fit the features. */
export function loadChoiceWeights(): ChoiceWeights {
  const given: ChoiceWeights = loaded ?? JSON.parse(readFileSync(choiceWeightsFile, 'utf8'))
  loaded = given
  if (choiceFeatures.some((name) => !Number.isFinite(given[name])))
    throw new Error('choice-weights.json does not fit the features: run `npm run train:consult`.')
  return given
}

/** How likely each of the rows is the right one, 0 to 1. */
export function sharesOf(rows: readonly ChoiceRow[], weights: ChoiceWeights): readonly number[] {
  const scores = rows.map((row) => scoreOf(row, weights))
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / all)
}

const scoreOf = (row: ChoiceRow, weights: ChoiceWeights): number =>
  choiceFeatures.reduce((sum, name) => sum + (row[name] ?? 0) * weights[name], 0)

/** The kinds of answers are compared first, each by all its options, and then the options of the likeliest kind. */
export function choose<Option extends { readonly kind: string; readonly row: ChoiceRow }>(
  options: readonly Option[],
  weights: ChoiceWeights,
): Option | undefined {
  const shares = sharesOf(
    options.map(({ row }) => row),
    weights,
  )
  const byKind = new Map<string, number>()
  for (const [at, { kind }] of options.entries())
    byKind.set(kind, (byKind.get(kind) ?? 0) + (shares[at] ?? 0))
  const [likeliest] = [...byKind].toSorted(([, one], [, other]) => other - one)
  const [best] = options
    .map((option, at) => ({ option, share: shares[at] ?? 0 }))
    .filter(({ option }) => option.kind === likeliest?.[0])
    .toSorted((one, other) => other.share - one.share)
  return best?.option
}
