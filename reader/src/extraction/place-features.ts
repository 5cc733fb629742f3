// Where a block stands: its element, what is around it, and how far that is.
import { capped } from './caps.ts'
import type { FeatureGroup } from './feature-group.ts'
import type { Container, PageMeasures } from './page-measures.ts'
import type { Block } from './page-tree.ts'
import { classGroupNames, classGroupsLow } from './vocabulary.ts'

/** Elements whose distance is measured; several names may count as one. */
const landmarks: readonly (readonly string[])[] = [
  ['article'],
  ['main'],
  ['nav', 'menu'],
  ['aside'],
  ['footer'],
  ['header'],
  ['form', 'fieldset'],
  ['ul'],
  ['ol'],
  ['li'],
  ['table'],
  ['tr'],
  ['pre', 'code'],
  ['blockquote'],
  ['figure', 'figcaption'],
  ['dl'],
  ['section'],
  ['button', 'label'],
  ['details', 'summary'],
  ['a'],
  ['p'],
  ['noscript'],
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
]
const landmarkOf = new Map(
  landmarks.flatMap((names, landmark) => names.map((name) => [name, landmark] as const)),
)
/** From what is most like content to what is least. */
const elementOrder =
  'p blockquote pre h1 h2 h3 h4 h5 h6 dd td th dt li figcaption caption section article div main summary details address label button center form header aside nav footer'.split(
    ' ',
  )
const elementCodes = new Map(elementOrder.map((name, code) => [name, code + 1]))
const farAway = 40
const ancestorsMax = 5
const siblingLevels = 3

const names = [
  'element',
  'heading level',
  'depth',
  'hidden',
  ...landmarks.map(([name]) => `to ${name}`),
  ...classGroupNames.map((name) => `to class ${name}`),
  ...Array.from({ length: ancestorsMax }, (_each, level) => [
    `words share ${level}`,
    `prose share ${level}`,
    `link share ${level}`,
    `words per block ${level}`,
  ]).flat(),
  'headings around',
  'images around',
  ...Array.from({ length: siblingLevels }, (_each, level) => [
    `siblings ${level}`,
    `sibling rank ${level}`,
    `alike ${level}`,
    `words of alike ${level}`,
    `links of alike ${level}`,
    `prose of alike ${level}`,
  ]).flat(),
  ...['best', 'most', 'nearly all'].flatMap((name) => [`levels to ${name}`, `side of ${name}`]),
]

export function elementCode(name: string): number {
  return elementCodes.get(name) ?? elementOrder.length + (name.includes('-') ? 2 : 1)
}

export const placeFeatures: FeatureGroup = {
  names,
  prepare(page) {
    const distances = new Float32Array(landmarks.length + classGroupNames.length)
    return (index, row, start) => {
      const { tree } = page
      const block = tree.blocks[index] as Block
      const name = tree.names[block.node] as string
      let at = start
      row[at++] = elementCode(name)
      row[at++] = /^h[1-6]$/.test(name) ? Number(name[1]) : 0
      row[at++] = tree.depths[block.node] as number
      row[at++] = measureDistances(page, block.node, distances)
      row.set(distances, at)
      at += distances.length
      at = fillAncestors(page, block.node, row, at)
      at = fillSiblings(page, block.node, row, at)
      for (const container of page.containers) {
        row[at++] = levelsTo(page, block.node, container)
        row[at++] = index < container.firstBlock ? -1 : index > container.lastBlock ? 1 : 0
      }
      return at
    }
  },
}

/** Writes how many levels up each landmark and class group is first met; returns the distance of a hidden element. */
function measureDistances({ tree }: PageMeasures, node: number, distances: Float32Array): number {
  distances.fill(farAway)
  let hidden = farAway
  let distance = 0
  let seenLow = 0
  let seenHigh = 0
  for (let up = node; up > 0; up = tree.parents[up] as number) {
    const landmark = landmarkOf.get(tree.names[up] as string)
    if (landmark !== undefined && distances[landmark] === farAway) distances[landmark] = distance
    const low = (tree.hintsLow[up] as number) & ~seenLow
    const high = (tree.hintsHigh[up] as number) & ~seenHigh
    writeBits(low, landmarks.length, distance, distances)
    writeBits(high, landmarks.length + classGroupsLow, distance, distances)
    seenLow |= low
    seenHigh |= high
    if (hidden === farAway && tree.hidden[up]) hidden = distance
    distance += 1
  }
  return hidden
}

function writeBits(bits: number, from: number, distance: number, distances: Float32Array): void {
  for (let left = bits; left !== 0; left &= left - 1)
    distances[from + 31 - Math.clz32(left & -left)] = distance
}

/** The nearest elements around, of which each holds more blocks than the one before. */
function fillAncestors(page: PageMeasures, node: number, row: Float32Array, start: number): number {
  const { tree, words, linkWords, proseWords, blockCounts, headings, images } = page
  const allWords = Math.max(1, words[0] as number)
  const allProse = Math.max(1, proseWords[0] as number)
  let at = start
  let up = node
  let second = node
  for (let level = 0; level < ancestorsMax; level += 1) {
    const inside = words[up] as number
    row[at++] = inside / allWords
    row[at++] = (proseWords[up] as number) / allProse
    row[at++] = (linkWords[up] as number) / Math.max(1, inside)
    row[at++] = inside / Math.max(1, blockCounts[up] as number)
    if (level === 1) second = up
    const held = blockCounts[up] as number
    while (up > 0 && blockCounts[up] === held) up = tree.parents[up] as number
  }
  row[at++] = (headings[second] as number) / Math.max(1, blockCounts[second] as number)
  row[at++] = (images[second] as number) / Math.max(1, blockCounts[second] as number)
  return at
}

function fillSiblings(page: PageMeasures, node: number, row: Float32Array, start: number): number {
  const { tree, siblings, siblingRanks, alike } = page
  let at = start
  let up = node
  for (let level = 0; level < siblingLevels; level += 1) {
    row[at++] = capped(siblings[up] as number)
    row[at++] = capped(siblingRanks[up] as number)
    const sums = alike.get(tree.signatures[up] as number)
    row[at++] = capped(sums?.count ?? 0)
    row[at++] = sums === undefined ? 0 : sums.words / sums.count
    row[at++] = sums === undefined ? 0 : sums.linkWords / Math.max(1, sums.words)
    row[at++] = sums === undefined ? 0 : sums.proseWords / Math.max(1, sums.words)
    up = Math.max(0, tree.parents[up] as number)
  }
  return at
}

/** From the container up to the first element that holds the block as well. */
export function levelsTo(
  { tree }: PageMeasures,
  node: number,
  { node: container, chain }: Container,
) {
  let up = node
  while (up > 0 && !chain.has(up)) up = tree.parents[up] as number
  return (tree.depths[container] as number) - (tree.depths[up] as number)
}
