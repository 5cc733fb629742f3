type IndexedSection = readonly [
  page: number,
  anchor: string,
  heading: string,
  firstWords: string,
  wordCount: number,
]

/** Texts of the documents as browsers get them, made small. */
export interface SearchIndex {
  /** The weight says how likely a newcomer looks for it. */
  readonly pages: readonly (readonly [path: string, title: string, weight: number])[]
  readonly sections: readonly IndexedSection[]
  /** `2.3 1`: the third section counts 3, and the fourth 1. Steps and counts are written to the base of 36. */
  readonly terms: Readonly<Record<string, string>>
}

export interface FoundSection {
  readonly address: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

export function termsOf(text: string): string[]
export function openSearch(index: SearchIndex): (question: string, most?: number) => FoundSection[]
