// Whether a text names what it is about, or points at something that only the caller knows: `is my flight late?`. By
// the linear model of `npm run train:consult`.
import { readFileSync } from 'node:fs'
import { gramsOfText } from '#core/classifier/grams.ts'
import {
  classShares,
  type LinearModel,
  parseLinearModel,
  writeLinearModel,
} from '#core/classifier/linear.ts'
import { findIdentifiers, identifierPatterns } from '#core/identifier.ts'
import { readSlots, type SlotKind } from './slots.ts'

export const namings = ['named', 'unnamed'] as const
export type Naming = (typeof namings)[number]

export const namingFile = new URL('../../../../../models/consult/naming.tsv', import.meta.url)

let loaded: LinearModel | undefined

function getModel(): LinearModel {
  const table = () => readFileSync(namingFile, 'utf8')
  loaded ??= parseLinearModel(table(), namings, 'npm run train:consult')
  return loaded
}

export const writeNaming = (model: LinearModel): string => writeLinearModel(model, namings)

/** How likely it is that a text does not name what it is about, 0 to 1. */
export function readUnnamed(text: string, model: LinearModel = getModel()): number {
  const [, unnamed = 0] = classShares(namingGrams(text), model, namings.length)
  return unnamed
}

/** Kinds of values that are read from capitals alone, and what is left of the text. */
export const looseKinds: ReadonlySet<SlotKind> = new Set([
  ...(['subject', 'company', 'airport', 'date', 'days'] as const),
])

/** What is named matters by its kind alone. */
export function namingGrams(text: string): ReadonlyMap<string, number> {
  const { rest } = findIdentifiers(text, identifierPatterns)
  const kinds = [...readSlots(text).keys()].filter((kind) => !looseKinds.has(kind))
  return gramsOfText(rest, kinds.length > 0 ? [...kinds, 'a name'] : ['no name'])
}
