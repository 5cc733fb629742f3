// The chosen blocks as HTML: with the elements around them, so that lists, tables and quotations stay what they are.
import { isVoid } from '../page/nesting.ts'
import { endTag, type PageTree, startTag, textRun } from './page-tree.ts'

/** Their tags go, their words stay: what cleans the page afterwards would drop them whole. */
const unwrapped: ReadonlySet<string> = new Set(['noscript', 'template', 'dialog'])
const cells: ReadonlySet<string> = new Set(['td', 'th'])

export function prunePage(tree: PageTree, chosen: Uint8Array): string {
  const taken = takenEvents(tree, chosen)
  const kept = keptElements(tree, taken)
  const output: string[] = []
  tree.events.forEach((event, index) => {
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      if (taken[index] === 1) output.push(tree.texts[place] as string)
      return
    }
    const name = tree.names[place] as string
    if (unwrapped.has(name)) return
    if (kind === startTag && isVoid(name)) {
      if (taken[index] === 1) output.push(`<${name}${tree.attributes[place]}>`)
      return
    }
    // Empty cells stay, or the columns of a table would shift.
    const isKept =
      kept[place] === 1 || (cells.has(name) && kept[tree.parents[place] as number] === 1)
    if (!isKept) return
    output.push(kind === endTag ? `</${name}>` : `<${name}${tree.attributes[place]}>`)
  })
  return output.join('')
}

function takenEvents({ events, blocks }: PageTree, chosen: Uint8Array): Uint8Array {
  const taken = new Uint8Array(events.length)
  blocks.forEach(({ from, to }, block) => {
    if (chosen[block] === 1) taken.fill(1, from, to)
  })
  return taken
}

/** The elements around each taken text or picture. */
function keptElements({ names, parents, events }: PageTree, taken: Uint8Array): Uint8Array {
  const kept = new Uint8Array(names.length)
  let around = 0
  events.forEach((event, index) => {
    const place = event >> 2
    const kind = event & 3
    const isEmpty = kind === startTag && isVoid(names[place] as string)
    if (kind === startTag && !isEmpty) around = place
    else if (kind === endTag) around = parents[place] as number
    else if (taken[index] === 1)
      for (let up = around; up > 0 && kept[up] === 0; up = parents[up] as number) kept[up] = 1
  })
  return kept
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
