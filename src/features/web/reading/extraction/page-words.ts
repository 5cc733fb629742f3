// The words of a page with their places, so that a quote is found although typography or markup differ, and is given
// back as the page has it.

export interface PageWords {
  /** The passage of the page with the same words in the same order. */
  passage(words: string): string | undefined
  /** The number as the page writes it. The sign does not matter. */
  number(value: number): string | undefined
}

interface Word {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** A letter of a script without spaces between words, or a run of other letters and digits. */
const word =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]]+/gv
const notInWords = /[^\p{L}\p{N}\p{M}]+/gu
/** The address of a Markdown link, which stands between words that a reader sees side by side. */
const linkTarget = /\]\([^()\s]*\)/g
/** With groups of three digits, or as it stands. A space separates groups only, so that neighbours stay apart. */
const number = /(?<!\d)\d{1,3}(?:[ \u00a0\u202f'’.,]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*/g

export function readPageWords(markdown: string): PageWords {
  const texts = [markdown, markdown.replaceAll(linkTarget, ']')].map(indexWords)
  const numbers = readNumbers(markdown)
  return {
    passage(words) {
      const wanted = wordsOf(words)
      if (wanted.length === 0) return undefined
      for (const find of texts) {
        const found = find(wanted)
        if (found !== undefined) return found
      }
      return undefined
    },
    number: (value) => numbers.get(Math.abs(value)),
  }
}

function indexWords(text: string) {
  const words = wordsOf(text)
  // A space before and after each word, so that only whole words match.
  const joined = ` ${words.map(({ folded }) => folded).join(' ')} `
  const places = new Map<number, number>()
  let offset = 0
  for (const [index, { folded }] of words.entries()) {
    places.set(offset, index)
    offset += folded.length + 1
  }
  return (wanted: readonly Word[]): string | undefined => {
    const at = joined.indexOf(` ${wanted.map(({ folded }) => folded).join(' ')} `)
    const first = places.get(at)
    if (first === undefined) return undefined
    return text.slice(words[first]?.start, words[first + wanted.length - 1]?.end)
  }
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(word)].flatMap(({ 0: found, index }) => {
    const folded = found.normalize('NFKC').toLowerCase().replaceAll(notInWords, '')
    return folded === '' ? [] : { folded, start: index, end: index + found.length }
  })
}

/** By value: a point or a comma may separate thousands or decimals, so a number may have two readings. */
function readNumbers(text: string): ReadonlyMap<number, string> {
  const readings = (text.match(number) ?? []).flatMap((written) => {
    const digits = written.replaceAll(/[^\d.,]/g, '')
    const values = [
      Number(digits.replaceAll(',', '')),
      Number(digits.replaceAll('.', '').replace(',', '.')),
    ]
    return values.filter(Number.isFinite).map((value) => [value, written] as const)
  })
  // Where two passages have the same value, the first one counts.
  return new Map(readings.reverse())
}
