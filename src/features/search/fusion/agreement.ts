// How well the wording of each document agrees with the question. It is a vote beside those of the sources, because a source may
// put a page first that shares one word with the question.
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The rank of each text by the share of the question's words in it; rare words count more. Equal texts share a rank. */
export function rankByWording(question: string, texts: readonly string[]): number[] {
  const asked = wordsOf(question)
  const documents = texts.map(wordsOf)
  const rarity = new Map(
    [...asked].map((word) => {
      const having = documents.filter((words) => words.has(word)).length
      return [word, Math.log(1 + texts.length / (1 + having))] as const
    }),
  )
  const scores = documents.map((words) =>
    [...rarity].reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0),
  )
  return scores.map((score) => 1 + scores.filter((other) => other > score).length)
}

function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').toLowerCase()
  return new Set(
    [...segmenter.segment(plain)].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? [segment.replace(/(?<=\p{L}{3})s$/u, '')] : [],
    ),
  )
}
