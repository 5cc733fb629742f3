// How a Word paragraph looks: heading, list item or body text, by its own properties, its style and its list.
import { childOf, elementsOf, isOn, type XmlElement } from './xml.ts'

export interface Look {
  readonly headingLevel?: number
  readonly list?: { readonly depth: number; readonly marker: string }
}

export interface Styles {
  readonly language: string | null
  /** How the next paragraph looks, which counts on its list. */
  look(properties: XmlElement | undefined): Look
}

/** A style may be based on one that is based on it. */
const styleDepthMax = 20
const listDepthMax = 8
const bodyTextLevel = 9
/** In twentieths of a point. */
const indentTolerance = 60

/** Returns a function that starts anew: lists count from their start. */
export function createStyles(
  styles: XmlElement | undefined,
  numbering: XmlElement | undefined,
): () => Styles {
  const byId = new Map(
    [...elementsOf(styles, 'style')].map((style) => [style.attributes.styleId ?? '', style]),
  )
  const formatOf = createListFormats(numbering)
  const language =
    childOf(styles, 'docDefaults', 'rPrDefault', 'rPr', 'lang')?.attributes.val ?? null

  function* stylesOf(properties: XmlElement | undefined): Iterable<XmlElement> {
    let id = childOf(properties, 'pStyle')?.attributes.val
    for (let depth = 0; id !== undefined && depth < styleDepthMax; depth += 1) {
      const style = byId.get(id)
      if (style === undefined) return
      yield style
      id = childOf(style, 'basedOn')?.attributes.val
    }
  }

  return () => {
    const counts = new Map<string, number[]>()
    const indents: number[] = []
    /** A list within another is indented further, also where it is a list of its own. */
    const depthOf = (indent: number | undefined, written: number) => {
      if (indent === undefined) return written
      while (indents.length > 0 && (indents.at(-1) ?? 0) > indent + indentTolerance) indents.pop()
      if (indents.length === 0 || (indents.at(-1) ?? 0) < indent - indentTolerance)
        indents.push(indent)
      return Math.min(listDepthMax, indents.length - 1)
    }
    return {
      language,
      look(properties) {
        const chain = [...stylesOf(properties)]
        const sources = [properties, ...chain.map((style) => childOf(style, 'pPr'))]
        const headingLevel = headingOf(sources, chain)
        const listId = firstValue(sources, 'numPr', 'numId')
        if (headingLevel !== undefined || listId === undefined || listId === '0') {
          indents.length = 0
          return headingLevel === undefined ? {} : { headingLevel }
        }
        const level = Number(firstValue(sources, 'numPr', 'ilvl') ?? 0)
        const written = Math.min(listDepthMax, Number.isInteger(level) && level > 0 ? level : 0)
        const { isNumbered, start, indent } = formatOf(listId, written)
        const depth = depthOf(indentOf(sources) ?? indent, written)
        if (!isNumbered) return { list: { depth, marker: '-' } }
        const numbers = counts.get(listId) ?? []
        counts.set(listId, numbers)
        numbers.length = Math.min(numbers.length, written + 1)
        numbers[written] = (numbers[written] ?? start - 1) + 1
        return { list: { depth, marker: `${numbers[written]}.` } }
      },
    }
  }
}

/** The ids of styles whose text Word does not show. */
export function hiddenStylesOf(styles: XmlElement | undefined): ReadonlySet<string> {
  const all = [...elementsOf(styles, 'style')]
  const byId = new Map(all.map((style) => [style.attributes.styleId ?? '', style]))
  const isHidden = (style: XmlElement | undefined, depth = 0): boolean => {
    if (style === undefined || depth > styleDepthMax) return false
    const own = childOf(style, 'rPr', 'vanish')
    if (own !== undefined) return isOn(own)
    return isHidden(byId.get(childOf(style, 'basedOn')?.attributes.val ?? ''), depth + 1)
  }
  return new Set([...byId].flatMap(([id, style]) => (isHidden(style) ? [id] : [])))
}

function firstValue(sources: readonly (XmlElement | undefined)[], ...path: readonly string[]) {
  for (const source of sources) {
    const value = childOf(source, ...path)?.attributes.val
    if (value !== undefined) return value
  }
  return undefined
}

function indentOf(sources: readonly (XmlElement | undefined)[]): number | undefined {
  for (const source of sources) {
    const { left, start } = childOf(source, 'ind')?.attributes ?? {}
    const indent = Number(left ?? start ?? Number.NaN)
    if (Number.isFinite(indent)) return indent
  }
  return undefined
}

function headingOf(
  sources: readonly (XmlElement | undefined)[],
  chain: readonly XmlElement[],
): number | undefined {
  const outline = firstValue(sources, 'outlineLvl')
  if (outline !== undefined) {
    const level = Number(outline)
    return Number.isInteger(level) && level >= 0 && level < bodyTextLevel ? level + 1 : undefined
  }
  for (const style of chain) {
    const name = childOf(style, 'name')?.attributes.val?.toLowerCase() ?? ''
    if (name === 'title') return 1
    const level = /^heading ([1-9])$/.exec(name)?.[1]
    if (level !== undefined) return Number(level)
  }
  return undefined
}

/** Whether the paragraphs of a list are numbered at a depth, and from which number on. */
function createListFormats(numbering: XmlElement | undefined) {
  const byId = (name: string, attribute: string) =>
    new Map(
      [...elementsOf(numbering, name)].map((each) => [each.attributes[attribute] ?? '', each]),
    )
  const abstracts = byId('abstractNum', 'abstractNumId')
  const lists = byId('num', 'numId')
  return (listId: string, depth: number) => {
    const abstract = abstracts.get(
      childOf(lists.get(listId), 'abstractNumId')?.attributes.val ?? '',
    )
    const level = [...elementsOf(abstract, 'lvl')].find(
      ({ attributes }) => attributes.ilvl === String(depth),
    )
    const format = childOf(level, 'numFmt')?.attributes.val ?? 'bullet'
    const start = Number(childOf(level, 'start')?.attributes.val ?? 1)
    return {
      isNumbered: format !== 'bullet' && format !== 'none',
      start: Number.isInteger(start) ? start : 1,
      indent: indentOf([childOf(level, 'pPr')]),
    }
  }
}
