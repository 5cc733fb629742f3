// The tree of the content, and how to look into it.
import type { Attributes } from '../page/scan.ts'

export type ContentNode = string | ContentElement

/**
 * No deeper than `depthMax`, so that recursion is safe. A formula is an element `math` with its TeX, a listing a `pre`
 * with its code.
 */
export interface ContentElement {
  readonly name: string
  /** Values as written, entities included. */
  readonly attributes: Attributes
  children: ContentNode[]
}

const sections: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot'])

export function isElement(node: ContentNode): node is ContentElement {
  return typeof node !== 'string'
}

/** Line feeds stand for line breaks. */
export function textOf(node: ContentNode): string {
  if (typeof node === 'string') return node
  return node.name === 'br' ? '\n' : node.children.map(textOf).join('')
}

export function isSection({ name }: ContentElement): boolean {
  return sections.has(name)
}

/** The rows of a table, without those of tables inside. The foot is the last of it, wherever it is written. */
export function rowsOf({ children }: ContentElement): ContentElement[] {
  const parts = children.filter(isElement)
  return [
    ...parts.filter(({ name }) => name !== 'tfoot'),
    ...parts.filter(({ name }) => name === 'tfoot'),
  ].flatMap((part) => (part.name === 'tr' ? [part] : isSection(part) ? rowsOf(part) : []))
}

export function cellsOf({ children }: ContentElement): ContentElement[] {
  return children.filter(isElement).filter(isCell)
}

export function isCell({ name }: ContentElement): boolean {
  return name === 'td' || name === 'th'
}
