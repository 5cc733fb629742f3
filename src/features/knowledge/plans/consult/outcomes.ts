// What kind of outcome a text asks for, by the linear model of `npm run train:consult`.
import { readFileSync } from 'node:fs'
import type { Action } from '#core/action.ts'
import { gramsOfText } from '#core/classifier/grams.ts'
import {
  classShares,
  type LinearModel,
  parseLinearModel,
  writeLinearModel,
} from '#core/classifier/linear.ts'
import { findIdentifiers, identifierPatterns } from '#core/identifier.ts'
import { recordOf } from '#core/input/records.ts'

/**
 * `learn`: to know something. `make`: a text, picture, film or sound that does not exist yet. `keep`: something on this
 * gateway, such as a file, machine or job. `act`: something happens elsewhere, or in what belongs to the caller
 * elsewhere.
 */
export const outcomes = ['learn', 'make', 'keep', 'act'] as const
export type Outcome = (typeof outcomes)[number]
/** How likely each outcome is, 0 to 1. */
export type OutcomeShares = Readonly<Record<Outcome, number>>

export const outcomesFile = new URL('../../../../../models/consult/outcomes.tsv', import.meta.url)

let loaded: LinearModel | undefined

function getModel(): LinearModel {
  loaded ??= parseLinearModel(readFileSync(outcomesFile, 'utf8'), outcomes, 'npm run train:consult')
  return loaded
}

export const writeOutcomes = (model: LinearModel): string => writeLinearModel(model, outcomes)

export function readOutcome(text: string, model: LinearModel = getModel()): OutcomeShares {
  const shares = classShares(outcomeGrams(text), model, outcomes.length)
  return sharesBy((_, place) => shares[place] ?? 0)
}

/**
 * The kinds of the identifiers and the first word tell the outcome. The identifiers themselves do not, so they are left
 * out.
 */
export function outcomeGrams(text: string): ReadonlyMap<string, number> {
  const { found, rest } = findIdentifiers(text, identifierPatterns)
  const [first = ''] = rest.toLowerCase().match(/[\p{L}’']+/u) ?? []
  return gramsOfText(rest, [
    ...found.map(({ kind }) => kind),
    `first ${first}`,
    ...(/[?？]\s*$/.test(text) ? ['question mark'] : []),
  ])
}

/** What callers of an action want, by the questions that it answers. */
export function outcomeOfAction({ questions = [], synonyms = [], summary }: Action): OutcomeShares {
  const read = [summary, ...questions, ...synonyms].map((text) => readOutcome(text))
  return sharesBy((name) => read.reduce((sum, one) => sum + one[name], 0) / read.length)
}

/** How well an action fits what is asked for, 0 to 1. */
export const fitOf = (asked: OutcomeShares, offered: OutcomeShares): number =>
  outcomes.reduce((sum, name) => sum + Math.min(asked[name], offered[name]), 0)

const sharesBy = (share: (name: Outcome, place: number) => number) => recordOf(outcomes, share)
