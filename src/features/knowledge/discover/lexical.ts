// BM25F: how well the words of a question fit the texts of each action, with a learned weight for each field.
import { inTurns } from '#platform/in-turns.ts'
import { type ActionTexts, type Field, fieldNames } from './texts.ts'
import { isWithin, knownMeanings, type Term, termsOf } from './words.ts'

export interface LexicalWeights {
  /** How much a word counts by the field that it stands in. */
  readonly fields: Readonly<Record<Field, number>>
  /** How far a long field is held back, 0 to 1. */
  readonly lengthNorm: number
  /** What a word counts that may be a misspelling of the catalog's, against the word itself. */
  readonly misspelt: number
}

/** How often a term stands in each field of one action. */
export interface Posting {
  readonly document: number
  readonly counts: Float64Array
}

/** A word of the question, with the terms of the catalog that it may mean. */
export interface AskedTerm {
  readonly word: string
  readonly meant: readonly {
    readonly term: string
    readonly spelling: string
    readonly isExact: boolean
  }[]
}

export interface LexicalIndex {
  readonly ids: readonly string[]
  readonly terms: readonly string[]
  /** Rows of actions, columns of fields. */
  readonly lengths: readonly Float64Array[]
  readonly meanLengths: Float64Array
  ask(query: string): readonly AskedTerm[]
  postings(term: string): readonly Posting[]
  /** How telling a term is, 0 to 1: the fewer actions have it, the more. */
  rarity(term: string): number
}

/** Terms of a text, then pairs of neighbours: `job postings` is more than `job` and `postings`. */
const pairMark = ' '
const actionsPerTurn = 5

export async function createLexicalIndex(
  texts: ReadonlyMap<string, ActionTexts>,
): Promise<LexicalIndex> {
  const ids = [...texts.keys()]
  const index = new Map<string, Posting[]>()
  const vocabulary = new Map(knownMeanings)
  const lengths: Float64Array[] = []
  await inTurns(ids, actionsPerTurn, (id, document) => {
    const own = new Map<string, Float64Array>()
    const length = new Float64Array(fieldNames.length)
    for (const [field, name] of fieldNames.entries()) {
      for (const text of texts.get(id)?.[name] ?? []) {
        const read = termsOf(text)
        length[field] = (length[field] ?? 0) + read.length
        for (const { word, text: term } of read) vocabulary.set(word, term)
        for (const term of withPairs(read.map(({ text: term }) => term))) {
          const counts = own.get(term) ?? new Float64Array(fieldNames.length)
          counts[field] = (counts[field] ?? 0) + 1
          own.set(term, counts)
        }
      }
    }
    lengths.push(length)
    for (const [term, counts] of own) {
      const postings = index.get(term)
      if (postings === undefined) index.set(term, [{ document, counts }])
      else postings.push({ document, counts })
    }
  })
  const meanLengths = Float64Array.from(fieldNames, (_, field) => {
    const sum = lengths.reduce((total, length) => total + (length[field] ?? 0), 0)
    return Math.max(sum / Math.max(ids.length, 1), 1)
  })
  const plainRarity = (count: number) => Math.log(1 + (ids.length - count + 0.5) / (count + 0.5))
  // Relative to the highest rarity, so that small and large catalogs are weighed alike.
  const rarityOf = (count: number) => plainRarity(count) / plainRarity(0)
  const spellings = createSpellings(vocabulary, (term) => index.has(term))
  return {
    ids,
    terms: [...index.keys()],
    lengths,
    meanLengths,
    postings: (term) => index.get(term) ?? [],
    rarity: (term) => rarityOf(index.get(term)?.length ?? 0),
    ask(query) {
      const asked = new Map(termsOf(query).map((term) => [term.text, term]))
      return [...asked.values()].map((term) => ({ word: term.word, meant: spellings(term) }))
    },
  }
}

function withPairs(terms: readonly string[]): string[] {
  return [...terms, ...terms.slice(1).map((term, at) => `${terms[at]}${pairMark}${term}`)]
}

