// Which blocks to search for logs, in pieces that a public node accepts.

/** Public nodes refuse wider searches of logs. */
const blocksPerSearch = 2_000n
const searchesMax = 10n
/** It exceeds every known reorganisation of these networks. */
export const reorganisationBlocksMax = 1_800

/** Both ends included. */
export interface BlockRange {
  readonly first: bigint
  readonly last: bigint
}

/** All blocks from `first` to `last`, oldest first. */
export function* forward({ first, last }: BlockRange): Generator<BlockRange> {
  for (let start = first; start <= last; start += blocksPerSearch) {
    yield { first: start, last: lesser(start + blocksPerSearch - 1n, last) }
  }
}

/**
 * Newest first, from `newest` back to `seenAt` or as far as the limit allows. When the limit ends the search before
 * `seenAt`, the blocks around it come last: most old logs are near the place where the search begins. The search begins
 * before `seenAt`, because a reorganisation can put a transaction into an earlier block than it was signed at.
 */
export function* backward(newest: bigint, seenAt?: bigint): Generator<BlockRange> {
  const farthest = greater(newest - blocksPerSearch * searchesMax + 1n, 0n)
  const fromBlock =
    seenAt === undefined
      ? undefined
      : greater(lesser(seenAt, newest) - BigInt(reorganisationBlocksMax), 0n)
  const oldest = greater(fromBlock ?? farthest, farthest)
  for (let last = newest; last >= oldest; last -= blocksPerSearch) {
    yield { first: greater(last - blocksPerSearch + 1n, oldest), last }
  }
  if (fromBlock !== undefined && fromBlock < oldest) {
    yield { first: fromBlock, last: lesser(fromBlock + blocksPerSearch - 1n, oldest - 1n) }
  }
}

const greater = (a: bigint, b: bigint) => (a > b ? a : b)
const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
