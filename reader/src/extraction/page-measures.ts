// What is counted once for a page, and looked up for each of its blocks: sums over elements, repeats, the likely
// container.
import { type HeadFacts, readHead } from './page-head.ts'
import type { Block, PageTree } from './page-tree.ts'
import { hashRun, wordHashes } from './words.ts'

export interface PageMeasures {
  readonly tree: PageTree
  readonly head: HeadFacts
  readonly url: URL | null
  /** Sums over an element and all that it holds, by element. */
  readonly words: Float64Array
  readonly linkWords: Float64Array
  /** Words of blocks that read like prose: long, with few links. */
  readonly proseWords: Float64Array
  readonly blockCounts: Int32Array
  readonly images: Int32Array
  readonly headings: Int32Array
  /** How many siblings have the same name and class, and which of them the element is. */
  readonly siblings: Int32Array
  readonly siblingRanks: Int32Array
  /** Sums over all elements of the page with the same name and class. */
  readonly alike: ReadonlyMap<number, AlikeSums>
  /** How often the words of a block occur on the page, and how often before it. */
  readonly repeats: Int32Array
  readonly repeatsBefore: Int32Array
  /** Which share of a block's runs of four words stands before it, and after it. */
  readonly copiedBefore: Float32Array
  readonly copiedAfter: Float32Array
  readonly wordsBefore: Float64Array
  readonly titleWords: ReadonlySet<number>
  readonly descriptionWords: ReadonlySet<number>
  readonly linkedWords: ReadonlySet<number>
  readonly nameCounts: ReadonlyMap<string, number>
  /** Elements that are likely to hold the content, and the elements that hold them. */
  readonly containers: readonly Container[]
  /** The block that is most like the title, and the first in an h1; -1 if there is none. */
  readonly titleBlock: number
  readonly headingBlock: number
  /** The first and last block that reads like prose. */
  readonly proseFrom: number
  readonly proseTo: number
}

export interface AlikeSums {
  count: number
  words: number
  linkWords: number
  proseWords: number
}

export interface Container {
  readonly node: number
  readonly firstBlock: number
  readonly lastBlock: number
  /** The element and all around it. */
  readonly chain: ReadonlySet<number>
}

const proseWordsMin = 12
const proseLinkShareMax = 0.33

export function isProse(block: Block): boolean {
  return block.words >= proseWordsMin && block.linkWords <= block.words * proseLinkShareMax
}

export function measurePage(tree: PageTree, address: string): PageMeasures {
  const head = readHead(tree)
  const sums = sumElements(tree)
  const titleWords = new Set(wordHashes(head.openGraphTitle || head.title))
  for (const hash of wordHashes(head.linkedHeadline)) titleWords.add(hash)
  const prose = tree.blocks.map(isProse)
  const wordsBefore = new Float64Array(tree.blocks.length + 1)
  tree.blocks.forEach((block, index) => {
    wordsBefore[index + 1] = (wordsBefore[index] as number) + block.words
  })
  return {
    tree,
    head,
    url: URL.parse(address),
    ...sums,
    ...countSiblings(tree),
    ...countRepeats(tree.blocks),
    ...findCopies(tree),
    alike: sumAlike(tree, sums),
    wordsBefore,
    titleWords,
    descriptionWords: new Set(wordHashes(head.description)),
    linkedWords: new Set(wordHashes(head.linkedText)),
    nameCounts: countNames(tree),
    containers: findContainers(tree, sums),
    ...findHeadings(tree, titleWords),
    proseFrom: prose.indexOf(true),
    proseTo: prose.lastIndexOf(true),
  }
}

type Sums = Pick<
  PageMeasures,
  'words' | 'linkWords' | 'proseWords' | 'blockCounts' | 'images' | 'headings'
>

function sumElements({ names, parents, blocks }: PageTree): Sums {
  const count = names.length
  const words = new Float64Array(count)
  const linkWords = new Float64Array(count)
  const proseWords = new Float64Array(count)
  const blockCounts = new Int32Array(count)
  const images = new Int32Array(count)
  const headings = new Int32Array(count)
  for (const block of blocks) {
    const { node } = block
    add(words, node, block.words)
    add(linkWords, node, block.linkWords)
    if (isProse(block)) add(proseWords, node, block.words)
    add(blockCounts, node, 1)
    add(images, node, block.images)
    if (/^h[1-6]$/.test(names[node] as string)) add(headings, node, 1)
  }
  for (let node = count - 1; node > 0; node -= 1) {
    const parent = parents[node] as number
    for (const sums of [words, linkWords, proseWords, blockCounts, images, headings])
      add(sums, parent, sums[node] as number)
  }
  return { words, linkWords, proseWords, blockCounts, images, headings }
}

function add(sums: Float64Array | Float32Array | Int32Array, place: number, value: number): void {
  sums[place] = (sums[place] as number) + value
}

function countSiblings({ names, parents, signatures }: PageTree) {
  const counts = new Map<number, number>()
  const siblings = new Int32Array(names.length)
  const siblingRanks = new Int32Array(names.length)
  const keyOf = (node: number) =>
    Math.imul(parents[node] as number, 0x9e3779b1) ^ (signatures[node] as number)
  for (let node = 1; node < names.length; node += 1) {
    const key = keyOf(node)
    const rank = counts.get(key) ?? 0
    siblingRanks[node] = rank
    counts.set(key, rank + 1)
  }
  for (let node = 1; node < names.length; node += 1) siblings[node] = counts.get(keyOf(node)) ?? 1
  return { siblings, siblingRanks }
}

