// Whether what a page shows as one comes out as one: tables, lists, quotations, listings, and articles to their last
// line.
//
//   npm run bench wholeness [<folders with pages.jsonl.gz> --models <folder with the models of npm run bench reading>]
//   [--held-back]
//
// Made pages put each structure at the start, in the middle and at the end of an article, in many templates, and have
// articles of up to 1,500 paragraphs; the trained model reads them. With folders, the structures inside the content of
// real pages are counted too, each page read by a model that has not seen its site. `--list` names the made pages that
// are not whole.
import { parseArgs } from 'node:util'
import { buildContent } from '../src/content/content-tree.ts'
import { writeHtml } from '../src/content/write-html.ts'
import { extractMain } from '../src/extraction/extract-main.ts'
import { loadModel, type Model } from '../src/extraction/model/model.ts'
import { readPageTree } from '../src/extraction/page-tree.ts'
import { seePage } from '../src/page/see-page.ts'
import { type LabelledPage, readPages } from '../training/pages.ts'
import { defuddleOnLinkedom, type Extractor, readabilityOnLinkedom } from './extractors.ts'
import { trainFolds } from './folds.ts'
import { type Found, findable, wholenessOf } from './wholeness/found-text.ts'
import { longArticles, type MadePage, madePages } from './wholeness/made-pages.ts'
import { structuresInside } from './wholeness/page-structures.ts'
import { reportOutcomes, type WholenessOutcome } from './wholeness/report.ts'

const seed = 20_261
/** The others take up to a sixth of a second for a page. */
const othersEvery = 6

const { values: asked, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    models: { type: 'string' },
    'held-back': { type: 'boolean' },
    list: { type: 'boolean' },
  },
})

await measureMadePages()
if (folders.length > 0) await measureRealPages()

async function measureMadePages(): Promise<void> {
  const model = loadModel()
  const structures: WholenessOutcome[] = []
  const places: WholenessOutcome[] = []
  const articles: WholenessOutcome[] = []
  let withFurniture = 0
  let pages = 0
  for (const page of [...madePages(seed), ...longArticles(seed)]) {
    const text = await readOurs(page, model)
    const found = findable(text)
    const outcome = wholenessOfPage(page, found)
    pages += 1
    if (page.furniture.some((line) => wholenessOf(line, found) === 'whole')) withFurniture += 1
    if (asked.list && outcome !== 'whole')
      console.log(
        `${outcome}: ${page.kind}, ${page.place}, ${page.template}, ${page.paragraphs.length} paragraphs`,
      )
    if (page.structure === undefined)
      articles.push({ reader: 'ours', group: `${page.paragraphs.length} paragraphs`, outcome })
    else {
      const own = wholenessOf(textOf(page.structure), found)
      structures.push({ reader: 'ours', group: page.kind, outcome: own })
      places.push({ reader: 'ours', group: page.place, outcome })
    }
  }
  reportOutcomes('Structures of made pages', structures)
  reportOutcomes('Made pages by the place of their structure', places)
  reportOutcomes('Made articles', articles)
  console.log(`\nMade pages with some of their furniture: ${withFurniture} of ${pages}`)
}

/** Its paragraphs and its structure. */
function wholenessOfPage(
  { paragraphs, structure }: MadePage,
  found: Found,
): WholenessOutcome['outcome'] {
  const parts = structure === undefined ? paragraphs : [...paragraphs, textOf(structure)]
  const outcomes = parts.map((part) => wholenessOf(part, found))
  if (outcomes.every((outcome) => outcome === 'whole')) return 'whole'
  return outcomes.every((outcome) => outcome === 'gone') ? 'gone' : 'cut'
}

async function measureRealPages(): Promise<void> {
  const measured = asked['held-back'] ? 'held back' : 'folds'
  const folds = await trainFolds(folders, measured, asked.models)
  const structures: WholenessOutcome[] = []
  const lastLines: WholenessOutcome[] = []
  let index = 0
  for await (const page of readPages(folders)) {
    const model = folds.modelFor(page.site)
    if (model === undefined || page.truth.kind !== 'content') continue
    const { content } = page.truth
    const inside = structuresInside(page.html, content)
    const last = lastLineOf(content)
    const readers: [string, () => Promise<string>][] = [['ours', () => readOurs(page, model)]]
    if (index % othersEvery === 0)
      readers.push(
        ['readability', () => readWith(readabilityOnLinkedom, page)],
        ['defuddle', () => readWith(defuddleOnLinkedom, page)],
      )
    index += 1
    for (const [reader, read] of readers) {
      const found = findable(await read().catch(() => ''))
      for (const { name, text, ownRuns } of inside)
        structures.push({ reader, group: name, outcome: wholenessOf(text, found, ownRuns) })
      if (page.type === 'article' && last !== undefined)
        lastLines.push({ reader, group: 'article', outcome: wholenessOf(last, found) })
    }
  }
  reportOutcomes('Structures inside the content of real pages', structures)
  reportOutcomes('The last line of real articles', lastLines)
}

function lastLineOf(content: string): string | undefined {
  return content
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')
}

async function readOurs(
  { html, url }: Pick<LabelledPage, 'html' | 'url'>,
  model: Model,
): Promise<string> {
  const seen = seePage(html)
  const main = extractMain(seen, url, model)
  return main === undefined ? '' : textOf(writeHtml(buildContent(seen, main).children, url))
}

async function readWith(extract: Extractor, { html, url }: LabelledPage): Promise<string> {
  return textOf((await extract(html, url || 'https://example.com/')).html)
}

/** One way from HTML to text for all. */
function textOf(html: string): string {
  return readPageTree(seePage(html))
    .blocks.map((block) => block.text)
    .join('\n')
}
