// Compares the Markdown tables that benchmarks print.

interface Cell {
  readonly row: string
  readonly column: string
  readonly figure: number
}

/** One table: the median of each figure in `after` divided by its median in `before`. */
export function compareReports(before: readonly string[], after: readonly string[]): string {
  const [old, now] = [mediansOf(before), mediansOf(after)]
  const rows = [...now].flatMap(([key, figure]) => {
    const was = old.get(key)
    if (!was || Number.isNaN(was)) return []
    return [`| ${key} | ${shown(was)} | ${shown(figure)} | ${(figure / was).toFixed(2)} |`]
  })
  return ['| what | figure | before | after | ratio |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** By row and column. */
function mediansOf(reports: readonly string[]): Map<string, number> {
  const cells = Map.groupBy(reports.flatMap(readCells), ({ row, column }) => `${row} | ${column}`)
  return new Map([...cells].map(([key, same]) => [key, median(same.map(({ figure }) => figure))]))
}

/** A row is named by the title above its table, by its first cell, and by its other cells that are not numbers. */
function readCells(report: string): Cell[] {
  let columns: string[] = []
  let title: string[] = []
  return report.split('\n').flatMap((line, place, lines) => {
    if (line.startsWith('## ')) title = [line.slice(3)]
    if (!line.startsWith('|') || isRule(line)) return []
    const cells = split(line)
    if (isRule(lines[place + 1] ?? '')) {
      columns = cells
      return []
    }
    const names = cells.filter((cell, at) => at === 0 || (cell !== '' && !isFigure(cell)))
    const row = [...title, ...names].join(', ')
    return cells.flatMap((cell, at) =>
      at > 0 && isFigure(cell) ? [{ row, column: columns[at] ?? '', figure: Number(cell) }] : [],
    )
  })
}

const shown = (figure: number) => Number(figure.toPrecision(4))
const isRule = (line: string) => /^\|[\s:|-]+\|$/.test(line)
const isFigure = (cell: string) => cell !== '' && Number.isFinite(Number(cell))
const split = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
    : (sorted[Math.floor(middle)] ?? 0)
}