function sumAlike({ names, signatures, blocky }: PageTree, sums: Sums) {
  const alike = new Map<number, AlikeSums>()
  for (let node = 1; node < names.length; node += 1) {
    if (!blocky[node] || sums.blockCounts[node] === 0) continue
    const signature = signatures[node] as number
    let found = alike.get(signature)
    if (found === undefined) {
      found = { count: 0, words: 0, linkWords: 0, proseWords: 0 }
      alike.set(signature, found)
    }
    found.count += 1
    found.words += sums.words[node] as number
    found.linkWords += sums.linkWords[node] as number
    found.proseWords += sums.proseWords[node] as number
  }
  return alike
}

function countRepeats(blocks: readonly Block[]) {
  const counts = new Map<number, number>()
  const repeats = new Int32Array(blocks.length)
  const repeatsBefore = new Int32Array(blocks.length)
  blocks.forEach(({ hash }, index) => {
    const before = counts.get(hash) ?? 0
    repeatsBefore[index] = before
    counts.set(hash, before + 1)
  })
  blocks.forEach(({ hash }, index) => {
    repeats[index] = counts.get(hash) ?? 1
  })
  return { repeats, repeatsBefore }
}

const copiedRunLength = 4

function findCopies({ blocks, words }: PageTree) {
  const seen = new Map<number, number>()
  const runs = new Int32Array(words.length)
  const eachRun = (visit: (run: number, block: number) => void) =>
    blocks.forEach((block, index) => {
      const end = block.wordsFrom + block.words - copiedRunLength
      for (let word = block.wordsFrom; word <= end; word += 1) visit(word, index)
    })
  // The last block that has each run.
  eachRun((word, block) => {
    runs[word] = hashRun(words, word, copiedRunLength)
    seen.set(runs[word] as number, block)
  })
  const first = new Map<number, number>()
  const copiedBefore = new Float32Array(blocks.length)
  const copiedAfter = new Float32Array(blocks.length)
  eachRun((word, block) => {
    const run = runs[word] as number
    const share = 1 / ((blocks[block] as Block).words - copiedRunLength + 1)
    const before = first.get(run)
    if (before === undefined) first.set(run, block)
    else if (before < block) add(copiedBefore, block, share)
    if ((seen.get(run) as number) > block) add(copiedAfter, block, share)
  })
  return { copiedBefore, copiedAfter }
}

function countNames({ names }: PageTree): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** The container that Readability would choose, and the smallest elements with most and nearly all of the prose. */
function findContainers(tree: PageTree, sums: Sums): Container[] {
  const scores = new Float64Array(tree.names.length)
  for (const block of tree.blocks) {
    if (!isProse(block)) continue
    const score = 1 + block.commas + Math.min(block.words / 20, 3)
    const parent = tree.parents[block.node] as number
    if (block.node > 0) add(scores, Math.max(parent, 0), score)
    const grandparent = tree.parents[parent] ?? -1
    if (grandparent >= 0) add(scores, grandparent, score / 2)
  }
  let best = 0
  let bestScore = 0
  for (let node = 0; node < scores.length; node += 1) {
    if (scores[node] === 0) continue
    const linkShare = (sums.linkWords[node] as number) / Math.max(1, sums.words[node] as number)
    const score = (scores[node] as number) * (1 - linkShare)
    if (score > bestScore) [best, bestScore] = [node, score]
  }
  const { proseWords } = sums
  return [best, deepestHolding(tree, proseWords, 0.6), deepestHolding(tree, proseWords, 0.85)].map(
    (node) => containerOf(tree, node),
  )
}

/** The deepest element that holds this share of the page's sum, which is more than half. */
export function deepestHolding({ depths }: PageTree, sums: Float64Array, share: number): number {
  const needed = (sums[0] as number) * share
  let deepest = 0
  if (needed === 0) return deepest
  for (let node = 0; node < sums.length; node += 1)
    if ((sums[node] as number) >= needed && (depths[node] as number) > (depths[deepest] as number))
      deepest = node
  return deepest
}

export function containerOf({ parents, blocks }: PageTree, node: number): Container {
  const chain = new Set<number>()
  for (let up = node; up >= 0; up = parents[up] as number) chain.add(up)
  const inside = new Uint8Array(parents.length)
  inside[node] = 1
  for (let below = node + 1; below < parents.length; below += 1)
    inside[below] = inside[parents[below] as number] as number
  const within = blocks.map((block) => inside[block.node] === 1)
  return { node, chain, firstBlock: within.indexOf(true), lastBlock: within.lastIndexOf(true) }
}

function findHeadings({ names, parents, blocks, words }: PageTree, title: ReadonlySet<number>) {
  let titleBlock = -1
  let titleScore = 0.8
  let headingBlock = -1
  blocks.forEach((block, index) => {
    const name = names[block.node] as string
    if (headingBlock < 0 && (name === 'h1' || names[parents[block.node] ?? 0] === 'h1'))
      headingBlock = index
    if (block.words < 2 || block.words > 40 || title.size === 0) return
    let shared = 0
    const seen = new Set<number>()
    for (let word = block.wordsFrom; word < block.wordsFrom + block.words; word += 1) {
      const hash = words[word] as number
      if (title.has(hash) && !seen.has(hash)) shared += 1
      seen.add(hash)
    }
    const level = /^h[1-6]$/.test(name) ? 0.1 + (7 - Number(name[1])) * 0.05 : 0
    const score = shared / title.size + shared / block.words + level
    if (score > titleScore) [titleBlock, titleScore] = [index, score]
  })
  return { titleBlock, headingBlock }
}
