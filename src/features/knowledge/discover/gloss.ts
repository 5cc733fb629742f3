// A question in another language, word by word in English: enough to find an action, and no translation. The words and
// their languages are rows and columns of glosses.tsv; each is the beginning of a word, without its endings.
import { readFileSync } from 'node:fs'

interface Language {
  /** From the beginning of a word to its English translation; empty for words without information. */
  readonly stems: ReadonlyMap<string, string>
  readonly longest: number
  /** Its words are written together: they are looked for at every letter. */
  readonly isUnspaced: boolean
}

/** How a text would be read in a language. */
interface Reading {
  readonly english: readonly string[]
  /** How many letters it accounts for. */
  readonly letters: number
}

/** Of words that are only grammar; any other text between two tabs is English. */
const grammarMark = '-'
/** A shorter beginning would match too many words, so it must be the whole word. */
const stemLengthMin = 3
const latinStemLengthMin = 4
/** What may follow the beginning of a word and be only its ending. */
const endingLengthMax = 5
/** Inside a compound shorter words are found by accident. */
const compoundLengthMin = 5
/** Of a text in the language, even where it is about names. Misspelt English hits upon fewer words. */
const leastShare = 0.3
const unspaced: ReadonlySet<string> = new Set(['ja', 'zh', 'ko'])

let languages: readonly Language[] | undefined

/** Read at the first question. */
function getLanguages(): readonly Language[] {
  languages ??= parse(readFileSync(new URL('./glosses.tsv', import.meta.url), 'utf8'))
  return languages
}

function parse(table: string): Language[] {
  const [head = [], ...rows] = table
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return head.slice(1).map((name, column) => {
    const stems = new Map<string, string>()
    for (const [english = '', ...cells] of rows) {
      for (const stem of (cells[column] ?? '').split(',')) {
        const key = plain(stem)
        if (key !== '' && !stems.has(key)) stems.set(key, english === grammarMark ? '' : english)
      }
    }
    return {
      stems,
      longest: Math.max(0, ...[...stems.keys()].map(({ length }) => length)),
      isUnspaced: unspaced.has(name),
    }
  })
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/** It is written as a part of the word. */
const arabicArticle = /(?<![\p{L}\p{M}])(?:ال|وال|بال|لل)(?=\p{L}{3})/gu

/**
 * Lower case without accents, which many people omit. The marks of Hindi and Japanese stay: they form other letters.
 */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u064b-\u0655]/g, '')
    .normalize('NFC')
    .replaceAll(/[ßłøæœı]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll('’', "'")
    .replaceAll(arabicArticle, '')
    .trim()
}

const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{M}\d]/u.test(sign)

/**
 * The question in English words, or undefined when it is English already. `isEnglish` says which words are.
 */
export function gloss(question: string, isEnglish: (word: string) => boolean): string | undefined {
  const words = question.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const englishLetters = words.filter(isEnglish).join('').length
  const text = plain(question)
  const [best] = getLanguages()
    .map((language) => read(text, language))
    .toSorted((one, other) => other.letters - one.letters)
  if (best === undefined || best.letters <= englishLetters) return undefined
  if (best.letters < leastShare * text.replaceAll(/[^\p{L}\p{M}]/gu, '').length) return undefined
  return best.english.join(' ')
}

/** From left to right, the longest beginning each time. What no beginning fits stays as it is: names, mostly. */
function read(text: string, language: Language): Reading {
  const english: string[] = []
  let letters = 0
  let unknown = ''
  const flush = () => {
    if (unknown !== '') english.push(unknown)
    unknown = ''
  }
  for (let at = 0; at < text.length; ) {
    const isStart = unknown === '' || !isLetter(text[at - 1])
    const found = isLetter(text[at]) ? longestAt(text, at, isStart, language) : undefined
    if (found === undefined) {
      if (isLetter(text[at]) || /[@.]/.test(text[at] ?? '')) unknown += text[at]
      else flush()
      at += 1
      continue
    }
    flush()
    letters += text.slice(at, found.end).replaceAll(/[^\p{L}\p{M}]/gu, '').length
    if (found.english !== '') english.push(found.english)
    at = found.end
  }
  flush()
  return { english, letters }
}

function longestAt(
  text: string,
  at: number,
  isStart: boolean,
  { stems, longest, isUnspaced }: Language,
): { english: string; end: number } | undefined {
  for (let length = Math.min(longest, text.length - at); length > 0; length -= 1) {
    const english = stems.get(text.slice(at, at + length))
    if (english === undefined) continue
    const end = at + length
    if (isUnspaced) return { english, end }
    if (!isStart && length < compoundLengthMin) continue
    const ending = /^[\p{L}\p{M}]*/u.exec(text.slice(end))?.[0].length ?? 0
    if (ending === 0) return { english, end }
    const least = /\p{Script=Latin}/u.test(text[at] ?? '') ? latinStemLengthMin : stemLengthMin
    if (english === '' || length < least) continue
    // A long rest is another word of a compound. A short one shows that this was not the word.
    if (ending <= endingLengthMax) return { english, end: end + ending }
    if (length >= compoundLengthMin) return { english, end }
  }
  return undefined
}
