// Headings, versions and dates between chosen texts are too short for the trees to be sure of, and say what the text
// below them is about.
import type { PageMeasures } from '../page-measures.ts'
import type { Block, PageTree } from '../page-tree.ts'

const headingWordsMax = 15
const stampWordsMax = 8
/** Of one kind on a page: an article has one date, a list of releases one for each. */
const stampsMin = 3
/** Of one kind among the chosen: advertisements have headings of their own. */
const headingsMin = 2
/** Between two chosen texts. */
const labelsMax = 4
/** A version, a date with its year or in digits, or a time. */
const stamp = /\d[.\-/:]\d|(?<!\d)\d{4}(?!\d)|\d\s*[年月日년월일]/

/** Adds them to `chosen`. */
export function addLabels({ tree }: PageMeasures, chosen: Uint8Array): void {
  const { blocks, signatures } = tree
  const stamps = countKinds(tree, isStamp)
  const headings = countKinds(tree, (block, index) => isHeading(tree, block) && chosen[index] === 1)
  const isLabel = (block: Block) => {
    const kind = signatures[block.node] as number
    if (isStamp(block) && (stamps.get(kind) ?? 0) >= stampsMin) return true
    return isHeading(tree, block) && (isStamp(block) || (headings.get(kind) ?? 0) >= headingsMin)
  }
  let pending: number[] = []
  let isAfterChosen = false
  blocks.forEach((block, index) => {
    if (block.words === 0) return
    if (chosen[index] === 1) {
      for (const label of pending) chosen[label] = 1
      pending = []
      isAfterChosen = true
    } else if (isAfterChosen && pending.length < labelsMax && isLabel(block)) pending.push(index)
    else {
      pending = []
      isAfterChosen = false
    }
  })
}

/** How many such blocks there are in elements of each kind. */
function countKinds(
  { blocks, signatures }: PageTree,
  isCounted: (block: Block, index: number) => boolean,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  blocks.forEach((block, index) => {
    if (!isCounted(block, index)) return
    const kind = signatures[block.node] as number
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  })
  return counts
}

function isHeading({ names }: PageTree, { node, words }: Block): boolean {
  return /^h[1-6]$/.test(names[node] as string) && words <= headingWordsMax
}

function isStamp({ words, text }: Block): boolean {
  return words > 0 && words <= stampWordsMax && stamp.test(text)
}
