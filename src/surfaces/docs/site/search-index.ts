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
const countMax = 12

export function createSearchIndex(
  pages: readonly SearchedPage[],
  anchorsOf: (markdown: string) => (heading: string) => string,
): SearchIndex {
  const sections: SearchIndex['sections'][number][] = []
  const places = new Map<string, [section: number, count: number][]>()

  pages.forEach(({ title, markdown, words = {} }, page) => {
    const anchorOf = anchorsOf(markdown)
    for (const [at, { heading, text }] of sectionsOf(markdown).entries()) {
      const isFirst = at === 0
      const found = new Map<string, number>()
      const count = (from: string, by: number) => {
        for (const term of termsOf(from)) found.set(term, (found.get(term) ?? 0) + by)
      }
      count(title, isFirst ? counts.title : 1)
      count(heading, counts.heading)
      count(text, 1)
      const anchor = heading === '' ? '' : anchorOf(heading)
      count(words[anchor] ?? '', counts.words)
      const length = [...found.values()].reduce((sum, each) => sum + each, 0)
      const section = sections.push([page, anchor, plainText(heading), snippetOf(text), length]) - 1
      for (const [term, sum] of found) {
        const known = places.get(term) ?? []
        places.set(term, known)
        known.push([section, Math.min(sum, countMax)])
      }
    }
  })
  return {
    pages: pages.map(({ path, title, weight }) => [path, title, weight] as const),
    sections,
    terms: Object.fromEntries([...places].map(([term, found]) => [term, writePlaces(found)])),
  }
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
