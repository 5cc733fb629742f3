// Finds the words of walls, errors and gates in a text.
import { countWords } from '../../page/survey.ts'
import { wordsOfGaps } from './gaps.ts'
import { wordsOfGates } from './gates.ts'
import { wordsOfWalls } from './walls.ts'

const vocabulary = { ...wordsOfWalls, ...wordsOfGates, ...wordsOfGaps }

export type Meaning = keyof typeof vocabulary

/** The beginning of a word, or a whole phrase, and what it can mean. */
export interface Stem {
  readonly text: string
  readonly meanings: readonly Meaning[]
}

export interface WordsOfWalls {
  /** Each once, however often it is said. */
  readonly stems: readonly Stem[]
  /** Words of the text that belong to none. */
  readonly strange: number
}

/** By their first two characters, or the only one, the longest first. */
const index = createIndex()

function createIndex(): ReadonlyMap<string, readonly Stem[]> {
  const meanings = new Map<string, Meaning[]>()
  for (const [meaning, list] of Object.entries(vocabulary) as [Meaning, string][])
    for (const written of new Set(list.trim().split(/\s+/))) {
      const text = written.replaceAll('_', ' ')
      meanings.set(text, [...(meanings.get(text) ?? []), meaning])
    }
  const stems = [...meanings].map(([text, each]) => ({ text, meanings: each }))
  return Map.groupBy(
    stems.toSorted((one, other) => other.text.length - one.text.length),
    ({ text }) => text.slice(0, 2),
  )
}

const charactersMax = 20_000

/** Scripts without spaces, or whose words carry articles and particles in front. */
const gluedScripts =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Hangul}\p{sc=Arabic}\p{sc=Hebrew}]/u

/** Lower case, one space between words and nothing else. A Turkish I keeps no dot. */
function plain(text: string): string {
  const lower = text.normalize('NFC').toLowerCase().replaceAll('i\u0307', 'i')
  return lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
}

function stemAt(said: string, at: number): Stem | undefined {
  const longer = index.get(said.slice(at, at + 2))
  return longer?.find(({ text }) => said.startsWith(text, at)) ?? index.get(said[at] ?? '')?.[0]
}

export function findWords(text: string): WordsOfWalls {
  const said = `${plain(text.slice(0, charactersMax))} `
  const stems = new Set<Stem>()
  let known = 0
  let at = 0
  while (at < said.length) {
    const isGlued = gluedScripts.test(said[at] ?? '')
    const stem = stemAt(said, at)
    let end = at + (stem?.text.length ?? 1)
    // The rest of a word goes with its beginning.
    if (!isGlued && said[end - 1] !== ' ') end = said.indexOf(' ', end)
    if (stem !== undefined) {
      stems.add(stem)
      known += countWords(said.slice(at, end))
    }
    at = said[end] === ' ' ? end + 1 : end
  }
  return { stems: [...stems], strange: Math.max(0, countWords(said) - known) }
}
