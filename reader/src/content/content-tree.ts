// What is returned of a page, as a tree: the elements around the chosen texts and pictures, and no other elements.

import type { Formula } from '../page/formulas/find-formulas.ts'
import { endTag, startTag, textRun } from '../page/markup-tree.ts'
import { isVoid } from '../page/nesting.ts'
import type { Attributes } from '../page/scan.ts'
import type { SeenPage } from '../page/see-page.ts'
import { isListing, writeCode } from './code.ts'
import type { ContentElement } from './nodes.ts'
import { readWrittenFormulas } from './written-formulas.ts'

export interface ContentChoice {
  /** 1 for each event that is taken; all are where it is left out. */
  readonly taken?: Uint8Array | undefined
  /** Elements to leave out with all that they hold. */
  readonly drop?: ReadonlySet<string> | undefined
}

/** Their tags go, their words stay. */
const unwrapped: ReadonlySet<string> = new Set(
  'html head body label font nobr slot template'.split(' '),
)
/** Void elements without anything to read. */
const dropped: ReadonlySet<string> = new Set(
  'input link meta base param source track frame area keygen'.split(' '),
)
/** Boxes that keep the words inside and outside apart. */
const boxes: ReadonlySet<string> = new Set('form fieldset noscript dialog button center'.split(' '))
/** Empty cells stay, or the columns of a table would shift. */
const cells: ReadonlySet<string> = new Set(['td', 'th'])
/** Their text is quoted: a formula in it is not set. */
const quoting: ReadonlySet<string> = new Set('pre code kbd samp tt textarea'.split(' '))

export function buildContent(page: SeenPage, { taken, drop }: ContentChoice): ContentElement {
  const { names, attributes, events, texts, formulas, head } = page
  const root: ContentElement = { name: 'div', attributes: new Map(), children: [] }
  const open: ContentElement[] = [root]
  let skipped: number | undefined

  function begin(node: number, isTaken: boolean): void {
    const name = names[node] as string
    if (drop?.has(name)) {
      if (!isVoid(name)) skipped = node
      return
    }
    if (dropped.has(name)) return
    const element: ContentElement = {
      name: boxes.has(name) ? 'div' : name,
      attributes: attributes[node] as Attributes,
      children: [],
    }
    if (!isVoid(name)) open.push(element)
    else if (isTaken) open.at(-1)?.children.push(element)
  }

  function end(node: number): void {
    const name = names[node] as string
    const element = open.pop() as ContentElement
    setFormulas(element)
    const around = open.at(-1) as ContentElement
    if (unwrapped.has(name)) for (const child of element.children) around.children.push(child)
    else if (name === 'table' && !hasLeaf(element)) return
    else if (element.children.length > 0 || cells.has(name))
      around.children.push(
        name === 'pre' || (name === 'table' && isListing(element))
          ? writeCode(element, open)
          : element,
      )
  }

  function setFormulas(element: ContentElement): void {
    const children = readWrittenFormulas(element.children, head.formulaScript)
    if (children === element.children) return
    if (!quoting.has(element.name) && !open.some(({ name }) => quoting.has(name)))
      element.children = children
  }

  function addFormula({ tex, isDisplay }: Formula): void {
    const attributes = new Map(isDisplay ? [['display', 'block']] : [])
    open.at(-1)?.children.push({ name: 'math', attributes, children: [tex] })
  }

  for (let index = 0; index < events.length; index += 1) {
    const event = events[index] as number
    const place = event >> 2
    const kind = event & 3
    const isTaken = taken === undefined || taken[index] === 1
    if (skipped !== undefined) {
      if (kind === endTag && place === skipped) skipped = undefined
    } else if (kind === textRun) {
      if (isTaken) open.at(-1)?.children.push(texts[place] as string)
    } else if (formulas.has(place)) {
      if (isTaken && kind === startTag) addFormula(formulas.get(place) as Formula)
    } else if (kind === startTag) begin(place, isTaken)
    else end(place)
  }
  setFormulas(root)
  return root
}

/** Whether anything but empty elements is inside. */
function hasLeaf({ children }: ContentElement): boolean {
  return children.some((child) => typeof child === 'string' || isVoid(child.name) || hasLeaf(child))
}