/** The term itself, or the terms of the catalog of which it may be a misspelling. */
function createSpellings(
  vocabulary: ReadonlyMap<string, string>,
  has: (term: string) => boolean,
): (term: Term) => AskedTerm['meant'] {
  // A misspelt word mostly begins with the right letter.
  const byLetter = Map.groupBy(
    [...vocabulary]
      .map(([word, term]) => ({ word, term }))
      .filter(({ word, term }) => word.length >= shortest && has(term)),
    ({ word }) => word[0] ?? '',
  )
  return ({ text, word: written }) => {
    if (has(text)) return [{ term: text, spelling: written, isExact: true }]
    if (written.length < shortest || /\d/.test(written)) return []
    const among = byLetter.get(written[0] ?? '') ?? []
    const pick = (isMeant: (spelling: string) => boolean) => [
      // Of several spellings of a term the last is taken: which one does not matter.
      ...new Map(
        among
          .filter(({ word }) => isMeant(word))
          .map(({ term, word }) => [term, { term, spelling: word, isExact: false }]),
      ).values(),
    ]
    // Letters that changed places make a word that does not exist.
    const swapped = pick((spelling) => areSwapped(written, spelling))
    if (swapped.length > 0) return swapped
    const edits = editsFor(written)
    return edits === 0 ? [] : pick((spelling) => isWithin(written, spelling, edits))
  }
}

/** Short words have too many neighbours to be taken for one of them. */
const shortest = 4
function editsFor({ length }: string): number {
  if (length < 5) return 0
  return length < 9 ? 1 : 2
}

/** Whether two neighbouring letters have changed places, and that is all. */
const areSwapped = (one: string, other: string) =>
  one.length === other.length &&
  [...one].sort().join('') === [...other].sort().join('') &&
  isWithin(one, other, 1)

/** How well one term fits one action, 0 to 1: its counts by field, weighted, with diminishing returns. */
function saturate(
  counts: Float64Array,
  lengths: Float64Array,
  { meanLengths }: Pick<LexicalIndex, 'meanLengths'>,
  { fields, lengthNorm }: LexicalWeights,
): number {
  let weighted = 0
  for (const [field, name] of fieldNames.entries()) {
    const count = counts[field] ?? 0
    if (count === 0) continue
    const relative = (lengths[field] ?? 0) / (meanLengths[field] ?? 1)
    weighted += (fields[name] * count) / (1 - lengthNorm + lengthNorm * relative)
  }
  return weighted / (1 + weighted)
}

/** What of a question was found where. It depends on no weight, so that the trainer may keep it. */
export interface Matches {
  readonly words: readonly {
    readonly word: string
    /** The rarity of the word, or of the rarest word of which it may be a misspelling. */
    readonly rarity: number
    readonly meant: readonly { readonly isExact: boolean; readonly postings: readonly Posting[] }[]
  }[]
  readonly pairs: readonly { readonly rarity: number; readonly postings: readonly Posting[] }[]
}

export function matchQuestion(index: LexicalIndex, query: string): Matches {
  const asked = index.ask(query)
  const terms = asked.map(({ meant }) => meant[0]?.term ?? '')
  const words = asked.map(({ word, meant }) => ({
    word,
    rarity: meant.length === 0 ? 1 : Math.max(...meant.map(({ term }) => index.rarity(term))),
    meant: meant.map(({ term, isExact }) => ({ isExact, postings: index.postings(term) })),
  }))
  const pairs = withPairs(terms)
    .slice(terms.length)
    .map((term) => ({ rarity: index.rarity(term), postings: index.postings(term) }))
    .filter(({ postings }) => postings.length > 0)
  return { words, pairs }
}

/** For each action: the weight of the matching words and pairs, and the matching words. */
export interface LexicalScores {
  readonly words: Float64Array
  readonly pairs: Float64Array
  /** The weight of all words that were asked. */
  readonly asked: number
}

export function scoreMatches(
  { words, pairs }: Matches,
  index: Pick<LexicalIndex, 'lengths' | 'meanLengths'>,
  weights: LexicalWeights,
): LexicalScores {
  const scores = {
    words: new Float64Array(index.lengths.length),
    pairs: new Float64Array(index.lengths.length),
  }
  const empty = new Float64Array(fieldNames.length)
  const gain = ({ document, counts }: Posting) =>
    saturate(counts, index.lengths[document] ?? empty, index, weights)
  for (const { rarity, meant } of words) {
    const best = new Map<number, number>()
    for (const { isExact, postings } of meant) {
      for (const posting of postings) {
        const value = rarity * gain(posting) * (isExact ? 1 : weights.misspelt)
        if (value > (best.get(posting.document) ?? 0)) best.set(posting.document, value)
      }
    }
    for (const [document, value] of best)
      scores.words[document] = (scores.words[document] ?? 0) + value
  }
  for (const { rarity, postings } of pairs) {
    for (const posting of postings)
      scores.pairs[posting.document] =
        (scores.pairs[posting.document] ?? 0) + rarity * gain(posting)
  }
  return { ...scores, asked: words.reduce((sum, { rarity }) => sum + rarity, 0) }
}
