// What a page shows as one: a table, a list, a quotation, a listing, a definition list or a figure. Its blocks stand
// together.
import type { PageTree } from '../page-tree.ts'

export interface Structure {
  readonly node: number
  /** The first and last block inside. */
  readonly first: number
  readonly last: number
}

const names: ReadonlySet<string> = new Set('table ul ol dl blockquote pre figure'.split(' '))
/** What stands in the cells and items of those that only place the parts of a page. */
const parts: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 article section form button input select textarea nav'.split(' '),
)

/** The outermost ones, in page order. */
export function findStructures(tree: PageTree): readonly Structure[] {
  const outermost = outermostStructures(tree)
  const found: Structure[] = []
  let open: { node: number; first: number; last: number } | undefined
  tree.blocks.forEach(({ node: element }, index) => {
    const node = outermost[element] as number
    if (open !== undefined && node === open.node) open.last = index
    else {
      open = node === 0 ? undefined : { node, first: index, last: index }
      if (open !== undefined) found.push(open)
    }
  })
  return found
}

/** For each element the structure around it; 0 if there is none. */
function outermostStructures({ names: elements, parents }: PageTree): Int32Array {
  const placing = findPlacing(elements, parents)
  const outermost = new Int32Array(elements.length)
  for (let node = 1; node < elements.length; node += 1) {
    const around = outermost[parents[node] as number] as number
    const isStructure = names.has(elements[node] as string) && placing[node] === 0
    outermost[node] = around > 0 ? around : isStructure ? node : 0
  }
  return outermost
}

/** 1 for each element that holds parts of a page, or a table in a table. */
function findPlacing(elements: readonly string[], parents: readonly number[]): Uint8Array {
  const placing = new Uint8Array(elements.length)
  const tables = new Uint8Array(elements.length)
  for (let node = elements.length - 1; node > 0; node -= 1) {
    const name = elements[node] as string
    const parent = parents[node] as number
    if (name === 'table' && tables[node] === 1) placing[node] = 1
    if (name === 'table' || tables[node] === 1) tables[parent] = 1
    if (parts.has(name) || placing[node] === 1) placing[parent] = 1
  }
  return placing
}
