// The chosen blocks as parts of the page, and as text.
import type { PageTree } from '../page-tree.ts'

/**
 * Marks the events of the chosen blocks, and what stands between two blocks of one listing, such as its blank lines.
 */
export function eventsOfBlocks(tree: PageTree, chosen: Uint8Array): Uint8Array {
  const { events, blocks } = tree
  const taken = new Uint8Array(events.length)
  blocks.forEach(({ node, from, to }, index) => {
    if (chosen[index] !== 1) return
    const next = chosen[index + 1] === 1 ? blocks[index + 1] : undefined
    const listing = next === undefined || next.from === to ? 0 : listingOf(tree, node)
    const isOneListing = listing > 0 && listing === listingOf(tree, next?.node ?? 0)
    taken.fill(1, from, isOneListing ? next?.from : to)
  })
  return taken
}

/** The `pre` around an element; 0 if there is none. */
function listingOf({ names, parents }: PageTree, node: number): number {
  let up = node
  while (up > 0 && names[up] !== 'pre') up = parents[up] as number
  return up
}

/** One line for each chosen block, and an empty one before each heading. */
export function textOfBlocks({ blocks, names }: PageTree, chosen: Uint8Array): string {
  const lines: string[] = []
  blocks.forEach((block, index) => {
    if (chosen[index] !== 1 || block.text === '') return
    if (/^h[1-6]$/.test(names[block.node] as string) && lines.length > 0) lines.push('')
    lines.push(block.text)
  })
  return lines.join('\n')
}
