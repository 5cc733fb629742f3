// The part of a page that a caller's selectors leave of it.
import { endTag, type MarkupTree, startTag } from '../page/markup-tree.ts'
import { isVoid } from '../page/nesting.ts'
import { parseSelector, selectElements } from './selector.ts'

/** CSS selectors. An element in both lists is left out. */
export interface SelectionWish {
  /** Only what stands in one of these elements is taken. Undefined or empty: the whole page. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

export const hasIncludes = ({ include = [] }: SelectionWish) => include.length > 0

/**
 * 1 for each event of the page that is taken, as far as `taken` allows it too. Undefined where all are. Throws
 * SelectorError.
 */
export function selectEvents(
  page: MarkupTree,
  wish: SelectionWish,
  taken?: Uint8Array,
): Uint8Array | undefined {
  const { include = [], exclude = [] } = wish
  if (include.length === 0 && exclude.length === 0) return taken
  const included = nodesOf(page, include)
  const excluded = nodesOf(page, exclude)
  const { events, names } = page
  const selected = new Uint8Array(events.length)
  let insideIncluded = 0
  let insideExcluded = 0
  for (const [index, event] of events.entries()) {
    const node = event >> 2
    const kind = event & 3
    const change = kind === startTag ? 1 : kind === endTag ? -1 : 0
    if (change === 1) {
      if (included.has(node)) insideIncluded += 1
      if (excluded.has(node)) insideExcluded += 1
    }
    const isIncluded = include.length === 0 || insideIncluded > 0
    if (isIncluded && insideExcluded === 0)
      selected[index] = taken === undefined ? 1 : (taken[index] ?? 0)
    const isOver = change === -1 || (change === 1 && isVoid(names[node] as string))
    if (isOver && included.has(node)) insideIncluded -= 1
    if (isOver && excluded.has(node)) insideExcluded -= 1
  }
  return selected
}

function nodesOf(page: MarkupTree, selectors: readonly string[]): ReadonlySet<number> {
  return new Set(
    selectors.flatMap((selector) => [...selectElements(page, parseSelector(selector))]),
  )
}
