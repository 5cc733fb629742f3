// Features as bytes: each is cut at quantiles, so that the trainer looks at 64 places instead of all values.

export const binsMax = 64
const sampledMax = 60_000

/** Numbers of some blocks, row after row. */
export interface Table {
  readonly rows: Float32Array
  readonly width: number
}

/** The rows of a page that count, in tables side by side. */
export interface Rows {
  readonly tables: readonly Table[]
  readonly chosen: Uint32Array
}

export interface Bins {
  /** Column after column: the bin of each row. */
  readonly columns: Uint8Array
  readonly rows: number
  /** By feature: a value belongs to the first bin whose edge is not below it. */
  readonly edges: readonly Float32Array[]
}

export function binFeatures(pages: readonly Rows[]): Bins {
  const rows = pages.reduce((sum, { chosen }) => sum + chosen.length, 0)
  const widths = (pages[0]?.tables ?? []).map(({ width }) => width)
  const columns = new Uint8Array(rows * widths.reduce((sum, width) => sum + width, 0))
  const edges: Float32Array[] = []
  widths.forEach((width, table) => {
    for (let column = 0; column < width; column += 1) {
      const values = new Float32Array(rows)
      let at = 0
      for (const { tables, chosen } of pages) {
        const from = (tables[table] as Table).rows
        for (const row of chosen) values[at++] = from[row * width + column] as number
      }
      const found = quantiles(values)
      const start = edges.length * rows
      for (let row = 0; row < rows; row += 1)
        columns[start + row] = binOf(found, values[row] as number)
      edges.push(found)
    }
  })
  return { columns, rows, edges }
}

function quantiles(values: Float32Array): Float32Array {
  const step = Math.max(1, Math.floor(values.length / sampledMax))
  const sorted = new Float32Array(Math.ceil(values.length / step))
  for (let index = 0; index < sorted.length; index += 1)
    sorted[index] = values[index * step] as number
  sorted.sort()
  const distinct: number[] = []
  for (const value of sorted) if (value !== distinct.at(-1)) distinct.push(value)
  if (distinct.length <= binsMax) return Float32Array.from(distinct)
  const edges: number[] = []
  let place = 0
  while (edges.length < binsMax - 1 && place < sorted.length) {
    // Values that fill more than their share get a bin of their own, and the rest is shared out anew.
    place += Math.max(1, Math.floor((sorted.length - place) / (binsMax - 1 - edges.length)))
    const edge = sorted[Math.min(place, sorted.length) - 1] as number
    edges.push(edge)
    while (place < sorted.length && sorted[place] === edge) place += 1
  }
  edges.push(Number.POSITIVE_INFINITY)
  return Float32Array.from(edges)
}

/** Values above the last edge count as the last. */
function binOf(edges: Float32Array, value: number): number {
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= (edges[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}
