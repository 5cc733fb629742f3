// Intents with their right answers: consult remembers them, learns its choice from them, and is measured by them.
import { readFileSync } from 'node:fs'
import type { Catalog } from '#core/catalog.ts'
import { inTurns } from '#platform/in-turns.ts'
import { createLimitCheck } from './limits.ts'
import type { IntentLabel, LabelledIntent } from './memory.ts'

export interface JudgedIntent {
  readonly intent: string
  readonly mode: string
  /** `service/action` of each right first call. */
  readonly accepted: readonly string[]
  readonly budgetCents?: number | undefined
}

const intentsPerTurn = 25
const folder = new URL('./intents/', import.meta.url)
/** By authors who had not seen how consult works. */
const independentFiles = Array.from({ length: 15 }, (_, at) => `author-${at + 1}.jsonl`)
/** By the author of consult. */
export const ownName = 'own.tsv'
export const ownFile = new URL(ownName, folder)

export interface IntentAuthor {
  readonly name: string
  readonly intents: readonly JudgedIntent[]
}

export const readAuthors = (ownNamespace: string): readonly IntentAuthor[] =>
  [...independentFiles, ownName].map((name) => ({
    name,
    intents: readJudged(new URL(name, folder), ownNamespace),
  }))

/** JSON lines, or lines `mode<TAB>intent<TAB>accepted actions with commas`. `own/` is the gateway's namespace. */
export function readJudged(file: string | URL, ownNamespace: string): readonly JudgedIntent[] {
  const named = (accepted: readonly string[]) =>
    accepted.map((id) => id.replace(/^own\//, `${ownNamespace}/`))
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line) => {
    if (!line.startsWith('{')) {
      const [mode = '', intent = '', accepted = ''] = line.split('\t')
      return { mode, intent, accepted: named(accepted.split(',').filter((id) => id !== '')) }
    }
    const { mode, intent, accepted_first: accepted, budget_cents: budgetCents } = JSON.parse(line)
    return { mode, intent, accepted: named(accepted), budgetCents }
  })
}

/**
 * What is remembered of them. An intent that is declined for an amount says nothing about one with a smaller amount.
 */
export async function memoriesOf(
  intents: readonly JudgedIntent[],
  { entries }: Catalog,
): Promise<readonly LabelledIntent[]> {
  const remembered: LabelledIntent[] = []
  await inTurns(intents, intentsPerTurn, ({ intent, mode, accepted }) => {
    const isForAmount =
      mode === 'unsupported' &&
      entries.map(createLimitCheck(intent)).some((reason) => reason !== undefined)
    if (isForAmount) return
    remembered.push({ intent, labels: (mode === 'call' ? accepted : [mode]) as IntentLabel[] })
  })
  return remembered
}
