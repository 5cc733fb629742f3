// A text as a PDF shows it: split into runs of one font and one direction, from left to right as they are seen. What no
// font has is written as its Unicode number, because a box says nothing.
import bidiFactory, { type Bidi } from 'bidi-js'
import type { FontFile, FontPlace } from '#features/studio/films/fonts/font-file.ts'

export interface ShownRun {
  /** As it is read. */
  readonly text: string
  readonly font: FontPlace
  readonly isRightToLeft: boolean
}

export type FontFor = (group: string) => FontFile | undefined

// Its types are those of an ES module. Node gets the one of CommonJS, which is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** They draw nothing, and a stranger could turn the rest of a line around with them. */
const controls = /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu
/** Joiners belong to the letters that they stand between. */
const joiners = /[\u200C\u200D]/
const isSpace = /^\s+$/u

interface Group {
  readonly text: string
  readonly font: FontPlace
}

/** Groups of characters with their fonts, in the order of reading. */
export function groupsOf(text: string, base: FontPlace, fontFor: FontFor): readonly Group[] {
  const clean = text
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(controls, (character) => (joiners.test(character) ? character : ''))
  const groups: Group[] = []
  for (const { segment } of segmenter.segment(clean)) {
    const before = groups.at(-1)
    if (isSpace.test(segment)) groups.push({ text: ' ', font: before?.font ?? base })
    else {
      const font = fontFor(segment)?.place
      groups.push(
        font === undefined ? { text: numbersOf(segment), font: base } : { text: segment, font },
      )
    }
  }
  return groups
}

/** `[U+6771]` for each character. */
const numbersOf = (segment: string) =>
  [...segment]
    .map((character) => {
      const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
      return `[U+${number.padStart(4, '0')}]`
    })
    .join('')

/** The runs of a line from left to right (UAX 9, rule L2). */
export function runsOf(groups: readonly Group[]): readonly ShownRun[] {
  const text = groups.map((group) => group.text).join('')
  const { levels } = bidi.getEmbeddingLevels(text)
  const mirrored = bidi.getMirroredCharactersMap(text, levels)
  const runs: { text: string; font: FontPlace; level: number }[] = []
  let at = 0
  for (const { text: characters, font } of groups) {
    const level = levels[at] ?? 0
    const seen = Array.from(characters, (unit, index) => mirrored.get(at + index) ?? unit).join('')
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += seen
    else runs.push({ text: seen, font, level })
    at += characters.length
  }
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1) turnAround(runs, level)
  return runs.map(({ level, text: seen, font }) => {
    const isRightToLeft = level % 2 === 1
    // A font turns the letters of such a run around, and has no reason to do so for marks alone.
    const isMarks = isRightToLeft && !/\p{L}/u.test(seen)
    return { text: isMarks ? [...seen].reverse().join('') : seen, font, isRightToLeft }
  })
}

/** Reverses each sequence of runs of this level or a higher one. */
function turnAround(runs: { level: number }[], least: number) {
  for (let first = 0; first < runs.length; first += 1) {
    let end = first
    while ((runs[end]?.level ?? -1) >= least) end += 1
    if (end > first) {
      runs.splice(first, end - first, ...runs.slice(first, end).reverse())
      first = end
    }
  }
}
