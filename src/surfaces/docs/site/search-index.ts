// What the search of the documents knows of each section.
import { type SearchIndex, termsOf } from './search.js'

export interface SearchedPage {
  readonly path: string
  readonly title: string
  /** Without its title, as Markdown. */
  readonly markdown: string
  /** How likely a newcomer looks for it, from 0 to 1. */
  readonly weight: number
  /** Other words that people use for a section, by its anchor. The page itself has an empty one. */
  readonly words?: Readonly<Record<string, string>>
}

/** What a word counts more than in the text. */
const counts = { title: 6, heading: 4, words: 3 } as const
const snippetCharacters = 110
/** One digit to the base of 36. */
const countMax = 35

export function createSearchIndex(
  pages: readonly SearchedPage[],
  anchorsOf: (markdown: string) => (heading: string) => string,
): SearchIndex {
  const written = pages.flatMap((page, at) => countSections(page, at, anchorsOf))
  const meanWords = written.reduce((sum, { words }) => sum + words, 0) / written.length
  const sections = written.map(({ section, words }) => [...section, words] as const)
  const places = new Map<string, [section: number, count: number][]>()
  for (const [at, { said, named, words }] of written.entries()) {
    // A long section is held back for what its text repeats. What it is named counts as much as that of a short one.
    const evened = Math.max(1, words / meanWords)
    for (const term of new Set([...said.keys(), ...named.keys()])) {
      const sum = (said.get(term) ?? 0) + (named.get(term) ?? 0) * evened
      const known = places.get(term) ?? []
      places.set(term, known)
      known.push([at, Math.min(Math.round(sum), countMax)])
    }
  }
  return {
    pages: pages.map(({ path, title, weight }) => [path, title, weight] as const),
    sections,
    terms: Object.fromEntries([...places].map(([term, found]) => [term, writePlaces(found)])),
  }
}

/** What each section of a page says in its text, and by which words it is named. */
function countSections(
  { title, markdown, words = {} }: SearchedPage,
  page: number,
  anchorsOf: (markdown: string) => (heading: string) => string,
) {
  const anchorOf = anchorsOf(markdown)
  return sectionsOf(markdown).map(({ heading, text }, at) => {
    const anchor = heading === '' ? '' : anchorOf(heading)
    const said = countTerms([[text, 1]])
    const named = countTerms([
      [title, at === 0 ? counts.title : 1],
      [heading, counts.heading],
      [words[anchor] ?? '', counts.words],
    ])
    return {
      section: [page, anchor, plainText(heading), snippetOf(text)] as const,
      said,
      named,
      words: [...said.values(), ...named.values()].reduce((sum, each) => sum + each, 0),
    }
  })
}

function countTerms(texts: readonly (readonly [text: string, by: number])[]) {
  const found = new Map<string, number>()
  for (const [text, by] of texts)
    for (const term of termsOf(text)) found.set(term, (found.get(term) ?? 0) + by)
  return found
}

function writePlaces(places: readonly (readonly [number, number])[]): string {
  let last = 0
  return places
    .map(([section, count]) => {
      const step = (section - last).toString(36)
      last = section
      return count === 1 ? step : `${step}.${count.toString(36)}`
    })
    .join(' ')
}

const headingLine = /^#{2,3} (.*)$/gm

function sectionsOf(markdown: string): { heading: string; text: string }[] {
  const [first = '', ...rest] = markdown.split(headingLine)
  const others = rest.flatMap((heading, at) =>
    at % 2 === 0 ? [{ heading, text: rest[at + 1] ?? '' }] : [],
  )
  return [{ heading: '', text: first }, ...others]
}

/** Markdown without its marks. */
const plainText = (markdown: string) =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\\([<>[\]*_`|\\])/g, '$1')
    .replaceAll(/[*`|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

function snippetOf(text: string): string {
  const prose = plainText(text.replaceAll(/^ *```[\s\S]*?^ *```/gm, ''))
  if (prose.length <= snippetCharacters) return prose
  return `${prose.slice(0, prose.lastIndexOf(' ', snippetCharacters))} …`
}
