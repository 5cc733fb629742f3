// How much of the descriptions of others becomes actions, and why the rest does not. `UPDATE_SNAPSHOTS=1` writes the
// table anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { DescribedApi, LeftOutPart } from '#features/selling/described-operation.ts'
import { origins, readOrigin, tableFile, textOf } from './descriptions.ts'

const heading = `# Descriptions of others

These files are read by the tests as their makers publish them, packed by gzip and not edited. They are from the packages of npm
that \`sources.json\` names. Each file keeps the licence that its maker has given it.

GET and POST: how many of these operations became actions. A reference that leads nowhere leaves out what needs it.

`

interface Row {
  readonly file: string
  readonly maker: string
  readonly licence: string
  readonly dialect: string
  readonly api: DescribedApi
}

const isUsual = (method: string) => /^(?:GET|POST) /.test(method)
/** What is not there cannot be sold. */
const isBroken = ({ why }: LeftOutPart) => /leads nowhere|could not be read|in a circle/.test(why)

function countsOf({ operations, leftOut }: DescribedApi) {
  const sold = operations.filter(({ key }) => isUsual(key)).length
  const missed = leftOut.filter(({ where }) => isUsual(where))
  return { sold, all: sold + missed.filter((each) => !isBroken(each)).length }
}

function lineOf({ file, maker, licence, dialect, api }: Row): string {
  const { sold, all } = countsOf(api)
  const whys = new Map<string, number>()
  for (const { why } of api.leftOut) whys.set(why, (whys.get(why) ?? 0) + 1)
  const reasons = [...whys].map(([why, count]) => `${count} × ${why.replaceAll('|', '\\|')}`)
  const total = api.operations.length + api.leftOut.length
  const cells = [file, maker, licence, dialect, total, api.operations.length, `${sold} of ${all}`]
  return `| ${[...cells, reasons.join(' ') || 'everything is sold'].join(' | ')} |`
}

const columns = [
  'File',
  'Maker',
  'Licence',
  'Version',
  'Operations',
  'Actions',
  'GET and POST',
  'Not sold',
]

test('the operations of each description become actions, or the table says why they do not', async () => {
  const rows: Row[] = []
  for (const origin of origins) {
    const [, , version = ''] =
      /["']?(openapi|swagger)["']?\s*:\s*["']?([\d.]+)/.exec(textOf(origin)) ?? []
    rows.push({ ...origin, dialect: version, api: await readOrigin(origin) })
  }
  const counts = rows.map(({ api }) => countsOf(api))
  const sold = counts.reduce((sum, count) => sum + count.sold, 0)
  const all = counts.reduce((sum, count) => sum + count.all, 0)
  expect(new Set(rows.map(({ maker }) => maker)).size).toBeGreaterThanOrEqual(40)
  expect(sold / all).toBeGreaterThan(0.95)
  const lines = [columns, columns.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`)
  const table = `${heading}${[...lines, ...rows.map(lineOf)].join('\n')}\n`
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(tableFile, table)
  expect(withoutPadding(readFileSync(tableFile, 'utf8'))).toBe(withoutPadding(table))
})

/** The formatter aligns the columns. */
const withoutPadding = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{2,}/g, '--')
