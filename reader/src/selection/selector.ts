// CSS selectors of tags, classes, ids and attributes, with descendants and children. Strangers write both the selectors
// and the pages, so the time to match is bounded: each element is looked at once for each compound.
import { parse, type Selector as Token } from 'css-what'
import { decodeHTML } from 'entities'

/** An element fits when it fits one of the paths. */
export type Selector = readonly Path[]

/** Compounds from the outermost element to the selected one. */
type Path = readonly Compound[]

interface Compound {
  /** The compound before this one is for the parent, not for any element around this one. */
  readonly isChild: boolean
  readonly tests: readonly ElementTest[]
}

type ElementTest = (name: string, attributes: ReadonlyMap<string, string>) => boolean

/** Elements by number: a parent comes before its children, and the outermost have the parent -1. */
export interface ElementTree {
  readonly names: readonly string[]
  readonly parents: readonly number[]
  /** Values as they are written, entities included. */
  readonly attributes: readonly ReadonlyMap<string, string>[]
}

/** Its message is a sentence for the author of the selector. */
export class SelectorError extends Error {}

export const selectorCharactersMax = 200
const pathsMax = 10
/** The compounds of a path are the bits of a byte. */
const compoundsMax = 8

/** Throws SelectorError. */
export function parseSelector(text: string): Selector {
  if (text.length > selectorCharactersMax)
    throw new SelectorError(`A selector has at most ${selectorCharactersMax} characters.`)
  const paths = parseTokens(text).map(toPath)
  if (paths.length === 0 || paths.flat().some(({ tests }) => tests.length === 0))
    throw notASelector(text)
  if (paths.length > pathsMax || paths.some((path) => path.length > compoundsMax))
    throw new SelectorError(
      `A selector has at most ${pathsMax} alternatives of ${compoundsMax} steps each.`,
    )
  return paths
}

/** The elements that fit, in the order of the page. */
export function selectElements(tree: ElementTree, selector: Selector): readonly number[] {
  const found = new Set<number>()
  for (const path of selector) for (const node of followPath(tree, path)) found.add(node)
  return [...found].sort((one, other) => one - other)
}

function* followPath({ names, parents, attributes }: ElementTree, path: Path): Iterable<number> {
  /** The compounds that each element fits, together with what must be around it, as bits. */
  const here = new Uint8Array(names.length)
  /** The same of the element and those around it together. */
  const around = new Uint8Array(names.length)
  const last = path.length - 1
  for (let node = 0; node < names.length; node += 1) {
    const parent = parents[node] as number
    const ofParent = here[parent] ?? 0
    const ofAll = around[parent] ?? 0
    let fits = 0
    for (const [index, { isChild, tests }] of path.entries()) {
      const before = index === 0 ? 1 : ((isChild ? ofParent : ofAll) >> (index - 1)) & 1
      if (before === 0) continue
      const name = names[node] as string
      if (tests.every((test) => test(name, attributes[node] as ReadonlyMap<string, string>)))
        fits |= 1 << index
    }
    here[node] = fits
    around[node] = fits | ofAll
    if ((fits >> last) & 1) yield node
  }
}

function parseTokens(text: string): Token[][] {
  try {
    return parse(text)
  } catch {
    throw notASelector(text)
  }
}

const notASelector = (text: string) => new SelectorError(`"${text}" is not a CSS selector.`)

function toPath(tokens: readonly Token[]): Path {
  const path: { isChild: boolean; tests: ElementTest[] }[] = [{ isChild: false, tests: [] }]
  for (const token of tokens) {
    if (token.type === 'descendant' || token.type === 'child')
      path.push({ isChild: token.type === 'child', tests: [] })
    else path.at(-1)?.tests.push(toTest(token))
  }
  return path
}

function toTest(token: Token): ElementTest {
  if (token.type === 'universal') return () => true
  if (token.type === 'tag') {
    const wanted = token.name.toLowerCase()
    return (name) => name === wanted
  }
  if (token.type === 'attribute' && token.action !== 'not') return toAttributeTest(token)
  throw new SelectorError(
    'Use tags, classes, ids, attributes, descendants ("a b") and children ("a > b"). Pseudo-classes and siblings are not supported.',
  )
}

type AttributeToken = Extract<Token, { type: 'attribute' }>

function toAttributeTest({ name, action, value, ignoreCase }: AttributeToken): ElementTest {
  const fold = (text: string) => (ignoreCase === true ? text.toLowerCase() : text)
  const wanted = fold(value)
  const key = name.toLowerCase()
  const compare = comparisons[action] ?? (() => false)
  return (_element, attributes) => {
    const written = attributes.get(key)
    if (written === undefined) return false
    return compare(fold(written.includes('&') ? decodeHTML(written) : written), wanted)
  }
}

const comparisons: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  exists: () => true,
  equals: (value, wanted) => value === wanted,
  element: (value, wanted) => wanted !== '' && value.split(/\s+/).includes(wanted),
  hyphen: (value, wanted) => value === wanted || value.startsWith(`${wanted}-`),
  start: (value, wanted) => wanted !== '' && value.startsWith(wanted),
  end: (value, wanted) => wanted !== '' && value.endsWith(wanted),
  any: (value, wanted) => wanted !== '' && value.includes(wanted),
}
