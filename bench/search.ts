// Measures how questions are routed to facets, and how lists of evidence are merged. `npm run bench search` asks the
// questions of training/search, each with weights that were learned without it (4 folds). `npm run bench search FOLDER`
// asks those of the folder's facets-heldout.jsonl with the weights of the repository, and merges the lists of its
// fusion.jsonl; bench/search is such a folder. --misses lists the questions with a wrong first facet.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { LinearModel } from '#core/classifier/linear.ts'
import { type SelectableFacet, selectableFacets } from '#features/knowledge/search/facets.ts'
import { getModel } from '#features/knowledge/search/routing/model.ts'
import { type Routing, route } from '#features/knowledge/search/routing/route.ts'
import {
  type FacetQuestion,
  readJsonLines,
  readQuestions,
  trainRouter,
} from '../training/search-router.ts'
import { compareFusion, type RecordedQuestion } from './lib/fused-lists.ts'
import { printTable } from './lib/print-table.ts'

interface Answer {
  readonly asked: FacetQuestion
  readonly routing: Routing
  readonly tookMs: number
}

const folds = 4
/** The questions do not depend on the day. */
const now = Date.UTC(2026, 10, 18)
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'))

if (folder === undefined) reportRouting(crossValidate(readQuestions()))
else {
  reportRouting(answerAll(readJsonLines(path.join(folder, 'facets-heldout.jsonl')), getModel()))
  reportFusion(path.join(folder, 'fusion.jsonl'))
}

function crossValidate(questions: readonly FacetQuestion[]): Answer[] {
  return Array.from({ length: folds }).flatMap((_, fold) => {
    const isAsked = (_question: FacetQuestion, at: number) => at % folds === fold
    const model = trainRouter(questions.filter((question, at) => !isAsked(question, at)))
    return answerAll(questions.filter(isAsked), model)
  })
}

function answerAll(questions: readonly FacetQuestion[], model: LinearModel): Answer[] {
  // The first questions run before the code is compiled.
  for (const { question } of questions) route(question, now, model)
  return questions.map((asked) => {
    const startedAt = performance.now()
    const routing = route(asked.question, now, model)
    return { asked, routing, tookMs: performance.now() - startedAt }
  })
}

function reportRouting(answers: readonly Answer[]) {
  const rows = selectableFacets.map((facet) => [facet, f1(answers, facet).toFixed(3)])
  const macro = selectableFacets.reduce((sum, facet) => sum + f1(answers, facet), 0) / rows.length
  const firstOf = ({ routing }: Answer) => routing.facets[0]?.facet
  const times = answers.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other)
  const percentile = (part: number) =>
    (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(3)
  console.log(`\n## Routing, ${answers.length} questions\n`)
  console.log(`Macro-F1: ${macro.toFixed(3)}`)
  console.log(`First facet right: ${share(answers, (each) => firstOf(each) === each.asked.facet)}`)
  console.log(
    `First facet right or acceptable: ${share(answers, (each) => [each.asked.facet, ...each.asked.acceptable].some((facet) => facet === firstOf(each)))}`,
  )
  console.log(
    `Right facet among those chosen: ${share(answers, ({ asked, routing }) => routing.facets.some(({ facet }) => facet === asked.facet))}`,
  )
  const facetCount = answers.reduce((sum, { routing }) => sum + routing.facets.length, 0)
  console.log(`Facets per question: ${(facetCount / answers.length).toFixed(2)}`)
  console.log(`Latency: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms.\n`)
  printTable(['facet', 'F1'], rows)
  if (process.argv.includes('--misses')) showMisses(answers)
}

function f1(answers: readonly Answer[], facet: SelectableFacet): number {
  const first = answers.filter(({ routing }) => routing.facets[0]?.facet === facet)
  const right = first.filter(({ asked }) => asked.facet === facet).length
  const wanted = answers.filter(({ asked }) => asked.facet === facet).length
  return (2 * right) / Math.max(first.length + wanted, 1)
}

function share(answers: readonly Answer[], is: (answer: Answer) => boolean): string {
  return (answers.filter(is).length / answers.length).toFixed(3)
}

function showMisses(answers: readonly Answer[]) {
  for (const { asked, routing } of answers) {
    if (routing.facets[0]?.facet === asked.facet) continue
    const chosen = routing.facets.map(
      ({ facet, confidence }) => `${facet} ${confidence.toFixed(2)}`,
    )
    console.log(`- ${asked.question} -> ${chosen.join(', ')} [${asked.facet}]`)
  }
}

function reportFusion(file: string) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const figures = compareFusion(lines.map((line) => JSON.parse(line) as RecordedQuestion))
  console.log(`\n## Fusion, ${lines.length} questions\n`)
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`)
}
