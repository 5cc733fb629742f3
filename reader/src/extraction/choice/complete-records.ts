// Cards and rows of one kind belong together: where nearly all of them are chosen, those left out are chosen too, and
// so are parts that nearly all of them have.
import type { PageMeasures } from '../page-measures.ts'

const recordsMin = 5
const chosenShareMin = 0.8
const partShareMin = 0.5

interface Group {
  /** For each record whether any of its blocks is chosen. */
  readonly records: Map<number, boolean>
  /** By the kind of element: how many of its blocks there are, and how many are chosen. */
  readonly parts: Map<number, Part>
}

interface Part {
  readonly count: number
  readonly chosen: number
}

export function completeRecords(page: PageMeasures, chosen: Uint8Array): void {
  const { blocks, parents, signatures } = page.tree
  const groups = new Map<number, Group>()
  const keyOf = (record: number) =>
    Math.imul(parents[record] as number, 0x9e3779b1) ^ (signatures[record] as number)
  const records = blocks.map(({ node }) => recordOf(page, node))
  blocks.forEach(({ node, words }, index) => {
    const record = records[index] as number
    if (record === 0 || words === 0) return
    const key = keyOf(record)
    const group = groups.get(key) ?? { records: new Map(), parts: new Map() }
    groups.set(key, group)
    const isChosen = chosen[index] === 1
    group.records.set(record, isChosen || group.records.get(record) === true)
    const kind = signatures[node] as number
    const part = group.parts.get(kind) ?? { count: 0, chosen: 0 }
    group.parts.set(kind, { count: part.count + 1, chosen: part.chosen + (isChosen ? 1 : 0) })
  })
  const complete = new Map([...groups].map(([key, group]) => [key, isNearlyWhole(group)]))
  blocks.forEach(({ node, words }, index) => {
    const record = records[index] as number
    if (record === 0 || words === 0) return
    const key = keyOf(record)
    if (complete.get(key) !== true) return
    const group = groups.get(key) as Group
    const part = group.parts.get(signatures[node] as number) as Part
    const shareMin = group.records.get(record) === true ? chosenShareMin : partShareMin
    if (part.chosen >= part.count * shareMin) chosen[index] = 1
  })
}

/** The nearest element around that has siblings of its kind; 0 if there is none. */
function recordOf({ tree, siblings }: PageMeasures, node: number): number {
  let up = node
  while (up > 0 && (siblings[up] as number) < recordsMin) up = tree.parents[up] as number
  return up
}

function isNearlyWhole({ records }: Group): boolean {
  const chosen = [...records.values()].filter(Boolean).length
  return records.size >= recordsMin && chosen >= records.size * chosenShareMin
}
