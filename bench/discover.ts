// Measures how often discover names the right action, beside plain BM25 over the same texts. `npm run bench discover`
// ranks the questions of independent.tsv, each with weights that were learned without it (4 folds). `npm run bench
// discover FILE` ranks those of a file, `style<TAB>question<TAB>actions with commas or none`, with the weights of the
// repository. --misses lists the failed questions.
import { createHash } from 'node:crypto'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import { createLexicalIndex } from '#features/knowledge/discover/lexical.ts'
import { createRanker, type Ranker } from '#features/knowledge/discover/rank.ts'
import { fieldNames, readTexts } from '#features/knowledge/discover/texts.ts'
import { loadWeights, type WeightsFile } from '#features/knowledge/discover/weights.ts'
import { termsOf } from '#features/knowledge/discover/words.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'
import {
  createExamples,
  independentFile,
  type LabelledQuestion,
  ownFile,
  readQuestions,
} from '../training/discover-examples.ts'
import { trainRanker } from '../training/ranker.ts'
import { printTable } from './lib/print-table.ts'

interface Hit {
  readonly id: string
  readonly alternatives: readonly string[]
  readonly weak: boolean
}
interface Answer {
  readonly asked: LabelledQuestion
  readonly hits: readonly Hit[]
  readonly tookMs: number
}
type Ask = (question: string) => Promise<readonly Hit[]>

const folds = 4
const hitsMax = 5
const weakBelow = 0.5
const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const { catalog, close } = openWholeCatalog()
const { entries } = catalog
const ids = new Set(entries.map(({ id }) => id))
const encoder = loadEncoder()
const all = readQuestions(file ?? independentFile)
const questions = all.filter(
  ({ labels }) => labels.length === 0 || labels.some((id) => ids.has(id)),
)
console.log(
  `${questions.length} questions; ${all.length - questions.length} more ask for actions that are not in this catalog.`,
)

const variants: readonly (readonly [string, readonly Answer[]])[] = [
  ['Words, pieces and meanings', await answerWith(true)],
  ['Words and pieces', await answerWith(false)],
  ['plain BM25', await answerAll(questions, await plainBm25())],
]
report(variants)
await close()

async function answerWith(withModel: boolean): Promise<readonly Answer[]> {
  const open = (weights: WeightsFile) =>
    createRanker({ entries, ownNamespace, weights, ...(withModel && { encoder }) })
  if (file !== undefined) return answerAll(questions, askOf(await open(loadWeights())))
  const learnable = [...questions, ...readQuestions(ownFile)]
  const examples = await createExamples(entries, learnable, encoder)
  const answers: Answer[] = []
  for (let fold = 0; fold < folds; fold += 1) {
    const learned = trainRanker(
      examples.filter(({ asked }) => foldOf(asked) !== fold),
      { withModel },
    )
    const ranker = await open({ withModel: learned, withoutModel: learned })
    const asked = questions.filter((question) => foldOf(question) === fold)
    answers.push(...(await answerAll(asked, askOf(ranker))))
  }
  return answers
}

function foldOf({ question }: LabelledQuestion): number {
  const [first = 0] = createHash('sha256').update(question).digest()
  return first % folds
}

function askOf(ranker: Ranker): Ask {
  return async (question) =>
    (await ranker.rank(question, hitsMax)).map((hit) => ({
      id: hit.entry.id,
      alternatives: hit.alternatives.map(({ id }) => id),
      weak: hit.confidence * hit.closeness < weakBelow,
    }))
}

async function answerAll(asked: readonly LabelledQuestion[], ask: Ask): Promise<Answer[]> {
  // The first question builds the index.
  await ask('warm up')
  const answers: Answer[] = []
  for (const one of asked) {
    const startedAt = performance.now()
    const hits = await ask(one.question)
    answers.push({ asked: one, hits, tookMs: performance.now() - startedAt })
  }
  return answers
}

