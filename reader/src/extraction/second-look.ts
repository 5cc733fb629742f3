// What the first stage thought of a block's surroundings, as features for the second.
import { capped } from './caps.ts'
import { type Container, containerOf, deepestHolding, type PageMeasures } from './page-measures.ts'
import { levelsTo } from './place-features.ts'
import { selectByExpectedF1 } from './select-blocks.ts'

const offsets = [-4, -3, -2, -1, 1, 2, 3, 4]
const windows = [5, 12, 30]
const ancestorsMax = 6
const containerShares = [0.6, 0.9]

export const secondLookNames: readonly string[] = [
  'own',
  'own rank',
  'own above cut',
  'page share',
  'page confidence',
  'page chosen from',
  'page chosen to',
  ...offsets.map((offset) => `at ${offset}`),
  ...windows.map((width) => `within ${width}`),
  ...Array.from({ length: ancestorsMax }, (_each, level) => `around ${level}`),
  'alike',
  'parents alike',
  'named alike',
  ...containerShares.flatMap((share) => [`levels to ${share}`, `side of ${share}`]),
]

export function takeSecondLook(page: PageMeasures, probabilities: Float32Array): Float32Array {
  const width = secondLookNames.length
  const rows = new Float32Array(page.tree.blocks.length * width)
  const fill = prepareSecondLook(page, probabilities)
  for (let index = 0; index < page.tree.blocks.length; index += 1) {
    const end = fill(index, rows, index * width)
    if (end !== (index + 1) * width)
      throw new Error('The second look has other features than named.')
  }
  return rows
}

function prepareSecondLook(page: PageMeasures, probabilities: Float32Array) {
  const { tree, wordsBefore } = page
  const { blocks, parents, signatures } = tree
  const expected = Float64Array.from(blocks, ({ words }, index) => words * at(probabilities, index))
  const expectedBefore = new Float64Array(blocks.length + 1)
  expected.forEach((value, index) => {
    expectedBefore[index + 1] = at(expectedBefore, index) + value
  })
  const sums = sumUp(page, expected)
  const ofAlike = createMeans()
  const ofParents = createMeans()
  const ofNames = createMeans()
  blocks.forEach(({ node, words }, index) => {
    const value = at(expected, index)
    ofAlike.add(at(signatures, node), value, words)
    ofParents.add(pairOf(page, node), value, words)
    ofNames.add(at(signatures, at(parents, node)), value, words)
  })
  const { chosen, confidence } = selectByExpectedF1(
    probabilities,
    blocks.map(({ words }) => words),
  )
  const cut = chosen.reduce(
    (low, taken, index) => (taken ? Math.min(low, at(probabilities, index)) : low),
    1,
  )
  const ranks = ranksOf(probabilities)
  const from = chosen.indexOf(1)
  const to = chosen.lastIndexOf(1)
  const containers = containerShares.map((share) =>
    containerOf(tree, deepestHolding(tree, sums, share)),
  )

  return (index: number, row: Float32Array, start: number): number => {
    const { node } = blocks[index] as (typeof blocks)[number]
    let place = start
    row[place++] = at(probabilities, index)
    row[place++] = at(ranks, index)
    row[place++] = at(probabilities, index) - cut
    row[place++] = at(sums, 0) / Math.max(1, at(page.words, 0))
    row[place++] = confidence
    row[place++] = capped(index - from)
    row[place++] = capped(index - to)
    for (const offset of offsets) row[place++] = probabilities[index + offset] ?? -1
    for (const width of windows) {
      const first = Math.max(0, index - width)
      const last = Math.min(blocks.length, index + width + 1)
      const words = at(wordsBefore, last) - at(wordsBefore, first)
      row[place++] = (at(expectedBefore, last) - at(expectedBefore, first)) / Math.max(1, words)
    }
    place = fillAround(page, sums, node, row, place)
    row[place++] = ofAlike.mean(at(signatures, node))
    row[place++] = ofParents.mean(pairOf(page, node))
    row[place++] = ofNames.mean(at(signatures, at(parents, node)))
    return fillContainers(page, containers, index, row, place)
  }
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0

function pairOf({ tree: { parents, signatures } }: PageMeasures, node: number): number {
  return Math.imul(at(signatures, at(parents, node)), 31) ^ at(signatures, node)
}

function fillAround(
  { tree, words, blockCounts }: PageMeasures,
  sums: Float64Array,
  node: number,
  row: Float32Array,
  start: number,
): number {
  let place = start
  let up = node
  for (let level = 0; level < ancestorsMax; level += 1) {
    row[place++] = at(sums, up) / Math.max(1, at(words, up))
    const held = at(blockCounts, up)
    while (up > 0 && at(blockCounts, up) === held) up = at(tree.parents, up)
  }
  return place
}

function fillContainers(
  page: PageMeasures,
  containers: readonly Container[],
  index: number,
  row: Float32Array,
  start: number,
): number {
  let place = start
  const node = page.tree.blocks[index]?.node ?? 0
  for (const container of containers) {
    row[place++] = levelsTo(page, node, container)
    row[place++] = index < container.firstBlock ? -1 : index > container.lastBlock ? 1 : 0
  }
  return place
}

export function sumUp({ tree: { names, parents, blocks } }: PageMeasures, expected: Float64Array) {
  const sums = new Float64Array(names.length)
  blocks.forEach(({ node }, index) => {
    sums[node] = at(sums, node) + at(expected, index)
  })
  for (let node = names.length - 1; node > 0; node -= 1) {
    const parent = at(parents, node)
    sums[parent] = at(sums, parent) + at(sums, node)
  }
  return sums
}

/** Means of probabilities by words, for each key. */
function createMeans() {
  const values = new Map<number, number>()
  const weights = new Map<number, number>()
  return {
    add(key: number, value: number, weight: number) {
      values.set(key, (values.get(key) ?? 0) + value)
      weights.set(key, (weights.get(key) ?? 0) + weight)
    },
    mean: (key: number) => (values.get(key) ?? 0) / Math.max(1, weights.get(key) ?? 1),
  }
}

/** From 0 for the most probable block of the page to nearly 1 for the least. */
function ranksOf(probabilities: Float32Array): Float32Array {
  const order = Array.from(probabilities, (_each, index) => index).sort(
    (a, b) => at(probabilities, b) - at(probabilities, a) || a - b,
  )
  const ranks = new Float32Array(probabilities.length)
  order.forEach((block, rank) => {
    ranks[block] = rank / probabilities.length
  })
  return ranks
}
