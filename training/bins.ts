// Features as bytes: each is cut at quantiles, so that the trainer looks at 64 places instead of all values.

export const binsMax = 64
const sampledMax = 60_000

export interface Bins {
  /** Column after column: the bin of each row. */
  readonly columns: Uint8Array
  readonly rows: number
  /** By feature: a value belongs to the first bin whose edge is not below it. */
  readonly edges: readonly Float32Array[]
}

/** `chosen` are the rows that count; the others are left out. */
export function binFeatures(values: Float32Array, width: number, chosen: Uint32Array): Bins {
  const columns = new Uint8Array(width * chosen.length)
  const edges: Float32Array[] = []
  const step = Math.max(1, Math.floor(chosen.length / sampledMax))
  const sample = new Float32Array(Math.ceil(chosen.length / step))
  for (let feature = 0; feature < width; feature += 1) {
    for (let index = 0; index < sample.length; index += 1)
      sample[index] = values[(chosen[index * step] as number) * width + feature] as number
    const found = quantiles(sample)
    edges.push(found)
    const start = feature * chosen.length
    for (let index = 0; index < chosen.length; index += 1)
      columns[start + index] = binOf(
        found,
        values[(chosen[index] as number) * width + feature] as number,
      )
  }
  return { columns, rows: chosen.length, edges }
}

function quantiles(sample: Float32Array): Float32Array {
  const sorted = Float32Array.from(sample).sort()
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
