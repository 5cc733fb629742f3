// What stands directly among the paragraphs of the content, next to one of them, belongs to it: a table or an address
// at the end of an article has no text behind it that would say so.
import { isProse, type PageMeasures } from '../page-measures.ts'
import type { Structure } from './structures.ts'

/** What is less probable is furniture, although it stands there: a newsletter's form, a list of other articles. */
const probabilityMin = 0.15
const linkShareMax = 0.5
/** Of a block outside of structures. Longer texts are judged by what they say. */
const blockWordsMax = 60

/** Adds them to `chosen`. */
export function keepDirectlyInside(
  page: PageMeasures,
  structures: readonly Structure[],
  probabilities: Float32Array,
  chosen: Uint8Array,
): void {
  const { blocks } = page.tree
  const structureFrom = new Map(structures.map((structure) => [structure.first, structure]))
  const boxes = boxesOf(page)
  const boxesOfContent = new Set(
    blocks.flatMap((block, index) =>
      chosen[index] === 1 && isProse(block) ? [boxes[block.node] as number] : [],
    ),
  )
  let isAfterChosen = false
  for (let index = 0; index < blocks.length; index += 1) {
    const block = { node: blocks[index]?.node ?? 0, first: index, last: index }
    const part = structureFrom.get(index) ?? block
    const isBeside = isAfterChosen || chosen[part.last + 1] === 1
    const isDirectlyInside = boxesOfContent.has(boxes[part.node] as number)
    const isProbable = (probabilities[part.last] as number) >= probabilityMin
    if (isBeside && isDirectlyInside && isProbable && isText(page, part, part !== block))
      chosen.fill(1, part.first, part.last + 1)
    isAfterChosen = chosen[part.last] === 1
    index = part.last
  }
}

/** Whether it has words of its own, and is not the line of rights that ends a page. */
function isText({ tree }: PageMeasures, { first, last }: Structure, isStructure: boolean): boolean {
  let words = 0
  let linkWords = 0
  for (const block of tree.blocks.slice(first, last + 1)) {
    if (block.text.includes('©')) return false
    words += block.words
    linkWords += block.linkWords
  }
  return words > 0 && linkWords <= words * linkShareMax && (isStructure || words <= blockWordsMax)
}

/** For each element the nearest one around it that holds more. */
function boxesOf({ tree: { parents }, blockCounts }: PageMeasures): Int32Array {
  const boxes = new Int32Array(parents.length)
  for (let node = 1; node < parents.length; node += 1) {
    const parent = parents[node] as number
    boxes[node] = blockCounts[parent] === blockCounts[node] ? (boxes[parent] as number) : parent
  }
  return boxes
}
