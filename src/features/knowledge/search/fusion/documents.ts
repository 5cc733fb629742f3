// Brings together the findings of one document.
import type { EvidenceList, SourceResult } from '../evidence.ts'
import { areCopies, type Wording, wordingOf } from './near-duplicates.ts'
import { pageAddress } from './page-address.ts'
import { type StrongIds, strongIds } from './strong-ids.ts'

/** A finding with its place in a list. */
export interface Placed {
  readonly list: EvidenceList
  readonly finding: SourceResult
  /** From 1. */
  readonly rank: number
  readonly address: string
  readonly ids: StrongIds
}

interface Read extends Placed {
  readonly wording: Wording
}

/** Groups of findings of one document each. The order of the lists does not matter. */
export function groupByDocument(lists: readonly EvidenceList[]): (readonly Placed[])[] {
  const groups: Read[][] = []
  for (const read of lists.flatMap(readList).toSorted(compare)) {
    // A text may resemble several others, so the address decides first, then the identifiers.
    const find = (isSame: (each: Read) => boolean) =>
      groups.find((group) => isFree(group, read) && group.some(isSame))
    const group =
      groups.find((group) => group.some(({ address }) => address === read.address)) ??
      find((each) => haveEqualId(each, read)) ??
      find((each) => areMirrors(each, read))
    if (group === undefined) groups.push([read])
    else group.push(read)
  }
  return groups
}

const readList = (list: EvidenceList): Read[] =>
  list.findings.map((finding, at) => ({
    list,
    finding,
    rank: at + 1,
    address: finding.figure ?? pageAddress(finding.url),
    ids: strongIds(finding),
    wording: wordingOf(finding),
  }))

/** Findings with more identifiers come first, so that later ones find them. */
function compare(one: Read, other: Read): number {
  const key = ({ address, list, rank }: Read) =>
    `${address}\n${list.source}\n${list.facet}\n${rank}`
  const [first, second] = [key(one), key(other)]
  return other.ids.size - one.ids.size || (first < second ? -1 : first > second ? 1 : 0)
}

/** Whether nothing in the group has another identifier of a kind that the finding has. */
const isFree = (group: readonly Read[], { ids }: Read) =>
  group.every((each) =>
    [...ids].every(([kind, id]) => each.ids.get(kind) === undefined || each.ids.get(kind) === id),
  )

const haveEqualId = (one: Read, other: Read) =>
  [...one.ids].some(([kind, id]) => other.ids.get(kind) === id)

/** A host does not mirror itself: two of its addresses are two pages, as the versions of a manual are. */
const areMirrors = (one: Read, other: Read) =>
  hostOf(one) !== hostOf(other) && areCopies(one.wording, other.wording)

export const hostOf = ({ address }: Pick<Placed, 'address'>): string =>
  address.split(/[/?#]/, 1)[0] ?? ''
