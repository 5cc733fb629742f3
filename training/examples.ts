// Pages as rows for the trainer: the features of each block, and how much of the block stands in the page's truth.
import { featureNames, featuresOf } from '../src/features/reading/extraction/features.ts'
import { type Block, type PageTree, readPageTree } from '../src/features/reading/extraction/page-tree.ts'
import { hashRun, hashText, wordHashes } from '../src/features/reading/extraction/words.ts'
import type { LabelledPage } from './pages.ts'

export interface Example {
  readonly domain: string
  readonly rows: Float32Array
  readonly targets: Float32Array
  readonly weights: Float32Array
}

const runLength = 3
/** Between 0, where all blocks of a page count the same, and 1, where all words do. */
const wordsPower = 0.5

export function exampleOf(page: LabelledPage): Example {
  const tree = readPageTree(page.html)
  const { rows } = featuresOf(tree, page.url)
  return { domain: page.domain, rows, targets: targetsOf(tree, page.truth), weights: weightsOf(tree) }
}

export function targetsOf({ blocks, words }: PageTree, truth: string): Float32Array {
  const hashes = wordHashes(truth)
  const runs = new Set<number>()
  for (let index = 0; index + runLength <= hashes.length; index += 1)
    runs.add(hashRun(hashes, index, runLength))
  const lines = new Set(truth.split('\n').map((line) => hashText(wordHashes(line).join(' '))))
  return Float32Array.from(blocks, (block) => {
    if (block.words === 0) return 0
    if (lines.has(hashText(words.slice(block.wordsFrom, block.wordsFrom + block.words).join(' '))))
      return 1
    return shareInTruth(block, words, runs)
  })
}

/** The share of a block's runs of three words that the truth has. Runs of shorter blocks reach into their neighbours. */
function shareInTruth(block: Block, words: readonly number[], runs: ReadonlySet<number>): number {
  const isShort = block.words < runLength
  const from = isShort ? Math.max(0, block.wordsFrom - runLength + block.words) : block.wordsFrom
  const to = isShort
    ? Math.min(words.length - runLength, block.wordsFrom)
    : block.wordsFrom + block.words - runLength
  let found = 0
  for (let index = from; index <= to; index += 1)
    if (runs.has(hashRun(words, index, runLength))) found += 1
  if (isShort) return found > 0 ? 1 : 0
  return found / Math.max(1, to - from + 1)
}

/** Every page counts the same, however many blocks it has. */
function weightsOf({ blocks }: PageTree): Float32Array {
  const raw = blocks.map(({ words }) => words ** wordsPower)
  const sum = raw.reduce((all, weight) => all + weight, 0)
  return Float32Array.from(raw, (weight) => (sum === 0 ? 0 : (weight / sum) * 100))
}

/** Trains on what is handed in: all that a fold may see. */
export function joinExamples(examples: readonly Example[]): Example & { readonly chosen: Uint32Array } {
  const width = featureNames.length
  const count = examples.reduce((sum, { targets }) => sum + targets.length, 0)
  const rows = new Float32Array(count * width)
  const targets = new Float32Array(count)
  const weights = new Float32Array(count)
  let at = 0
  for (const example of examples) {
    rows.set(example.rows, at * width)
    targets.set(example.targets, at)
    weights.set(example.weights, at)
    at += example.targets.length
  }
  return { domain: '', rows, targets, weights, chosen: Uint32Array.from(targets, (_t, row) => row) }
}
