// How well and how fast main content is found: our extractor, cross-validated, beside the npm packages on the same pages.
//
//   npm run bench reading <folder with pages.jsonl.gz> [<folder that keeps the folds' models for the next run>]
//
// Five folds, disjoint by registrable domain: each page is read by a model that saw no page of its domain. The score is
// WCXB's own, the F1 of words as bags, averaged over pages. Every page counts, those included whose truth is empty.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildContent } from '../src/content/content-tree.ts'
import { writeHtml } from '../src/content/write-html.ts'
import { extractMain } from '../src/extraction/extract-main.ts'
import { type Model, readModel, writeModel } from '../src/extraction/model.ts'
import { readPageTree } from '../src/extraction/page-tree.ts'
import { seePage } from '../src/page/see-page.ts'
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
/** The others take up to a sixth of a second for a page: they read every third page, and jsdom every ninth. */
const othersEvery = 3
const jsdomEvery = 9

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

const [folder, modelsFolder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say where the data is: npm run bench reading <folder>')
const models = await trainFolds(folder)
const rows: Row[] = []
for await (const page of readPages(folder)) {
  rows.push(await measure(page, rows.length))
  if (rows.length % 100 === 0) console.error(`${rows.length} pages are read.`)
}
report()

async function trainFolds(from: string): Promise<Model[]> {
  const files = Array.from({ length: folds }, (_each, fold) =>
    modelsFolder === undefined ? undefined : path.join(modelsFolder, `fold-${fold}.json`),
  )
  const kept = files.map((file) => (file !== undefined && existsSync(file) ? file : undefined))
  const examples: Example[] = []
  if (kept.includes(undefined))
    for await (const page of readPages(from)) examples.push(exampleOf(page))
  return kept.map((keptFile, fold) => {
    if (keptFile !== undefined) return readModel(JSON.parse(readFileSync(keptFile, 'utf8')))
    const startedAt = performance.now()
    const seen = examples.filter(({ domain }) => partOf(domain, folds) !== fold)
    const written = writeModel(trainModel(seen, trainingOptions), 'A fold of a measurement')
    const file = files[fold]
    if (file !== undefined) writeFileSync(file, JSON.stringify(written))
    console.error(`Fold ${fold}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    return readModel(written)
  })
}

async function measure(page: LabelledPage, index: number): Promise<Row> {
  const results = new Map<string, Result>()
  const ours: Extractor = (html, url) => {
    const seen = seePage(html)
    const main = extractMain(seen, url, models[partOf(page.domain, folds)])
    const content = main === undefined ? [] : buildContent(seen, main).children
    return { html: writeHtml(content, url), title: main?.title ?? '' }
  }
  const extractors: [string, Extractor][] = [['ours', ours]]
  if (index % othersEvery === 0)
    extractors.push(
      ['readability + linkedom', readabilityOnLinkedom],
      ['defuddle + linkedom', defuddleOnLinkedom],
    )
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
  const text = readPageTree(seePage(extracted.html))
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
  const others = rows.filter((_row, index) => index % othersEvery === 0)
  const jsdom = rows.filter((_row, index) => index % jsdomEvery === 0)
  const names = ['ours', 'readability + linkedom', 'defuddle + linkedom']
  const types = [...new Set(rows.map(({ type }) => type))].sort()
  console.log(`| | pages | F1 | where truth is not empty | under 0.5 | ${types.join(' | ')} |`)
  console.log(`|---|---|---|---|---|${'---|'.repeat(types.length)}`)
  reportQuality('ours', rows, types)
  for (const name of names) reportQuality(name, others, types)
  reportQuality('readability + jsdom', jsdom, types)
  console.log('\n| | pages | articles, F1 of 4 words | titles | failed | CPU ms a page |')
  console.log('|---|---|---|---|---|---|')
  reportSpeed('ours', rows)
  for (const name of names) reportSpeed(name, others)
  reportSpeed('ours', jsdom)
  reportSpeed('readability + jsdom', jsdom)
  const ms = (name: string) => mean(jsdom, name, ({ cpuMs }) => cpuMs)
  console.log(
    `\nOn the same pages ours takes 1/${(ms('readability + jsdom') / ms('ours')).toFixed(1)} of the CPU of readability + jsdom, and 1/${(ms('readability + linkedom') / ms('ours')).toFixed(1)} of readability + linkedom.`,
  )
}

function reportQuality(name: string, some: readonly Row[], types: readonly string[]): void {
  const f1 = (of: readonly Row[]) => mean(of, name, (result) => result.f1).toFixed(3)
  const low = mean(some, name, (result) => (result.f1 < 0.5 ? 100 : 0)).toFixed(1)
  const full = some.filter(({ hasTruth }) => hasTruth)
  const lowFull = mean(full, name, (result) => (result.f1 < 0.5 ? 100 : 0)).toFixed(1)
  const byType = types.map((type) => f1(some.filter((row) => row.type === type)))
  console.log(
    `| ${name} | ${some.length} | ${f1(some)} | ${f1(full)} | ${low} %, ${lowFull} % | ${byType.join(' | ')} |`,
  )
}

function reportSpeed(name: string, some: readonly Row[]): void {
  const articles = some.filter(({ type }) => type === 'article')
  const failed = some.filter(({ results }) => results.get(name)?.failed).length
  const shingles = mean(articles, name, ({ shingleF1 }) => shingleF1).toFixed(3)
  const titles = mean(some, name, ({ titleFound }) => (titleFound ? 100 : 0)).toFixed(0)
  const ms = mean(some, name, ({ cpuMs }) => cpuMs).toFixed(1)
  console.log(`| ${name} | ${some.length} | ${shingles} | ${titles} % | ${failed} | ${ms} |`)
}

function mean(some: readonly Row[], name: string, of: (result: Result) => number): number {
  const sum = some.reduce((all, { results }) => all + of(results.get(name) as Result), 0)
  return sum / Math.max(1, some.length)
}
