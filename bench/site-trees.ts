// Measures the search of site indexes on whole trees of documentation, link lists included, beside SQLite FTS5 and
// MiniSearch over the same pages. The question is the line that describes a page (lib/site-trees.ts), once as it is
// written and once with an error in its longest word. The manuals are fetched with apt and kept in the folder of
// --manuals. --misses lists the questions whose page is not first.
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { passagesOfHtml } from '@tollway/reader'
import { createIndexRows, newIndexId } from '#features/web/site-index/index-rows.ts'
import { createPageStore } from '#features/web/site-index/page-store.ts'
import { createIndexSearch } from '#features/web/site-index/search.ts'
import { createSpelling } from '#features/web/site-index/spelling.ts'
import { createStems } from '#features/web/site-index/stems.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { printTable } from './lib/print-table.ts'
import { openMiniSearchOfPages, openSqlite, type PageSearch } from './lib/site-index-baselines.ts'
import { type KnownItem, misspell, readTrees, type Tree } from './lib/site-trees.ts'

const depth = 5
const owner = { kind: 'wallet', accountId: '01970000-0000-7000-8000-000000000001' } as const

const { values } = parseArgs({
  options: { manuals: { type: 'string' }, misses: { type: 'boolean' } },
})
const { database, close } = await openMeasuredDatabase()
const stems = createStems(database)
const rows = createIndexRows({ database, clock })
const store = createPageStore({ database, stems, clock })
const { search } = createIndexSearch({
  database,
  rows,
  stems,
  spelling: createSpelling(database),
})

/** By set of questions and way of searching: where each question found its page, 0 for nowhere. */
const allRanks = new Map<string, number[]>()

try {
  for (const tree of readTrees(values.manuals ?? path.join(tmpdir(), 'tollway-manuals')))
    await measure(tree)
  report('all trees')
} finally {
  await close()
}

async function measure({ name, pages, questions }: Tree) {
  const site = `https://${name.toLowerCase()}.example/`
  const index = await rows.create(owner, { id: newIndexId(clock), site }, async () => {})
  for (const { url, title, content } of pages) {
    const page = { site, url, title, passages: passagesOfHtml(content, url) }
    await store.save(index, page, { callId: undefined, effect: async () => {} })
  }
  await database.query('vacuum analyze')
  const ours: PageSearch = async (question, limit) =>
    ((await search(owner, question, { limit, indexId: index.id })) ?? []).map(({ url }) => url)
  const miniSearch = openMiniSearchOfPages(pages)
  const ways = {
    'site index': ours,
    'SQLite FTS5': openSqlite(pages),
    MiniSearch: miniSearch.words,
    'MiniSearch with prefixes and fuzzy words': miniSearch.prefixes,
  }
  const misspelt = questions.flatMap((item) => {
    const question = misspell(item.question)
    return question === undefined ? [] : [{ ...item, question }]
  })
  for (const [way, ask] of Object.entries(ways)) {
    const right = await ranksOf(ask, questions)
    const wrong = await ranksOf(ask, misspelt)
    note(`${name} | ${way}`, right, wrong)
    note(`all trees | ${way}`, right, wrong)
  }
  report(name, `${pages.length} pages, ${questions.length} questions`)
}

async function ranksOf(ask: PageSearch, questions: readonly KnownItem[]): Promise<number[]> {
  const ranks = []
  for (const { question, urls } of questions) {
    const found = await ask(question, depth)
    const rank = found.findIndex((url) => urls.includes(url)) + 1
    ranks.push(rank)
    if (values.misses && rank !== 1)
      console.log(`- ${rank} ${question} [${urls[0]}] -> ${found.slice(0, 3).join(' ')}`)
  }
  return ranks
}

function note(key: string, right: readonly number[], wrong: readonly number[]) {
  for (const [kind, ranks] of [['right', right] as const, ['misspelt', wrong] as const])
    allRanks.set(`${key} | ${kind}`, [...(allRanks.get(`${key} | ${kind}`) ?? []), ...ranks])
}

function report(name: string, about = '') {
  console.log(`\n${name} ${about}\n`)
  const ways = [...allRanks.keys()].filter((key) => key.startsWith(`${name} | `))
  const names = [...new Set(ways.map((key) => key.split(' | ')[1] ?? ''))]
  printTable(
    ['', 'hit@1', 'hit@5', 'misspelt hit@1', 'misspelt hit@5'],
    names.map((way) => [
      way,
      ...['right', 'misspelt'].flatMap((kind) => {
        const ranks = allRanks.get(`${name} | ${way} | ${kind}`) ?? []
        return [1, depth].map((most) =>
          (ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length).toFixed(3),
        )
      }),
    ]),
  )
}
