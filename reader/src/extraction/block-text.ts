// The text of one block as it is gathered, and what can be counted in it in one pass over its characters.
import { characterKind, digitBit, upperBit } from '../page/characters.ts'
import { wordGroupNames, wordGroupsOf } from './vocabulary.ts'
import { hashRun, hashWord, wordBits, wordEnd } from './words.ts'

/** In bounded runs: the engine keeps a place to go back to for each character, and has no room for millions. */
const spaces = /\s{1,10000}/g

export interface BlockText {
  /** White space collapsed. */
  readonly text: string
  readonly wordsFrom: number
  readonly words: number
  /** The same for blocks of the same words. */
  readonly hash: number
  readonly linkWords: number
  readonly strongWords: number
  readonly links: number
  readonly images: number
  readonly letters: number
  readonly capitalWords: number
  readonly shoutedWords: number
  readonly numbers: number
  readonly sentenceEnds: number
  readonly commas: number
  readonly marks: number
  readonly separators: number
  readonly quotes: number
  readonly currencies: number
  readonly foreign: number
  readonly years: number
  readonly codeMarks: number
  readonly first: number
  readonly last: number
  /** How many words belong to each group of the vocabulary. */
  readonly groups: Uint16Array
}

export function createBlockText() {
  // Pieces, and not one growing string: looking at its end would copy the whole each time.
  let pieces: string[] = []
  let length = 0
  let endsInSpace = true
  let hasText = false
  let images = 0
  let links = 0
  const inLink = createRanges()
  const inStrong = createRanges()

  function clear() {
    pieces = []
    length = 0
    endsInSpace = true
    hasText = false
    images = 0
    inLink.take(0)
    inStrong.take(0)
    // A link that goes on into the next block counts in both.
    links = inLink.isOpen() ? 1 : 0
  }

  return {
    isEmpty: () => images === 0 && !hasText,
    clear,
    /** True for more than white space. */
    append(raw: string): boolean {
      let added = raw.replace(spaces, ' ').replace(/ {2,}/g, ' ')
      if (endsInSpace && added.startsWith(' ')) added = added.slice(1)
      if (added === '') return false
      pieces.push(added)
      length += added.length
      endsInSpace = added.endsWith(' ')
      hasText ||= added !== ' '
      return added !== ' '
    },
    image() {
      images += 1
    },
    startLink() {
      links += 1
      inLink.start(length)
    },
    endLink: () => inLink.end(length),
    startStrong: () => inStrong.start(length),
    endStrong: () => inStrong.end(length),
    take() {
      const taken = {
        text: pieces.join('').trimEnd(),
        images,
        links,
        linkRanges: inLink.take(length),
        strongRanges: inStrong.take(length),
      }
      clear()
      return taken
    },
  }
}

/** Where something began and ended, in turn; what is inside itself counts once. */
function createRanges() {
  let depth = 0
  let ranges: number[] = []
  return {
    start(place: number) {
      depth += 1
      if (depth === 1) ranges.push(place)
    },
    end(place: number) {
      depth -= 1
      if (depth === 0) ranges.push(place)
    },
    /** Ends what is open at `place`, and goes on with it from 0. */
    take(place: number): number[] {
      if (depth > 0) ranges.push(place)
      const taken = ranges
      ranges = depth > 0 ? [0] : []
      return taken
    },
    isOpen: () => depth > 0,
  }
}

type Gathered = ReturnType<ReturnType<typeof createBlockText>['take']>

