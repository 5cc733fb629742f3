// Formulas that a page writes as TeX in its text, between the marks of MathJax and KaTeX, for a script to set.
import { tidyTex } from '../page/formulas/find-formulas.ts'
import type { ContentElement, ContentNode } from './nodes.ts'

export interface FormulaScript {
  /** The page has a script that sets formulas. */
  readonly isPresent: boolean
  /** The script also sets what stands between single dollars. */
  readonly takesDollars: boolean
}

/** Without the dollar, which is a sign of money unless the script of the page says otherwise. */
const opening = /\\\(|\\\[|\$\$|\\begin\{([a-zA-Z]{1,20}\*?)\}/g
const openingOrDollar = /\\\(|\\\[|\$\$|\\begin\{([a-zA-Z]{1,20}\*?)\}|(?<![\\\w])\$(?=[^\s$])/g
const closings: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]', $$: '$$', $: '$' }
const formulaCharactersMax = 5_000

/** The nodes with an element `math` for each formula; the same array where there is none. */
export function readWrittenFormulas(nodes: ContentNode[], script: FormulaScript): ContentNode[] {
  const isMarked = (node: ContentNode) =>
    typeof node === 'string' && (node.includes('\\') || node.includes('$'))
  if (!nodes.some(isMarked)) return nodes
  return joinTexts(nodes).flatMap((node) =>
    typeof node === 'string' ? splitText(node, script) : [node],
  )
}

/** A bare `<` stands in a text of its own. */
function joinTexts(nodes: readonly ContentNode[]): ContentNode[] {
  const joined: ContentNode[] = []
  let texts: string[] = []
  const end = () => {
    if (texts.length > 0) joined.push(texts.join(''))
    texts = []
  }
  for (const node of nodes) {
    if (typeof node === 'string') texts.push(node)
    else {
      end()
      joined.push(node)
    }
  }
  end()
  return joined
}

function splitText(text: string, script: FormulaScript): ContentNode[] {
  const marks = new RegExp(script.takesDollars ? openingOrDollar : opening)
  const closingAfter = createFinder(text)
  const nodes: ContentNode[] = []
  let from = 0
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const [mark, environment] = found
    const closing = environment === undefined ? closings[mark] : `\\end{${environment}}`
    const end = closingAfter(closing as string, marks.lastIndex)
    if (end === -1 || end - found.index > formulaCharactersMax) continue
    const after = end + (closing as string).length
    const inside = text.slice(marks.lastIndex, end)
    if (!isFormula(mark, inside, text.slice(after, after + 1), script)) continue
    if (found.index > from) nodes.push(text.slice(from, found.index))
    const tex = environment === undefined ? inside : text.slice(found.index, after)
    nodes.push(formulaOf(tex, mark !== '\\(' && mark !== '$'))
    from = after
    marks.lastIndex = after
  }
  if (from === 0) return [text]
  if (from < text.length) nodes.push(text.slice(from))
  return nodes
}

/** Finds each mark in rising order, and looks at each character once. */
function createFinder(text: string) {
  const places = new Map<string, number>()
  return (mark: string, from: number): number => {
    const known = places.get(mark)
    if (known !== undefined && (known === -1 || known >= from)) return known
    const place = text.indexOf(mark, from)
    places.set(mark, place)
    return place
  }
}

/** Brackets with backslashes also quote brackets, and two dollars are a name in shells. */
function isFormula(mark: string, inside: string, next: string, script: FormulaScript): boolean {
  if (inside.trim() === '') return false
  if (mark === '$') return !/\s$|\\$|\n\s*\n/.test(inside) && !/\d/.test(next)
  if (script.isPresent || mark.startsWith('\\begin')) return true
  if (/\\[a-zA-Z]+|[_^]\S|\S\s*=/.test(inside)) return true
  return mark === '\\(' && /^\s*[a-zA-Z]\s*$/.test(inside)
}

function formulaOf(written: string, isDisplay: boolean): ContentElement {
  const attributes = new Map(isDisplay ? [['display', 'block']] : [])
  return { name: 'math', attributes, children: [tidyTex(written)] }
}
