// Which font draws which characters of a text, and which have none and would be boxes.
import { type Coverage, covers, type FontFile } from './font-file.ts'

export interface FontShelf {
  /** The characters that no font has, each once. A mark belongs to the character that it stands on. */
  missing(text: string): readonly string[]
  /**
   * Families that together have all of the text. A browser that is not told of them takes, for a letter with a mark,
   * any font that has the letter.
   */
  familiesFor(text: string): readonly string[]
  /** A font that has this character and its marks. */
  fontFor(group: string): FontFile | undefined
}

/** They take no glyph: line breaks, spaces, joiners, marks of direction, selectors of variants. */
const drawsNothing = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]$/u
const isPicture = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\uFE0F/u
/** Words repeat, and so do the groups of their characters. */
const rememberedMax = 20_000
/** Plain ones come first; those for headings, formulas and code last. */
const orderOfFamilies = [/^Noto Sans$/, /^DejaVu Sans$/, /^Noto Sans (?!Math|Mono|Symbols|Display)/]
const lastFamilies = /Serif|Mono|Math|Symbols|Emoji|Display|Condensed/

export function createFontShelf(fonts: readonly FontFile[]): FontShelf {
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
  const sorted = fonts.toSorted(
    (one, other) =>
      rankOf(one.family) - rankOf(other.family) || other.coverage.length - one.coverage.length,
  )
  const known = new Map<string, readonly string[] | undefined>()

  const has = (font: FontFile, text: string) => hasAll(font.coverage, text)

  /** A group of characters is drawn with one font. Browsers compose and decompose it to find one. */
  function familiesOf(group: string): readonly string[] | undefined {
    const forms = [group, group.normalize('NFC'), group.normalize('NFD')]
    const one = sorted.find((font) => forms.some((form) => has(font, form)))
    if (one !== undefined) return [one.family]
    if (!isPicture.test(group)) return undefined
    // A sequence of pictures that no font joins is drawn one by one.
    const each = [...group].map((character) => sorted.find((font) => has(font, character)))
    return each.includes(undefined) ? undefined : each.flatMap((font) => font?.family ?? [])
  }

  function remembered(group: string): readonly string[] | undefined {
    if (known.has(group)) return known.get(group)
    const families = familiesOf(group)
    if (known.size < rememberedMax) known.set(group, families)
    return families
  }

  const groupsOf = (text: string) =>
    new Set([...segmenter.segment(text)].map(({ segment }) => segment))

  return {
    missing: (text) => [...groupsOf(text)].filter((group) => remembered(group) === undefined),
    familiesFor: (text) => [
      ...new Set([...groupsOf(text)].flatMap((group) => remembered(group) ?? [])),
    ],
    fontFor: (group) => sorted.find((font) => has(font, group)),
  }
}

function rankOf(family: string): number {
  const place = orderOfFamilies.findIndex((form) => form.test(family))
  if (place >= 0) return place
  return lastFamilies.test(family) ? orderOfFamilies.length + 1 : orderOfFamilies.length
}

export const hasAll = (coverage: Coverage, text: string) =>
  [...text].every(
    (character) => drawsNothing.test(character) || covers(coverage, character.codePointAt(0) ?? 0),
  )
