// How well and how fast main content is found: our extractor, cross-validated, beside the npm packages on the same pages.
//
//   npm run bench reading <folder with pages.jsonl.gz>
//
// Five folds, disjoint by registrable domain: each page is read by a model that saw no page of its domain. The score is
// WCXB's own, the F1 of words as bags, averaged over pages. Every page counts, those included whose truth is empty.
import { extractMain } from '../src/features/reading/extraction/extract-main.ts'
import type { Model } from '../src/features/reading/extraction/model.ts'
import { readPageTree } from '../src/features/reading/extraction/page-tree.ts'
import { type Example, exampleOf } from '../training/examples.ts'
import { type LabelledPage, readPages } from '../training/pages.ts'
import { partOf, trainingOptions, trainModel } from '../training/train-model.ts'
import {
  defuddleOnLinkedom,
  type Extractor,
  readabilityOnJsdom,
  readabilityOnLinkedom,
} from './extractors.ts'
import { shingleScore, wordScore, wordsOf } from './word-f1.ts'

const folds = 5
/** jsdom takes a sixth of a second for a page; every fourth page is enough to compare. */
const jsdomEvery = 4

interface Row {
  readonly type: string
  readonly hasTruth: boolean
  readonly results: Map<string, Result>
}

interface Result {
  readonly f1: number
  readonly shingleF1: number
  readonly titleFound: boolean
  readonly cpuMs: number
  readonly failed: boolean
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say where the data is: npm run bench reading <folder>')
const models = await trainFolds(folder)
const rows: Row[] = []
for await (const page of readPages(folder)) {
  rows.push(await measure(page, rows.length))
  if (rows.length % 100 === 0) console.error(`${rows.length} pages are read.`)
}
report()

async function trainFolds(from: string): Promise<Model[]> {
  const examples: Example[] = []
  for await (const page of readPages(from)) examples.push(exampleOf(page))
  return Array.from({ length: folds }, (_each, fold) => {
    const startedAt = performance.now()
    const seen = examples.filter(({ domain }) => partOf(domain, folds) !== fold)
    const model = trainModel(seen, trainingOptions)
    console.error(`Fold ${fold}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    return model
  })
}

async function measure(page: LabelledPage, index: number): Promise<Row> {
  const results = new Map<string, Result>()
  const ours: Extractor = (html, url) => {
    const main = extractMain(html, url, models[partOf(page.domain, folds)])
    return { html: main?.html ?? '', title: main?.title ?? '' }
  }
  const extractors: [string, Extractor][] = [
    ['ours', ours],
    ['readability + linkedom', readabilityOnLinkedom],
    ['defuddle + linkedom', defuddleOnLinkedom],
  ]
  if (index % jsdomEvery === 0) extractors.push(['readability + jsdom', readabilityOnJsdom])
  for (const [name, extract] of extractors) results.set(name, await measureOne(page, extract))
  return { type: page.type, hasTruth: wordsOf(page.truth).length > 0, results }
}

async function measureOne(page: LabelledPage, extract: Extractor): Promise<Result> {
  const before = process.cpuUsage()
  let extracted = { html: '', title: '' }
  let failed = false
  try {
    extracted = await extract(page.html, page.url || 'https://example.com/')
  } catch {
    failed = true
  }
  const { user, system } = process.cpuUsage(before)
  // One way from HTML to words for all, so that words of neighbouring elements never run together.
  const text = readPageTree(extracted.html)
    .blocks.map((block) => block.text)
    .join('\n')
  return {
    f1: wordScore(text, page.truth).f1,
    shingleF1: shingleScore(text, page.truth).f1,
    titleFound: wordsOf(extracted.title).join(' ') === wordsOf(page.title).join(' '),
    cpuMs: (user + system) / 1_000,
    failed,
  }
}

function report(): void {
  const names = [...new Set(rows.flatMap(({ results }) => [...results.keys()]))]
  const types = [...new Set(rows.map(({ type }) => type))].sort()
  console.log(`| | pages | F1 | F1 where truth is not empty | under 0.5 | ${types.join(' | ')} |`)
  console.log(`|---|---|---|---|---|${'---|'.repeat(types.length)}`)
  for (const name of names) {
    const mine = rows.filter(({ results }) => results.has(name))
    const f1 = (some: readonly Row[]) => mean(some, name, ({ f1 }) => f1).toFixed(3)
    const low = mean(mine, name, ({ f1 }) => (f1 < 0.5 ? 100 : 0)).toFixed(1)
    const byType = types.map((type) => f1(mine.filter((row) => row.type === type)))
    console.log(
      `| ${name} | ${mine.length} | ${f1(mine)} | ${f1(mine.filter(({ hasTruth }) => hasTruth))} | ${low} % | ${byType.join(' | ')} |`,
    )
  }
  console.log(
    '\n| | articles, F1 of 4 words | titles | failed | CPU ms a page | same pages, jsdom = 1 |',
  )
  console.log('|---|---|---|---|---|---|')
  const both = rows.filter(({ results }) => results.has('readability + jsdom'))
  const jsdomMs = mean(both, 'readability + jsdom', ({ cpuMs }) => cpuMs)
  for (const name of names) {
    const mine = rows.filter(({ results }) => results.has(name))
    const articles = mine.filter(({ type }) => type === 'article')
    const failed = mine.filter(({ results }) => results.get(name)?.failed).length
    console.log(
      `| ${name} | ${mean(articles, name, ({ shingleF1 }) => shingleF1).toFixed(3)} | ${mean(mine, name, ({ titleFound }) => (titleFound ? 100 : 0)).toFixed(0)} % | ${failed} | ${mean(mine, name, ({ cpuMs }) => cpuMs).toFixed(1)} | 1/${(jsdomMs / mean(both, name, ({ cpuMs }) => cpuMs)).toFixed(1)} |`,
    )
  }
}

function mean(some: readonly Row[], name: string, of: (result: Result) => number): number {
  const sum = some.reduce((all, { results }) => all + of(results.get(name) as Result), 0)
  return sum / Math.max(1, some.length)
}
