// What pages say when they stand in for another page, by meaning. The words themselves are data:
// vocabulary/<language>.json holds the stems of one language, and a language is added by adding its file.
import { readdirSync, readFileSync } from 'node:fs'

export const meanings = [
  // Block pages.
  /** Access is refused. */
  'refusal',
  /** What is refused: the visit, its request, address or network. */
  'request',
  /** What refuses it: a firewall, a shield. */
  'protection',
  /** Whom to tell: the administrator, support. */
  'contact',
  /** The id of the incident. */
  'incident',
  'robot',
  'human',
  /** Prove something: solve, confirm, tick. */
  'verification',
  /** Why proof is asked for: unusual traffic, too many requests. */
  'suspicion',
  /** A browser setting that is asked for: JavaScript, cookies, an update. */
  'browser',
  /** Other visitors come first. */
  'queue',
  /** The reader is addressed: you, please. */
  'you',
  'wait',
  // Paywalls and consent.
  'login',
  'consent',
  'subscription',
  /** The rest of the text is not shown. */
  'locked',
  /** How old the reader must be, and where. */
  'eligibility',
  // Soft errors.
  /** What was asked for: a page, a product, a listing. */
  'page',
  'missing',
  /** Where to go instead: home, back, search. */
  'elsewhere',
  'failure',
  'apology',
  'maintenance',
  /** A host without a site: parked, for sale, just installed. */
  'hosting',
] as const

export type Meaning = (typeof meanings)[number]

/**
 * The stems of one language. A stem is the beginning of a word or phrase, in lower case, with one space between words.
 * It stands for a whole word where it ends in `_`.
 */
export type LanguageWords = Readonly<Partial<Record<Meaning, readonly string[]>>>

/** By language: `de`, `fr`. */
export type Vocabulary = Readonly<Record<string, LanguageWords>>

const folder = new URL('../../../vocabulary/', import.meta.url)
let loaded: Vocabulary | undefined

export function loadVocabulary(): Vocabulary {
  loaded ??= Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [
        name.replace(/\.json$/, ''),
        JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
      ]),
  )
  return loaded
}

/** The beginning of a word, or a whole phrase, and what it can mean. */
export interface Stem {
  /** A whole word ends with a space. */
  readonly text: string
  readonly meanings: readonly Meaning[]
}

export function stemsOf(vocabulary: Vocabulary): Stem[] {
  const found = new Map<string, Meaning[]>()
  for (const language of Object.values(vocabulary))
    for (const meaning of meanings)
      for (const written of language[meaning] ?? []) {
        const text = written.replace(/_$/, ' ')
        const known = found.get(text)
        if (known === undefined) found.set(text, [meaning])
        else if (!known.includes(meaning)) known.push(meaning)
      }
  return [...found].map(([text, each]) => ({ text, meanings: each }))
}

/** Scripts without spaces, or whose words carry articles and particles in front: a stem is found inside of words. */
export const gluedScripts =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Hangul}\p{sc=Arabic}\p{sc=Hebrew}]/u

/**
 * Stems that change nothing, each with the shorter one that says the same: a stem takes the rest of its word with it.
 * In glued scripts it does not, so that a longer stem there says more.
 */
export function shadowedStems(stems: readonly Stem[]): [stem: string, by: string][] {
  const byText = new Map(stems.map((stem) => [stem.text, stem]))
  return stems.flatMap(({ text, meanings: own }) => {
    if (gluedScripts.test(text[0] ?? '')) return []
    const wordStart = text.trimEnd().lastIndexOf(' ') + 1
    for (let end = text.length - 1; end > wordStart; end -= 1) {
      const shorter = byText.get(text.slice(0, end))
      if (shorter === undefined) continue
      const isSame = [...own].sort().join() === [...shorter.meanings].sort().join()
      return isSame ? [[text, shorter.text]] : []
    }
    return []
  })
}