/** Appends the hashes of the block's words to `words`. */
export function readBlockText(gathered: Gathered, words: number[]): BlockText {
  const { text, images, links, linkRanges, strongRanges } = gathered
  const groups = new Uint16Array(wordGroupNames.length)
  const wordsFrom = words.length
  const inLink = createRangeCounter(linkRanges)
  const inStrong = createRangeCounter(strongRanges)
  const counts = { letters: 0, capitalWords: 0, shoutedWords: 0, numbers: 0, years: 0, foreign: 0 }
  const marks = { ends: 0, commas: 0, other: 0, separators: 0, quotes: 0, currencies: 0, code: 0 }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const kind = characterKind(code)
    if ((kind & wordBits) === 0) {
      if (code !== space) countMark(code, text.charCodeAt(index + 1), marks)
      continue
    }
    const end = wordEnd(text, index)
    const hash = hashWord(text, index, end)
    words.push(hash)
    inLink.count(index)
    inStrong.count(index)
    countWord(text, index, end, counts)
    countGroups(wordGroupsOf(hash), groups)
    index = end - 1
  }
  return {
    text,
    wordsFrom,
    words: words.length - wordsFrom,
    hash: hashRun(words, wordsFrom, words.length - wordsFrom),
    linkWords: inLink.counted(),
    strongWords: inStrong.counted(),
    links,
    images,
    ...counts,
    sentenceEnds: marks.ends,
    commas: marks.commas,
    marks: marks.other,
    separators: marks.separators,
    quotes: marks.quotes,
    currencies: marks.currencies,
    codeMarks: marks.code,
    first: text === '' ? 0 : text.charCodeAt(0),
    last: text === '' ? 0 : text.charCodeAt(text.length - 1),
    groups,
  }
}

interface WordCounts {
  letters: number
  capitalWords: number
  shoutedWords: number
  numbers: number
  years: number
  foreign: number
}

function countWord(text: string, start: number, end: number, counts: WordCounts): void {
  const code = text.charCodeAt(start)
  const kind = characterKind(code)
  counts.letters += end - start
  if (code > asciiMax) counts.foreign += 1
  if ((kind & upperBit) !== 0) {
    counts.capitalWords += 1
    if (end - start > 1 && (characterKind(text.charCodeAt(end - 1)) & upperBit) !== 0)
      counts.shoutedWords += 1
  } else if ((kind & digitBit) !== 0) {
    counts.numbers += 1
    if (end - start === 4 && (text.startsWith('20', start) || text.startsWith('19', start)))
      counts.years += 1
  }
}

interface Marks {
  ends: number
  commas: number
  other: number
  separators: number
  quotes: number
  currencies: number
  code: number
}

function countMark(code: number, next: number, marks: Marks): void {
  if (code === 0x2e || code === 0x21 || code === 0x3f || code === 0x3002) {
    // A point inside a number or an address ends no sentence.
    if (code !== 0x2e || next === space || Number.isNaN(next) || next === 0x22 || next === 0x201d)
      marks.ends += 1
  } else if (code === 0x2c || code === 0x3b || code === 0x3001 || code === 0xff0c) marks.commas += 1
  else if (separatorMarks.has(code)) marks.separators += 1
  else if (quoteMarks.has(code)) marks.quotes += 1
  else if (currencyMarks.has(code)) marks.currencies += 1
  else if (codeMarks.has(code)) marks.code += 1
  else marks.other += 1
}

function countGroups(bits: number, groups: Uint16Array): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const group = 31 - Math.clz32(left & -left)
    groups[group] = (groups[group] as number) + 1
  }
}

/** Counts places inside ranges, both in rising order. */
function createRangeCounter(ranges: readonly number[]) {
  let range = 0
  let counted = 0
  return {
    count(place: number) {
      while (range < ranges.length && (ranges[range + 1] as number) <= place) range += 2
      if (range < ranges.length && (ranges[range] as number) <= place) counted += 1
    },
    counted: () => counted,
  }
}

const codes = (text: string): ReadonlySet<number> =>
  new Set([...text].map((character) => character.charCodeAt(0)))
const separatorMarks = codes('|·•»›>/→←—–-+~«‹▾▼✓★☆')
const quoteMarks = codes('"“”„\'’‘')
const currencyMarks = codes('$€£¥₹₽₩%©®™')
const codeMarks = codes('{}[]()=<*#@&_\\`:;')
const space = 0x20
const asciiMax = 0x7f
