// What the weights of the choice were learned from, in hashes. Making all examples takes minutes of the processor. With
// the record, a test makes some of them and sees whether the others would differ.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { choiceFeatures } from '#features/knowledge/plans/consult/choice.ts'
import type { JudgedIntent } from '#features/knowledge/plans/consult/intents.ts'
import type { ChoiceExample } from './consult-choice.ts'

export const choiceRecordFile = new URL('./choice-record.tsv', import.meta.url)

/** Hashes of an intent with its label, and of the options that consult has for it. */
interface RecordedExample {
  readonly asked: string
  readonly options: string
}

export interface ChoiceRecord {
  /** Of the file of weights. */
  readonly weights: string
  readonly examples: readonly RecordedExample[]
}

export const recordChoice = (
  examples: readonly ChoiceExample[],
  weights: string,
): ChoiceRecord => ({
  weights: hashOf(weights),
  examples: examples.map((example) => ({
    asked: hashAsked(example.asked),
    options: hashOptions(example),
  })),
})

/** A line with the hash of the weights, then a line for each intent. */
export const writeRecord = ({ weights, examples }: ChoiceRecord): string =>
  [weights, ...examples.map(({ asked, options }) => `${asked}\t${options}`), ''].join('\n')

export function readRecord(): ChoiceRecord {
  const [weights = '', ...lines] = readFileSync(choiceRecordFile, 'utf8').trimEnd().split('\n')
  return {
    weights,
    examples: lines.map((line) => {
      const [asked = '', options = ''] = line.split('\t')
      return { asked, options }
    }),
  }
}

const hashCharacters = 12

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, hashCharacters)

export const hashAsked = ({ intent, mode, accepted, budgetCents }: JudgedIntent): string =>
  hashOf(JSON.stringify([intent, mode, accepted, budgetCents ?? null]))

/** Processors may differ in the last digits. */
const digits = 6

const hashOptions = ({ options, right }: ChoiceExample): string =>
  hashOf(
    JSON.stringify([
      options.map(({ row }) => choiceFeatures.map((name) => (row[name] ?? 0).toFixed(digits))),
      [...right],
    ]),
  )
