// XML as a tree of bounded size. Entities of a DTD are not expanded and nothing is fetched.
import { createXmlScanner } from '@tollway/reader'
import { decodeXML } from 'entities'
import { tooLarge, unreadable } from '../failure.ts'

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string
  /** By full name, and by the name without prefix where that is not taken. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (XmlElement | string)[]
}

const xmlLimits = { depthMax: 500, elementsMax: 3_000_000 } as const

interface ParseOptions {
  /**
   * Elements of this name are handed over when they end, and left out of the tree, so that long files need little
   * memory.
   */
  readonly each?: { readonly name: string; readonly take: (element: XmlElement) => void }
}

/** The root element. Throws DocumentFailure. */
export function parseXml(bytes: Buffer, { each }: ParseOptions = {}): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [] }
  const open: { readonly fullName: string; readonly element: XmlElement }[] = [
    { fullName: '', element: top },
  ]
  const addText = (text: string) => open.at(-1)?.element.children.push(text)
  let elements = 0
  const closeOne = () => {
    const element = open.pop()?.element
    if (each === undefined || element?.name !== each.name) return
    open.at(-1)?.element.children.pop()
    each.take(element)
  }
  const scan = createXmlScanner({
    open(fullName, written) {
      elements += 1
      if (open.length > xmlLimits.depthMax || elements > xmlLimits.elementsMax)
        throw tooLarge('The document has more or deeper parts than are read. Split it.')
      const element = {
        name: localName(fullName),
        attributes: attributesOf(written),
        children: [],
      }
      open.at(-1)?.element.children.push(element)
      open.push({ fullName, element })
    },
    close(fullName) {
      const index = open.findLastIndex((each) => each.fullName === fullName)
      while (index > 0 && open.length > index) closeOne()
    },
    text: (part) => addText(decodeXML(part)),
    literal: addText,
  })
  scan(decodeXml(bytes))
  const root = top.children.find((child) => typeof child !== 'string')
  if (root === undefined) throw unreadable('The document is damaged: one of its parts is not XML.')
  return root
}

/** XML of these formats is UTF-8, or UTF-16 with a byte order mark. */
export function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function attributesOf(written: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single = ''] of written.matchAll(
    /([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    attributes[name] = decodeXML(double ?? single)
    attributes[localName(name)] ??= attributes[name]
  }
  return attributes
}

export function* elementsOf(element: XmlElement | undefined, name?: string): Iterable<XmlElement> {
  for (const child of element?.children ?? [])
    if (typeof child !== 'string' && (name === undefined || child.name === name)) yield child
}

/** The first element on a path of names: `childOf(style, 'pPr', 'numPr')`. */
export function childOf(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let found = element
  for (const name of path) {
    const [first] = elementsOf(found, name)
    if (first === undefined) return undefined
    found = first
  }
  return found
}

/** The elements of this name at any depth, but not within each other. */
export function* within(element: XmlElement, name: string): Iterable<XmlElement> {
  for (const child of elementsOf(element)) {
    if (child.name === name) yield child
    else yield* within(child, name)
  }
}

export function textOf(element: XmlElement | undefined): string {
  let text = ''
  for (const child of element?.children ?? [])
    text += typeof child === 'string' ? child : textOf(child)
  return text
}

/** The value of an on-off element such as `<w:b/>` and `<w:b w:val="0"/>`. */
export function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !/^(?:0|false|off|none)$/.test(element.attributes.val ?? '')
}
