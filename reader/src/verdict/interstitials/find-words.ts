// Finds the stems of the vocabulary in a text.
import { countWords } from '../../page/count-words.ts'
import { gluedScripts, loadVocabulary, type Stem, stemsOf } from './vocabulary.ts'

export interface FoundWords {
  /** Each once, however often it occurs, in the order of the text. */
  readonly stems: readonly Stem[]
  /** Words of the text that belong to no stem. */
  readonly strange: number
}

/** Stems by their first two characters, or the only one, the longest first. */
type StemIndex = ReadonlyMap<string, readonly Stem[]>

let loaded: StemIndex | undefined

function loadIndex(): StemIndex {
  loaded ??= Map.groupBy(
    stemsOf(loadVocabulary()).sort((one, other) => other.text.length - one.text.length),
    ({ text }) => text.slice(0, 2),
  )
  return loaded
}

const charactersMax = 20_000

/** What stands in quotation marks is said by another: its words are strange. */
const quotation =
  /“[^“”\n]{1,300}”|„[^„“”\n]{1,300}[“”]|«[^«»\n]{1,300}»|「[^「」\n]{1,300}」|『[^『』\n]{1,300}』|"[^"\n]{1,300}"/g

export function findWords(written: string): FoundWords {
  const index = loadIndex()
  const text = written.slice(0, charactersMax)
  const quoted = text.match(quotation)?.join(' ') ?? ''
  const normalized = `${normalizeText(text.replace(quotation, ' '))} `
  const stems = new Set<Stem>()
  let known = 0
  let at = 0
  while (at < normalized.length) {
    const isGlued = gluedScripts.test(normalized[at] ?? '')
    const stem = stemAt(index, normalized, at)
    let end = at + (stem?.text.length ?? 1)
    // The rest of a word goes with its beginning.
    if (!isGlued && normalized[end - 1] !== ' ') end = normalized.indexOf(' ', end)
    if (stem !== undefined) {
      stems.add(stem)
      known += countWords(normalized.slice(at, end))
    }
    at = normalized[end] === ' ' ? end + 1 : end
  }
  return {
    stems: [...stems],
    strange: Math.max(0, countWords(normalized) - known) + countWords(quoted),
  }
}

/** Lower case, one space between words and nothing else. A Turkish I keeps no dot. */
function normalizeText(text: string): string {
  const lower = text.normalize('NFC').toLowerCase().replaceAll('i\u0307', 'i')
  return lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
}

function stemAt(index: StemIndex, text: string, at: number): Stem | undefined {
  const longer = index.get(text.slice(at, at + 2))
  return longer?.find((stem) => text.startsWith(stem.text, at)) ?? index.get(text[at] ?? '')?.[0]
}
