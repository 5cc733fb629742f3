// Loudness by ITU-R BS.1770-4 and EBU R 128, from the loudness of blocks of 400 ms, which ffmpeg's filter `ebur128`
// prints every 100 ms.

/** LUFS of the blocks that end after each 100 ms. */
export type BlockLoudness = readonly number[]

const stepSeconds = 0.1
const blockSteps = 4
const absoluteGate = -70
const relativeGate = -10

export function readBlocks(printed: string): BlockLoudness {
  return [...printed.matchAll(/lavfi\.r128\.M=(\S+)/g)].map(([, value]) => {
    const lufs = Number(value)
    return Number.isFinite(lufs) ? lufs : Number.NEGATIVE_INFINITY
  })
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** The integrated loudness of a span, or of everything. -Infinity for silence. */
export function loudnessOf(blocks: BlockLoudness, span?: Span): number {
  const inside = span === undefined ? blocks.slice(blockSteps - 1) : blocksIn(blocks, span)
  const heard = inside.filter((lufs) => lufs > absoluteGate)
  const gate = meanOf(heard) + relativeGate
  return meanOf(heard.filter((lufs) => lufs > gate))
}

/** The blocks within a span. A span that is shorter than a block has the one that holds most of it. */
function blocksIn(blocks: BlockLoudness, { start, end }: Span): BlockLoudness {
  const first = Math.ceil(start / stepSeconds - 1e-6) + blockSteps - 1
  const last = Math.floor(end / stepSeconds + 1e-6)
  if (last > first) return blocks.slice(first, last)
  const middle = Math.floor((start + end) / 2 / stepSeconds) + blockSteps / 2 - 1
  return blocks.slice(Math.min(middle, blocks.length - 1)).slice(0, 1)
}

function meanOf(lufs: readonly number[]): number {
  const power = lufs.reduce((sum, each) => sum + 10 ** (each / 10), 0) / lufs.length
  return lufs.length === 0 ? Number.NEGATIVE_INFINITY : 10 * Math.log10(power)
}