/** All texts of an action as one document, without anything learned, such as weights and thresholds. */
async function plainBm25(): Promise<Ask> {
  const index = await createLexicalIndex(readTexts(entries, ownNamespace))
  const lengths = index.lengths.map((fields) => fields.reduce((sum, length) => sum + length, 0))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const [saturation, lengthNorm] = [1.2, 0.75]
  return async (question) => {
    const scores = new Map<number, number>()
    for (const term of new Set(termsOf(question).map(({ text }) => text))) {
      for (const { document, counts } of index.postings(term)) {
        const count = fieldNames.reduce((sum, _, field) => sum + (counts[field] ?? 0), 0)
        const norm = saturation * (1 - lengthNorm + (lengthNorm * (lengths[document] ?? 0)) / mean)
        const gain = (index.rarity(term) * count * (saturation + 1)) / (count + norm)
        scores.set(document, (scores.get(document) ?? 0) + gain)
      }
    }
    return [...scores]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, hitsMax)
      .map(([document]) => ({ id: index.ids[document] ?? '', alternatives: [], weak: false }))
  }
}

/** The place of the first right answer, counted from 1; infinite if there is none. */
function rankOf({ asked, hits }: Answer, withAlternatives = false): number {
  const isRight = (id: string) => asked.labels.includes(id)
  const place = hits.findIndex(
    ({ id, alternatives }) => isRight(id) || (withAlternatives && alternatives.some(isRight)),
  )
  return place === -1 ? Number.POSITIVE_INFINITY : place + 1
}

function report(measured: typeof variants) {
  for (const [name, answers] of measured) {
    const styles = [...new Set(answers.map(({ asked }) => asked.style))].sort()
    const answered = answers.filter(({ asked }) => asked.labels.length > 0)
    const rows = [
      row('all', answered),
      ...styles.map((style) =>
        row(
          style,
          answered.filter(({ asked }) => asked.style === style),
        ),
      ),
    ].filter(([, count]) => Number(count) > 0)
    const head = [
      'style',
      'questions',
      'hit@1',
      'hit@5',
      'with alternatives',
      'MRR',
      'no hit',
      'only weak hits',
    ]
    console.log(`\n## ${name}\n`)
    printTable(head, rows)
    const off = answers.filter(({ asked }) => asked.labels.length === 0)
    console.log(
      `\nOf ${off.length} questions that no action answers: ${share(off, ({ hits }) => hits.length === 0)} had no hit, ${share(off, ({ hits }) => hits.some(({ weak }) => !weak))} had a hit that is not weak.`,
    )
    const sure = answered.flatMap(({ asked, hits }) =>
      hits.filter(({ weak }) => !weak).map(({ id }) => asked.labels.includes(id)),
    )
    console.log(
      `Of ${sure.length} hits that are not weak, ${share(sure, (isRight) => isRight)} are right.`,
    )
    const times = answers.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other)
    const percentile = (part: number) =>
      (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(2)
    console.log(`Latency: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms.`)
    if (process.argv.includes('--misses')) showMisses(answers)
  }
}

function row(name: string, among: readonly Answer[]): readonly (string | number)[] {
  const reciprocal = among.reduce((sum, answer) => sum + 1 / rankOf(answer), 0)
  return [
    name,
    among.length,
    share(among, (answer) => rankOf(answer) === 1),
    share(among, (answer) => rankOf(answer) <= hitsMax),
    share(among, (answer) => rankOf(answer, true) <= hitsMax),
    (reciprocal / Math.max(among.length, 1)).toFixed(3),
    share(among, ({ hits }) => hits.length === 0),
    share(among, ({ hits }) => hits.length > 0 && hits.every(({ weak }) => weak)),
  ]
}

function share<Value>(among: readonly Value[], is: (value: Value) => boolean): string {
  return among.length === 0 ? '' : (among.filter(is).length / among.length).toFixed(3)
}

function showMisses(answers: readonly Answer[]) {
  for (const answer of answers) {
    const { asked, hits } = answer
    const isWrong = asked.labels.length === 0 ? hits.some(({ weak }) => !weak) : rankOf(answer) > 1
    if (!isWrong) continue
    const named = hits.map(({ id, weak }) => (weak ? `(${id})` : id)).join(' ')
    console.log(
      `- ${asked.question} -> ${named || 'nothing'} [${asked.labels.join(' ') || 'none'}]`,
    )
  }
}
