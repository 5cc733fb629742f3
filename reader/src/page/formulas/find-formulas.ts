// Formulas of a page, as TeX: MathML, KaTeX, MathJax, the scripts that MathJax reads, and pictures of formulas.
import { decodeHTML } from 'entities'
import { endTag, type MarkupTree, startTag, texElement, textRun } from '../markup-tree.ts'
import { isVoid } from '../nesting.ts'
import type { Attributes } from '../scan.ts'
import { texOfMathMl } from './math-ml.ts'

export interface Formula {
  readonly tex: string
  /** On a line of its own. */
  readonly isDisplay: boolean
}

const containerClass =
  /(?:^|\s)(?:katex|katex-display|mwe-math-element|mathjax|mathjax_display|mathjax_svg|mathjax_preview)(?:\s|$)/i
const mathJaxClass = /(?:^|\s)mathjax/i
const pictureClass = /(?:^|\s)(?:latex|tex|mwe-math-\S+)(?:\s|$)/
const displayClass = /(?:^|\s)(?:katex-display|mathjax_display|mwe-math-\S*block)(?:\s|$)/i

/** By the outermost element of each formula. Empty TeX stands for what MathJax made of a script that is on the page. */
export function findFormulas(page: MarkupTree): ReadonlyMap<number, Formula> {
  const { names, attributes, events } = page
  const formulas = new Map<number, Formula>()
  const hasScripts = names.includes(texElement)
  let container: number | undefined
  let start = 0
  const note = (node: number, end: number) => {
    const formula = readFormula(page, node, start, end, hasScripts)
    if (formula !== undefined) formulas.set(node, formula)
  }
  events.forEach((event, index) => {
    const node = event >> 2
    const kind = event & 3
    if (kind === endTag && node === container) {
      note(node, index)
      container = undefined
    }
    if (kind !== startTag || container !== undefined) return
    const name = names[node] as string
    const found = attributes[node] as Attributes
    if (!isContainer(name, found)) return
    start = index
    if (isVoid(name)) note(node, index)
    else container = node
  })
  return formulas
}

function isContainer(name: string, attributes: Attributes): boolean {
  if (name === 'math' || name === texElement || name === 'mjx-container') return true
  const className = attributes.get('class')
  if (className === undefined) return false
  return name === 'img' ? pictureClass.test(className) : containerClass.test(className)
}

function readFormula(
  page: MarkupTree,
  node: number,
  start: number,
  end: number,
  hasScripts: boolean,
): Formula | undefined {
  const { names, attributes, events, texts } = page
  const own = attributes[node] as Attributes
  if (hasScripts && mathJaxClass.test(own.get('class') ?? '')) return { tex: '', isDisplay: false }
  let isDisplay = own.get('display') === 'true'
  let isAnnotation = names[node] === texElement
  let annotation = ''
  let alternative = ''
  let math: number | undefined
  for (let index = start; index <= end; index += 1) {
    const event = events[index] as number
    const place = event >> 2
    if ((event & 3) === textRun) {
      if (isAnnotation) annotation += texts[place]
      continue
    }
    const name = names[place]
    const found = attributes[place] as Attributes
    if ((event & 3) === endTag) {
      if (name === 'annotation') isAnnotation = false
      continue
    }
    if (name === 'annotation') isAnnotation = /tex/i.test(found.get('encoding') ?? '')
    if (name === 'math') math ??= index
    isDisplay ||= found.get('display') === 'block' || displayClass.test(found.get('class') ?? '')
    alternative ||=
      found.get('data-latex') ||
      (name === 'math' && found.get('alttext')) ||
      (name === 'img' && found.get('alt')) ||
      ''
  }
  const written = annotation.trim() || decodeHTML(alternative)
  const tex = tidyTex(written || (math === undefined ? '' : texOfMathMl(page, math, end)))
  return tex === '' ? undefined : { tex, isDisplay }
}

/** Wikipedia wraps each formula in its style. A dollar or a line would end it. */
export function tidyTex(written: string): string {
  const tex = written.replace(/\s+/g, ' ').trim()
  const [, inside] = /^\{\\(?:display|text|script)style ?(.*)\}$/.exec(tex) ?? []
  return (inside ?? tex).trim().replace(/(?<!\\)\$/g, '\\$')
}
