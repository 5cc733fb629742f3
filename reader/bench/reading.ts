// How well and how fast main content is found: our extractor, cross-validated, beside the npm packages on the same pages.
//
//   npm run bench reading <folders with pages.jsonl.gz> [--models <folder that keeps models for the next run>] [--held-back]
//
// Pages whose content is known are scored as WCXB does, by the F1 of words as bags, averaged over pages; pages with snippets
// as trafilatura does. `--held-back` reads the sites that no choice was made on: look at them once.
import { parseArgs } from 'node:util'
import { buildContent } from '../src/content/content-tree.ts'
import { writeHtml } from '../src/content/write-html.ts'
import { extractMain } from '../src/extraction/extract-main.ts'
import { readPageTree } from '../src/extraction/page-tree.ts'
import { seePage } from '../src/page/see-page.ts'
import { readBody } from '../src/read-body.ts'
import { type LabelledPage, readPages } from '../training/pages.ts'
import {
  defuddleOnLinkedom,
  type Extracted,
  type Extractor,
  readabilityOnJsdom,
  readabilityOnLinkedom,
} from './extractors.ts'
import { trainFolds } from './folds.ts'
import { type Result, type Row, reportQuality, reportSpeed } from './report.ts'
import { isTitle, scoreOf } from './scores.ts'

/** The others take up to a sixth of a second for a page: they read every sixth page, and jsdom every twelfth. */
const othersEvery = 6
const jsdomEvery = 12

const { values: asked, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { models: { type: 'string' }, 'held-back': { type: 'boolean' } },
})
if (folders.length === 0)
  throw new Error('Say where the data is: npm run bench reading <folders with pages.jsonl.gz>')
const folds = await trainFolds(folders, asked['held-back'] ? 'held back' : 'folds', asked.models)
const rows: Row[] = []
for await (const page of readPages(folders)) {
  const row = await measurePage(page, rows.length)
  if (row !== undefined) rows.push(row)
}
reportQuality(rows, [
  'ours',
  'readability + linkedom',
  'defuddle + linkedom',
  'readability + jsdom',
])
reportSpeed(rows, [
  'a whole call of ours',
  'readability + linkedom',
  'defuddle + linkedom',
  'readability + jsdom',
])

async function measurePage(page: LabelledPage, index: number): Promise<Row | undefined> {
  const model = folds.modelFor(page.site)
  if (model === undefined) return undefined
  const results = new Map<string, Result>()
  const ours: Extractor = (html, url) => {
    const seen = seePage(html)
    const main = extractMain(seen, url, model)
    const content = main === undefined ? [] : buildContent(seen, main).children
    return { html: writeHtml(content, url), title: main?.title ?? '' }
  }
  const extractors: [string, Extractor][] = [['ours', ours]]
  if (index % othersEvery === 0)
    extractors.push(
      ['readability + linkedom', readabilityOnLinkedom],
      ['defuddle + linkedom', defuddleOnLinkedom],
    )
  if (index % jsdomEvery === 0)
    extractors.push(
      ['readability + jsdom', readabilityOnJsdom],
      ['a whole call of ours', readWhole],
    )
  for (const [name, extract] of extractors) results.set(name, await measureOne(page, extract))
  return { type: page.type, language: languageOf(page.html), results }
}

/** The survey for the verdict, main content and its Markdown. */
function readWhole(html: string, url: string): Extracted {
  const page = { kind: 'html', body: html, finalUrl: url } as const
  readBody(page, { format: 'markdown', mainContent: true })
  return { html: '', title: '' }
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
    score: scoreOf(text, page),
    titleFound: isTitle(extracted.title, page),
    cpuMs: (user + system) / 1_000,
    failed,
  }
}

function languageOf(html: string): string {
  return (/<html[^>]*\slang\s*=\s*["']?([a-z]{2})/i.exec(html)?.[1] ?? '').toLowerCase()
}
