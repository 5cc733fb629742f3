// How WCXB scores a page: the words of what was extracted against the words of the truth, as bags.

interface WordScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Python's \w+ on the text in lower case, which is what the benchmark's own scorer counts. */
const wordPattern = /[\p{L}\p{N}_]+/gu

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(wordPattern) ?? []
}

export function wordScore(found: string, truth: string): WordScore {
  return bagScore(wordsOf(found), wordsOf(truth))
}

/** The same for runs of `length` words, which sees order as well. */
export function shingleScore(found: string, truth: string, length = 4): WordScore {
  return bagScore(shinglesOf(wordsOf(found), length), shinglesOf(wordsOf(truth), length))
}

function shinglesOf(words: readonly string[], length: number): string[] {
  if (words.length <= length) return words.length === 0 ? [] : [words.join(' ')]
  return words.slice(length - 1).map((_word, index) => words.slice(index, index + length).join(' '))
}

function bagScore(found: readonly string[], truth: readonly string[]): WordScore {
  if (truth.length === 0 || found.length === 0) {
    const score = truth.length === found.length ? 1 : 0
    return { precision: score, recall: score, f1: score }
  }
  const left = new Map<string, number>()
  for (const word of truth) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of found) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared += 1
  }
  const precision = shared / found.length
  const recall = shared / truth.length
  return {
    precision,
    recall,
    f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  }
}
