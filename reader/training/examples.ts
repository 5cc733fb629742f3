// Pages as rows for the trainer: the features of each block, and how much of the block is content.
import { featureNames, featuresOf } from '../src/extraction/features.ts'
import type { PageMeasures } from '../src/extraction/page-measures.ts'
import { type Block, type PageTree, readPageTree } from '../src/extraction/page-tree.ts'
import { hashRun, hashText, wordHashes } from '../src/extraction/words.ts'
import { seePage } from '../src/page/see-page.ts'
import type { Table } from './bins.ts'
import { createFollower } from './followed-pages.ts'
import { type LabelledPage, readPages, type Truth } from './pages.ts'
import { createRandom } from './random.ts'
import { findSnippets } from './snippets.ts'

export interface Example {
  readonly id: string
  readonly site: string
  readonly type: string
  /** Another page was put after the article. */
  readonly isFollowed: boolean
  readonly page: PageMeasures
  readonly tables: readonly Table[]
  readonly targets: Float32Array
  readonly weights: Float32Array
  /** The blocks that are trained on: those of which the truth is known, and of long pages some of them. */
  readonly chosen: Uint32Array
}

const runLength = 3
/** Between 0, where all blocks of a page count the same, and 1, where all words do. */
const wordsPower = 0.75
const trainedBlocksMax = 200

export async function readExamples(folders: readonly string[]): Promise<Example[]> {
  const examples: Example[] = []
  const follow = createFollower()
  for await (const page of readPages(folders)) {
    examples.push(exampleOf(page))
    const followed = follow(page)
    if (followed !== undefined) examples.push({ ...exampleOf(followed), isFollowed: true })
  }
  return examples
}

export function exampleOf(page: LabelledPage): Example {
  const tree = readPageTree(seePage(page.html))
  const { rows, measures } = featuresOf(tree, page.url)
  const { targets, weights } = labelsOf(tree, page.truth, hashText(page.id))
  forgetMarkup(tree)
  return {
    id: page.id,
    site: page.site,
    type: page.type,
    isFollowed: false,
    page: measures,
    tables: [{ rows, width: featureNames.length }],
    targets,
    weights,
    chosen: Uint32Array.from(weights.keys()).filter((block) => (weights[block] as number) > 0),
  }
}

interface Labels {
  /** From 0 to 1. */
  readonly targets: Float32Array
  /** 0 for blocks that are not trained on. */
  readonly weights: Float32Array
}

function labelsOf(tree: PageTree, truth: Truth, seed: number): Labels {
  if (truth.kind === 'snippets') return snippetLabels(tree, truth)
  const sampled = someBlocks(tree.blocks.length, seed)
  return { targets: targetsOf(tree, truth.content), weights: weightsOf(tree, sampled) }
}

/** Slices of a page keep the page in memory, and a thousand pages are much. */
function forgetMarkup(tree: PageTree): void {
  tree.texts.length = 0
  tree.attributes.length = 0
  tree.events.length = 0
}

function someBlocks(count: number, seed: number): Uint32Array {
  const random = createRandom(seed)
  const share = trainedBlocksMax / Math.max(1, count)
  const all = Uint32Array.from({ length: count }, (_each, block) => block)
  return share >= 1 ? all : all.filter(() => random() < share)
}

function targetsOf(tree: PageTree, truth: string): Float32Array {
  const { blocks, words } = tree
  const hashes = wordHashes(truth)
  const runs = new Set<number>()
  for (let index = 0; index + runLength <= hashes.length; index += 1)
    runs.add(hashRun(hashes, index, runLength))
  const lines = new Set<number>()
  for (const line of truth.split('\n')) {
    const inLine = wordHashes(line)
    lines.add(hashRun(inLine, 0, inLine.length))
  }
  const written = countShortRuns(hashes)
  const repeats = new Map<number, number>()
  for (const { hash } of blocks) repeats.set(hash, (repeats.get(hash) ?? 0) + 1)
  return Float32Array.from(blocks, (block) => {
    if (block.words === 0) return 0
    const share = lines.has(block.hash) ? 1 : shareInTruth(block, words, runs)
    if (block.words > shortWordsMax) return share
    // A button may stand fifty times on a page whose truth has the word once.
    return share * Math.min(1, (written.get(block.hash) ?? 0) / (repeats.get(block.hash) as number))
  })
}

const shortWordsMax = 5

/** How often each run of one to five words occurs. */
function countShortRuns(hashes: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (let length = 1; length <= shortWordsMax; length += 1)
    for (let index = 0; index + length <= hashes.length; index += 1) {
      const run = hashRun(hashes, index, length)
      counts.set(run, (counts.get(run) ?? 0) + 1)
    }
  return counts
}

/**
 * The share of a block's runs of three words that the truth has. Runs of shorter blocks reach into their neighbours.
 */
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
function weightsOf({ blocks }: PageTree, sampled: Uint32Array): Float32Array {
  const weights = new Float32Array(blocks.length)
  let sum = 0
  for (const block of sampled) {
    const weight = (blocks[block]?.words ?? 0) ** wordsPower
    weights[block] = weight
    sum += weight
  }
  return weights.map((weight) => (sum === 0 ? 0 : (weight / sum) * pageWeight))
}

const pageWeight = 100

/**
 * A block with a piece of the content is content. A block with a piece of something else, and none of the content, is
 * not.
 */
function snippetLabels({ blocks }: PageTree, truth: Truth & { kind: 'snippets' }): Labels {
  const targets = new Float32Array(blocks.length)
  const weights = new Float32Array(blocks.length)
  blocks.forEach(({ text, words }, block) => {
    if (words === 0) return
    const isContent = findSnippets(text, truth.with).length > 0
    if (!isContent && findSnippets(text, truth.without).length === 0) return
    targets[block] = isContent ? 1 : 0
    weights[block] = snippetWeight
  })
  return { targets, weights }
}

/** Pages have about six blocks with snippets, which together count half of a page whose content is known. */
const snippetWeight = 8
