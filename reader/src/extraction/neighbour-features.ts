// What stands before and after a block, and how far into the page it is.
import { blocksFromEnd, capped, distanceMax, placeInBlocks, placeInWords } from './caps.ts'
import type { FeatureGroup } from './feature-group.ts'
import { isProse, type PageMeasures } from './page-measures.ts'
import { elementCode } from './place-features.ts'
import { stopGroup } from './vocabulary.ts'

const offsets = [-3, -2, -1, 1, 2, 3]
const windows = [5, 12]
const proseWordsMax = 1_000

const names = [
  'blocks before',
  'blocks after',
  'place in blocks',
  'place in words',
  'from title',
  'from heading',
  'from first prose',
  'to last prose',
  'blocks since heading',
  'level of that heading',
  'words of that heading',
  'prose since that heading',
  'blocks since prose',
  'blocks until prose',
  'blocks in run',
  'place in run',
  ...offsets.flatMap((offset) => [
    `words at ${offset}`,
    `link share at ${offset}`,
    `stop share at ${offset}`,
    `element at ${offset}`,
    `same place at ${offset}`,
  ]),
  ...windows.flatMap((width) => [
    `words within ${width}`,
    `link share within ${width}`,
    `prose within ${width}`,
  ]),
]

export const neighbourFeatures: FeatureGroup = {
  names,
  prepare(page) {
    const { blocks } = page.tree
    const count = blocks.length
    const elements = blocks.map(({ node }) => elementCode(page.tree.names[node] as string))
    const stops = blocks.map(
      ({ groups, words }) => (groups[stopGroup] as number) / Math.max(1, words),
    )
    const runs = measureRuns(page)
    const linkWordsBefore = new Float64Array(count + 1)
    const proseBefore = new Float64Array(count + 1)
    blocks.forEach((block, index) => {
      linkWordsBefore[index + 1] = (linkWordsBefore[index] as number) + block.linkWords
      proseBefore[index + 1] = (proseBefore[index] as number) + (isProse(block) ? block.words : 0)
    })

    const around = (index: number, row: Float32Array, start: number): number => {
      let at = start
      const node = blocks[index]?.node ?? 0
      const parent = page.tree.parents[node]
      for (const offset of offsets) {
        const other = blocks[index + offset]
        row[at++] = other === undefined ? -1 : other.words
        row[at++] = other === undefined ? -1 : other.linkWords / Math.max(1, other.words)
        row[at++] = stops[index + offset] ?? -1
        row[at++] = elements[index + offset] ?? -1
        row[at++] =
          other === undefined
            ? -1
            : other.node === node
              ? 2
              : page.tree.parents[other.node] === parent
                ? 1
                : 0
      }
      for (const width of windows) {
        const from = Math.max(0, index - width)
        const to = Math.min(count, index + width + 1)
        const within = (before: Float64Array) => (before[to] as number) - (before[from] as number)
        const words = Math.max(1, within(page.wordsBefore))
        row[at++] = words / (to - from)
        row[at++] = within(linkWordsBefore) / words
        row[at++] = within(proseBefore) / words
      }
      return at
    }

    return (index, row, start) => {
      let at = start
      const words = page.wordsBefore[index] as number
      row[at++] = blocksFromEnd(index)
      row[at++] = blocksFromEnd(count - index)
      row[at++] = placeInBlocks(index, count - index)
      row[at++] = placeInWords(words, (page.wordsBefore[count] as number) - words)
      for (const mark of [page.titleBlock, page.headingBlock, page.proseFrom, page.proseTo])
        row[at++] = mark < 0 ? -distanceMax : Math.max(1 - distanceMax, capped(index - mark))
      for (const run of runs) row[at++] = run[index] as number
      return around(index, row, at)
    }
  },
}

/** How far the last heading and the nearest prose are, and the run of blocks in one element or in its siblings. */
function measureRuns({ tree }: PageMeasures): readonly Float32Array[] {
  const { blocks } = tree
  const make = () => new Float32Array(blocks.length)
  const [since, level, words, proseSince] = [make(), make(), make(), make()]
  const [sinceProse, untilProse, runLength, runPlace] = [make(), make(), make(), make()]
  let heading = { index: -1, level: 0, words: 0, prose: 0 }
  let lastProse = -1
  let runFrom = 0
  blocks.forEach((block, index) => {
    const name = tree.names[block.node] as string
    since[index] = heading.index < 0 ? distanceMax : capped(index - heading.index)
    level[index] = heading.level
    words[index] = heading.words
    proseSince[index] = Math.min(proseWordsMax, heading.prose)
    sinceProse[index] = lastProse < 0 ? distanceMax : capped(index - lastProse)
    if (isProse(block)) {
      heading.prose += block.words
      lastProse = index
    }
    if (/^h[1-6]$/.test(name))
      heading = { index, level: Number(name[1]), words: block.words, prose: 0 }
    const previous = blocks[index - 1]
    if (
      previous === undefined ||
      tree.parents[previous.node] !== tree.parents[block.node] ||
      tree.signatures[previous.node] !== tree.signatures[block.node]
    )
      runFrom = index
    runPlace[index] = index - runFrom
  })
  let nextProse = -1
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    untilProse[index] = nextProse < 0 ? distanceMax : capped(nextProse - index)
    const block = blocks[index]
    if (block !== undefined && isProse(block)) nextProse = index
    const goesOn = index + 1 < blocks.length && (runPlace[index + 1] as number) > 0
    runLength[index] = goesOn ? (runLength[index + 1] as number) : (runPlace[index] as number) + 1
  }
  return [
    ...[since, level, words, proseSince, sinceProse, untilProse],
    runLength.map((length) => capped(length)),
    runPlace.map((place) => capped(place)),
  ]
}
