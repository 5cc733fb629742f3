// The tables of `npm run bench reading`.
import { type Score, snippetScore } from './scores.ts'

export interface Row {
  readonly type: string
  /** As the page declares it, such as `de`; empty if it does not. */
  readonly language: string
  /** By the name of the reader. */
  readonly results: ReadonlyMap<string, Result>
}

export interface Result {
  readonly score: Score
  readonly titleFound: boolean | undefined
}

export interface Speed {
  readonly name: string
  /** A page, in the mean. */
  readonly cpuMs: number
  /** Pages on which the reader threw an error. */
  readonly failed: number
}

const languagePagesMin = 10

/** Content and snippets for each reader, on the pages that it and ours have read. */
export function reportQuality(rows: readonly Row[], names: readonly string[]): void {
  const content = rows.filter((row) => scoreOf(row, 'ours')?.kind === 'content')
  const snippets = rows.filter((row) => scoreOf(row, 'ours')?.kind === 'snippets')
  if (content.length > 0) reportContent(content, names)
  if (snippets.length > 0) reportSnippets(snippets, names)
}

function reportContent(rows: readonly Row[], names: readonly string[]): void {
  const types = [...new Set(rows.map(({ type }) => type))].sort()
  const header = ['', 'pages', 'F1', 'under 0.5', ...types, 'articles, F1 of 4 words', 'titles']
  printTable(
    header,
    eachSelection(rows, names, (name, some) => {
      const f1 = (of: readonly Row[]) => mean(of, (row) => contentOf(row, name).f1)
      return [
        f1(some).toFixed(3),
        `${mean(some, (row) => (contentOf(row, name).f1 < 0.5 ? 100 : 0)).toFixed(1)} %`,
        ...types.map((type) => f1(some.filter((row) => row.type === type)).toFixed(3)),
        mean(
          some.filter(({ type }) => type === 'article'),
          (row) => contentOf(row, name).shingleF1,
        ).toFixed(3),
        `${mean(some, ({ results }) => (results.get(name)?.titleFound ? 100 : 0)).toFixed(0)} %`,
      ]
    }),
  )
}

function reportSnippets(rows: readonly Row[], names: readonly string[]): void {
  const counts = new Map<string, number>()
  for (const { language } of rows) counts.set(language, (counts.get(language) ?? 0) + 1)
  const languages = [...counts]
    .filter(([, count]) => count >= languagePagesMin)
    .sort((a, b) => b[1] - a[1])
  const header = [
    '',
    'pages',
    'snippets, F',
    'precision',
    'recall',
    ...languages.map(([language, count]) => `${language || 'undeclared'}, ${count}`),
  ]
  printTable(
    header,
    eachSelection(rows, names, (name, some) => {
      const score = (of: readonly Row[]) =>
        snippetScore(
          of.flatMap((row) => {
            const found = scoreOf(row, name)
            return found?.kind === 'snippets' ? [found.counts] : []
          }),
        )
      const { f, precision, recall } = score(some)
      return [
        f,
        precision,
        recall,
        ...languages.map(([language]) => score(some.filter((row) => row.language === language)).f),
      ].map((value) => value.toFixed(3))
    }),
  )
}

/** All readers have read the same pages; the first is compared with the others. */
export function reportSpeed(speeds: readonly Speed[], pages: number): void {
  const own = speeds[0]?.cpuMs ?? 0
  printTable(
    ['', 'pages', 'failed', 'CPU ms a page', 'times ours'],
    speeds.map(({ name, cpuMs, failed }) => [
      name,
      String(pages),
      String(failed),
      cpuMs.toFixed(1),
      (cpuMs / own).toFixed(1),
    ]),
  )
}

/** A line for each reader on all pages that it has read, and a second for ours on those that others have read. */
function eachSelection(
  rows: readonly Row[],
  names: readonly string[],
  cells: (name: string, some: readonly Row[]) => readonly string[],
): string[][] {
  const selections = names.map(
    (name) => [name, rows.filter(({ results }) => results.has(name))] as const,
  )
  const shared = selections.find(([, some]) => some.length < rows.length)?.[1]
  const [own] = selections
  const lines =
    own === undefined || shared === undefined
      ? selections
      : [own, [own[0], shared] as const, ...selections.slice(1)]
  return lines.map(([name, some]) => [name, String(some.length), ...cells(name, some)])
}

function printTable(header: readonly string[], lines: readonly (readonly string[])[]): void {
  console.log(`\n| ${header.join(' | ')} |`)
  console.log(`|${'---|'.repeat(header.length)}`)
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)
}

function scoreOf({ results }: Row, name: string): Score | undefined {
  return results.get(name)?.score
}

function contentOf(row: Row, name: string): { readonly f1: number; readonly shingleF1: number } {
  const score = scoreOf(row, name)
  if (score?.kind !== 'content') throw new Error(`${name} has no score for content.`)
  return score
}

function mean(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length)
}
