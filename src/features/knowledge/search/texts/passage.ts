// The part of a text that answers a question.
import { wordsOf } from '../fusion/words.ts'

const passageCharactersMax = 600
/** Of a long text, the beginning: the first parts of a document say what it is about. */
const charactersReadMax = 200_000
/** A longer sentence is cut between words. */
const sentenceCharactersMax = passageCharactersMax
/** Words that every text has do not choose a passage. */
const common = new Set(
  'a an the of for from to in on at by with about and or as is are was were be has have had do does did it its this that what which who when where why how'.split(
    ' ',
  ),
)

interface Sentence {
  readonly text: string
  readonly words: ReadonlySet<string>
}

/** Whole sentences in order, which together say most of what the question asks. Short texts stay whole. */
export function passageOf(text: string, question: string): string {
  const whole = text.replaceAll(/[ \t]+/g, ' ').trim()
  if (whole.length <= passageCharactersMax) return whole
  const asked = new Set(stemsOf(question))
  const sentences = sentencesOf(whole.slice(0, charactersReadMax), asked)
  const weights = weigh(sentences, asked)
  let best = { from: 0, to: 0, score: -1 }
  for (const from of sentences.keys()) {
    const found = windowFrom(from, sentences, weights)
    if (found.score > best.score) best = found
  }
  return sentences
    .slice(best.from, best.to)
    .map((each) => each.text)
    .join(' ')
}

/** How much of the question a text says, from 0 to 1. */
export function coverageOf(text: string, question: string): number {
  const asked = [...new Set(stemsOf(question))]
  const said = new Set(stemsOf(text))
  return asked.filter((word) => said.has(word)).length / Math.max(1, asked.length)
}

/** The sentences from one on that fit. A word counts once, however often it is said. */
function windowFrom(
  from: number,
  sentences: readonly Sentence[],
  weights: ReadonlyMap<string, number>,
) {
  const said = new Set<string>()
  let length = 0
  let to = from
  for (const sentence of sentences.slice(from)) {
    if (to > from && length + sentence.text.length + 1 > passageCharactersMax) break
    for (const word of sentence.words) said.add(word)
    length += sentence.text.length + 1
    to += 1
  }
  // Of windows that say the same, the first begins with the sentence that says most of it.
  const lead = sum(sentences[from]?.words ?? new Set(), weights)
  return { from, to, score: sum(said, weights) + lead / 2 }
}

const sum = (words: ReadonlySet<string>, weights: ReadonlyMap<string, number>) =>
  [...words].reduce((total, word) => total + (weights.get(word) ?? 0), 0)

/** Rare words say where the answer is. */
function weigh(sentences: readonly Sentence[], asked: ReadonlySet<string>) {
  return new Map(
    [...asked].map((word) => {
      const having = sentences.filter(({ words }) => words.has(word)).length
      return [word, having === 0 ? 0 : Math.log(1 + sentences.length / having)] as const
    }),
  )
}

function sentencesOf(text: string, asked: ReadonlySet<string>): readonly Sentence[] {
  return text
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/)
    .flatMap((each) => pieces(each.trim()))
    .map((each) => ({
      text: each,
      words: new Set(stemsOf(each).filter((word) => asked.has(word))),
    }))
}

function pieces(sentence: string): readonly string[] {
  if (sentence.length <= sentenceCharactersMax) return sentence === '' ? [] : [sentence]
  const start = sentence.slice(0, sentenceCharactersMax).replace(/\s+\S*$/, '')
  return [start, ...pieces(sentence.slice(start.length).trim())]
}

const stemsOf = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !common.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''))
