const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text in order, in lower case. Chinese and Japanese are segmented too. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  return [...segmenter.segment(plain)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  )
}
