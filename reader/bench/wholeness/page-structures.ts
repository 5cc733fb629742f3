// The tables, lists, quotations, listings and definition lists of a real page that stand inside its content.
import { type PageTree, readPageTree } from '../../src/extraction/page-tree.ts'
import { seePage } from '../../src/page/see-page.ts'
import { wordsOf } from '../word-f1.ts'
import { countRuns, findable, sharedPart, wholenessOf } from './found-text.ts'

export interface PageStructure {
  readonly name: string
  readonly text: string
  /** Runs of its words that stand nowhere else on the page: a structure that is gone may be like one that is read. */
  readonly ownRuns: readonly string[]
}

const names: ReadonlySet<string> = new Set(['table', 'ul', 'ol', 'dl', 'blockquote', 'pre'])
/** What a table that only places things has in its cells. */
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const wordsMin = 5
/**
 * Of the runs of its words, which cross its lines: the lines of a table of contents stand in the content too, each for
 * itself.
 */
const togetherShareMin = 0.8
/** Larger ones are the content, and place its parts. */
const contentShareMax = 0.5

/** The outermost of each place of the page, of which the truth has every line, in their order. */
export function structuresInside(html: string, truth: string): PageStructure[] {
  const tree = readPageTree(seePage(html))
  const content = findable(truth)
  const contentWords = wordsOf(truth).length
  const counts = countRuns(tree.blocks.map((block) => block.text).join('\n'))
  return [...textsOfStructures(tree)].flatMap(([node, lines]) => {
    const text = lines.join('\n')
    const words = wordsOf(text).length
    const isOne = lines.length === 1 && tree.names[node] !== 'pre'
    if (isOne || words < wordsMin || words > contentWords * contentShareMax) return []
    if (!lines.every((line) => wholenessOf(line, content) === 'whole')) return []
    if (sharedPart(text, content) < togetherShareMin) return []
    const inside = countRuns(text)
    const ownRuns = [...inside].filter(([run, count]) => counts.get(run) === count)
    return [{ name: tree.names[node] as string, text, ownRuns: ownRuns.map(([run]) => run) }]
  })
}

function textsOfStructures(tree: PageTree): ReadonlyMap<number, string[]> {
  const outermost = outermostStructures(tree)
  const texts = new Map<number, string[]>()
  for (const { node, text } of tree.blocks) {
    const structure = outermost[node] as number
    if (structure === 0 || text === '') continue
    const lines = texts.get(structure) ?? []
    lines.push(text)
    texts.set(structure, lines)
  }
  return texts
}

/**
 * For each element the outermost structure around it; 0 if there is none. Inside tables with headings there may be
 * some.
 */
function outermostStructures({ names: elements, parents }: PageTree): Int32Array {
  const placing = new Set<number>()
  elements.forEach((name, node) => {
    if (!headings.has(name)) return
    for (let up = node; up > 0; up = parents[up] as number) placing.add(up)
  })
  const outermost = new Int32Array(elements.length)
  for (let node = 1; node < elements.length; node += 1) {
    const around = outermost[parents[node] as number] as number
    const isStructure = names.has(elements[node] as string) && !placing.has(node)
    outermost[node] = around > 0 ? around : isStructure ? node : 0
  }
  return outermost
}
