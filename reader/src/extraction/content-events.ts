// The chosen blocks as parts of the page, and as text.
import type { PageTree } from './page-tree.ts'

/** Marks the events of the chosen blocks. */
export function eventsOfBlocks({ events, blocks }: PageTree, chosen: Uint8Array): Uint8Array {
  const taken = new Uint8Array(events.length)
  blocks.forEach(({ from, to }, block) => {
    if (chosen[block] === 1) taken.fill(1, from, to)
  })
  return taken
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
