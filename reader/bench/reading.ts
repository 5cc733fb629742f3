// How well and how fast main content is found: our extractor, cross-validated, beside the npm packages on the same
// pages.
//
//   npm run bench reading <folders with pages.jsonl.gz> [--models <folder that keeps models for the next run>]
//   [--held-back]
//
// Pages whose content is known are scored as WCXB does, by the F1 of words as bags, averaged over pages; pages with
// snippets as trafilatura does. `--held-back` reads the sites that no choice was made on: look at them once. CPU is
// measured afterwards, reader by reader: each pays for its own garbage, and not for that of the one before.
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
import { type Result, type Row, reportQuality, reportSpeed, type Speed } from './report.ts'
import { isTitle, scoreOf } from './scores.ts'

/**
 * The others take up to a sixth of a second for a page: they read every sixth page, and jsdom every twelfth. CPU is
 * measured on these.
 */
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
const timedPages: LabelledPage[] = []
for await (const page of readPages(folders)) {
  const index = rows.length
  const row = await measurePage(page, index)
  if (row === undefined) continue
  rows.push(row)
  if (index % jsdomEvery === 0) timedPages.push(page)
}
reportQuality(rows, [
  'ours',
  'readability + linkedom',
  'defuddle + linkedom',
  'readability + jsdom',
])
const timed: readonly (readonly [string, Extractor])[] = [
  ['a whole call of ours', readWhole],
  ['readability + linkedom', readabilityOnLinkedom],
  ['defuddle + linkedom', defuddleOnLinkedom],
  ['readability + jsdom', readabilityOnJsdom],
]
const speeds: Speed[] = []
for (const [name, extract] of timed) speeds.push({ name, ...(await measureSpeed(extract)) })
reportSpeed(speeds, timedPages.length)

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
  if (index % jsdomEvery === 0) extractors.push(['readability + jsdom', readabilityOnJsdom])
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
  let extracted = { html: '', title: '' }
  try {
    extracted = await extract(page.html, addressOf(page))
  } catch {
    // It has found nothing.
  }
  // One way from HTML to words for all, so that words of neighbouring elements never run together.
  const text = readPageTree(seePage(extracted.html))
    .blocks.map((block) => block.text)
    .join('\n')
  return { score: scoreOf(text, page), titleFound: isTitle(extracted.title, page) }
}

/** Over all timed pages, twice: the first round, in which code is compiled, does not count. */
async function measureSpeed(extract: Extractor): Promise<Omit<Speed, 'name'>> {
  let cpuMs = 0
  let failed = 0
  for (let round = 0; round < 2; round += 1) {
    const before = process.cpuUsage()
    failed = 0
    for (const page of timedPages)
      try {
        await extract(page.html, addressOf(page))
      } catch {
        failed += 1
      }
    const { user, system } = process.cpuUsage(before)
    cpuMs = (user + system) / 1_000 / Math.max(1, timedPages.length)
  }
  return { cpuMs, failed }
}

function addressOf({ url }: LabelledPage): string {
  return url || 'https://example.com/'
}

function languageOf(html: string): string {
  return (/<html[^>]*\slang\s*=\s*["']?([a-z]{2})/i.exec(html)?.[1] ?? '').toLowerCase()
}
