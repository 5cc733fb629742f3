// What an index keeps of a page: its passages, what it is about, what it says of other pages, and its words.
import type { Passage } from '@tollway/reader'
import {
  impactsOf,
  type Mention,
  mentionImpactsOf,
  type PassageFields,
  vectorOf,
} from './fields.ts'
import type { Stems } from './stems.ts'
import { type Token, tokensOf } from './words.ts'

export interface PageToIndex {
  /** The address where the site begins. */
  readonly site: string
  readonly url: string
  readonly title: string
  readonly passages: readonly Passage[]
}

export interface IndexedContent {
  readonly dictionary: string
  readonly passages: readonly object[]
  /** By stem. */
  readonly impacts: ReadonlyMap<string, number>
  /** By the address of another page: how much that page is about each stem. */
  readonly mentions: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** As they are written, for misspelt questions. */
  readonly words: readonly string[]
}

/** Other pages that one page speaks of, and the words that count of what it says of one. */
const mentionedPagesMax = 500
const mentionWordsMax = 40
/** Words by which a misspelt one is corrected: shorter ones resemble too many others. */
const spelledWord = /^\p{L}{3,30}$/u

export async function readPage(stems: Stems, page: PageToIndex): Promise<IndexedContent> {
  const title = tokensOf(page.title)
  const path = tokensOf(decodePath(page.url))
  const passages = page.passages.map((passage) => ({ passage, fields: fieldsOf(passage, title) }))
  const inText = passages.flatMap(({ fields: { C, D } }) => [...C, ...D].map(wordOfToken))
  const inHeadings = passages.flatMap(({ passage: { headings } }) =>
    tokensOf(headings.join(' \n ')).map(wordOfToken),
  )
  const dictionary = await stems.dictionaryFor(inText)
  const words = [...inText, ...inHeadings, ...[...title, ...path].map(wordOfToken)]
  const known = (await stems.stemsOf(new Map([[dictionary, words]]))).get(dictionary) ?? new Map()
  return {
    dictionary,
    impacts: impactsOf({ path, passages: passages.map(({ fields }) => fields) }, known),
    mentions: joinMentions(page.passages.flatMap(mentionsOf), known),
    words: [...new Set(words)].filter((word) => known.has(word) && spelledWord.test(word)),
    passages: passages.map(({ passage: { headings, anchor, text }, fields }, position) => ({
      position,
      headings,
      anchor,
      text,
      words: fields.C.length + fields.D.length,
      vector: vectorOf(fields, known),
    })),
  }
}

/** A passage whose heading links to another page is about that page, and so is its heading. */
function fieldsOf({ headings, text, entries = [], headingUrl }: Passage, title: readonly Token[]) {
  const own = headingUrl === undefined ? headings : headings.slice(0, -1)
  const isListed = ({ at }: Token) =>
    headingUrl !== undefined || entries.some(({ from, to }) => at >= from && at < to)
  const tokens = tokensOf(text)
  return {
    A: title,
    B: tokensOf(own.join(' \n ')),
    C: tokens.filter(isListed),
    D: tokens.filter((token) => !isListed(token)),
  } satisfies PassageFields
}

function mentionsOf({ headings, text, entries = [], headingUrl }: Passage): readonly Mention[] {
  const said = [
    ...entries.map(({ url, from, to }) => ({ url, text: text.slice(from, to) })),
    ...(headingUrl === undefined ? [] : [{ url: headingUrl, text: headings.at(-1) ?? '' }]),
  ]
  return said.map((each) => ({
    url: each.url,
    words: tokensOf(each.text).slice(0, mentionWordsMax),
  }))
}

/** Each word by the mention in which it counts most. */
function joinMentions(mentions: readonly Mention[], stems: ReadonlyMap<string, string>) {
  const joined = new Map<string, Map<string, number>>()
  for (const { url, words } of mentions) {
    const known = joined.get(url) ?? new Map<string, number>()
    if (known.size === 0 && joined.size >= mentionedPagesMax) continue
    for (const [stem, impact] of mentionImpactsOf(words, stems))
      known.set(stem, Math.max(impact, known.get(stem) ?? 0))
    joined.set(url, known)
  }
  return joined
}

const wordOfToken = ({ word }: Token) => word

function decodePath(url: string): string {
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
