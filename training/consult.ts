// Learns what kind of outcome a text asks for, and whether it names what it is about, from labelled intents and the
// phrases of discover.
import { readFileSync } from 'node:fs'
import type { LinearModel } from '../src/core/classifier/linear.ts'
import { phrasesFile, readTable, unservedFile } from '../src/features/knowledge/discover/texts.ts'
import {
  type Naming,
  namingGrams,
  namings,
} from '../src/features/knowledge/plans/consult/naming.ts'
import {
  type Outcome,
  outcomeGrams,
  outcomes,
} from '../src/features/knowledge/plans/consult/outcomes.ts'
import { trainLinearModel } from './linear-model.ts'

/** Lines of an outcome and an intent. */
const intentsFile = new URL('./consult/intents.tsv', import.meta.url)
/** Lines of `named` or `unnamed` and an intent. */
const namingFile = new URL('./consult/naming.tsv', import.meta.url)

/** What the actions of a service, or one action, give. Those of all other services tell the caller something. */
const outcomeByAction: readonly (readonly [actions: RegExp, outcome: Outcome])[] = [
  [/^(?:ns_fax|ns_newsletter)\/|^ns_(?:market\/run|print\/order|postcard\/send)$/, 'act'],
  [/\/purchase$|^ns_mail\/(?:send|reply)$/, 'act'],
  [/^(?:ns_media|ns_assembler|ns_llm_\w|ns_router|performance|lead)\//, 'make'],
  [/^(?:files|sess_\w|ns_sandbox|ns_browser|ns_repo|ns_mail)\//, 'keep'],
  [/^own\/(?:cancel|batch|run-plan|\w+-index(?:es)?|index-site)$/, 'keep'],
  [/^ns_captcha\//, 'keep'],
  [/\/(?:results?|\w+[_-]status|job-control)$/, 'keep'],
]

/** Topics that no action serves, whose phrases ask for something to happen elsewhere. */
const actTopics: ReadonlySet<string> = new Set([
  ...['accounts', 'communication', 'money', 'purchases', 'social publishing', 'travel'],
  'work on my things',
])

/** An intent counts more than a phrase, which is shorter and of which there are ten times as many. */
const weights = { intent: 3, phrase: 0.5 } as const

export interface LabelledIntent {
  readonly text: string
  readonly outcome: Outcome
  readonly weight: number
}

export const readIntents = (): LabelledIntent[] => [
  ...readPhrases(
    phrasesFile,
    (id) => outcomeByAction.find(([ids]) => ids.test(id))?.[1] ?? 'learn',
  ),
  ...readPhrases(unservedFile, (topic) => (actTopics.has(topic) ? 'act' : undefined)),
  ...readLines(intentsFile, outcomes).map(([outcome, text]) => ({
    text,
    outcome,
    weight: weights.intent,
  })),
]

const readPhrases = (
  file: URL,
  outcomeOf: (heading: string) => Outcome | undefined,
): LabelledIntent[] =>
  [...readTable(file)].flatMap(([heading, phrases]) => {
    const outcome = outcomeOf(heading)
    return outcome === undefined
      ? []
      : phrases.map((text) => ({ text, outcome, weight: weights.phrase }))
  })

function readLines<Label extends string>(
  file: URL,
  labels: readonly Label[],
): readonly (readonly [Label, string])[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', text = ''] = line.split('\t')
      const label = labels.find((each) => each === name)
      if (label === undefined || text === '')
        throw new Error(`A line is not one of ${labels.join(', ')}, a tab and an intent: ${line}`)
      return [label, text] as const
    })
}

export const trainOutcomes = (intents: readonly LabelledIntent[]): LinearModel =>
  trainLinearModel(
    intents.map(({ text, outcome, weight }) => ({
      grams: outcomeGrams(text),
      label: outcomes.indexOf(outcome),
      weight,
    })),
    outcomes.length,
  )

export const readNamed = (): readonly (readonly [Naming, string])[] =>
  readLines(namingFile, namings)

export const trainNaming = (lines: readonly (readonly [Naming, string])[]): LinearModel =>
  trainLinearModel(
    lines.map(([naming, text]) => ({
      grams: namingGrams(text),
      label: namings.indexOf(naming),
    })),
    namings.length,
  )
