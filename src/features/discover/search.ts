// BM25 over what the catalog says of its actions, field by field. No network and no model: a few hundred short texts.
import type { CatalogEntry } from '#core/catalog.ts'
import { isWithin, knownMeanings, type Term, termsOf } from './words.ts'

/** How much a term counts by where it stands. */
const weights = {
  name: 2.5,
  synonym: 3,
  question: 2,
  summary: 2,
  note: 0.6,
  elsewhere: 0.8,
  parameter: 0.4,
}
/** Saturation of repeated terms, and how much long texts are held back. */
const saturation = 4
const lengthNorm = 0.3
/** Two words next to each other count beyond their sum. */
const pairBonus = 0.8
const typoFactor = 0.75
/** What a word that may be a misspelling covers: it may as well be a word of its own. */
const typoCoverage = 0.6
/** Words that only example questions hold are what those are about, Berlin or Snowflake, not what an action does. */
const exampleFactor = 0.3

interface Document {
  readonly entry: CatalogEntry
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** What a word of a question is taken for. */
interface Spelling {
  readonly term: string
  readonly factor: number
  readonly coverage: number
}

export interface Match {
  readonly entry: CatalogEntry
  /** In units of a word that one action alone has, which is the most telling one, so that catalogs of any size compare. */
  readonly score: number
  /** The caller’s words that it answers to. */
  readonly words: readonly string[]
  /** How many words were asked that say something. */
  readonly asked: number
  /** How much of what was asked, 0 to 1, weighted by how telling each word is. */
  readonly coverage: number
}

export interface SearchIndex {
  search(query: string): Match[]
  /** How alike two actions are by their texts, 0 to 1. */
  likeness(one: CatalogEntry, other: CatalogEntry): number
}

const actionId = /\b[a-z][a-z_]*\/[a-z_-]+/g

export function createSearchIndex(entries: readonly CatalogEntry[]): SearchIndex {
  const counts = new Map(entries.map((entry) => [entry.id, new Map<string, number>()]))
  const vocabulary = new Map(knownMeanings)
  const add = (id: string, text: string, weight: number, purpose?: ReadonlySet<string>) => {
    const own = counts.get(id)
    if (own === undefined) return
    const read = termsOf(text)
    for (const { word, text: term } of read) vocabulary.set(word, term)
    const terms = read.map((term) => term.text)
    const pairs = terms.slice(1).map((term, at) => `${terms[at]} ${term}`)
    for (const term of terms) {
      const factor = purpose === undefined || purpose.has(term) ? 1 : exampleFactor
      own.set(term, (own.get(term) ?? 0) + weight * factor)
    }
    for (const pair of pairs) own.set(pair, (own.get(pair) ?? 0) + weight * pairBonus)
  }
  for (const { id, action, service } of entries) {
    const { provider } = service
    add(id, action.name.replaceAll(/[_-]/g, ' '), weights.name)
    add(id, provider.title, weights.note)
    // What a table sells is called after the platform that it is of.
    if (provider.tableFolder) add(id, provider.id.replaceAll('_', ' '), weights.name)
    add(id, action.summary, weights.summary)
    for (const { endpoint, summary } of action.endpoints ?? [])
      add(id, `${endpoint.replaceAll(/[/-]/g, ' ')}. ${summary}`, weights.note)
    for (const synonym of action.synonyms ?? []) add(id, synonym, weights.synonym)
    const shape = (action.input as { shape?: object }).shape ?? {}
    add(id, Object.keys(shape).join(' ').replaceAll('_', ' '), weights.parameter)
    // A clause that names another action says what that one is for.
    for (const clause of (action.notes ?? '').split(/[.;:]\s/)) {
      const named = (clause.match(actionId) ?? []).filter((other) => counts.has(other))
      if (named.length === 0) add(id, clause, weights.note)
      for (const other of named) add(other, clause.replaceAll(actionId, ''), weights.elsewhere)
    }
  }
  const purpose = new Set([...counts.values()].flatMap((own) => [...own.keys()]))
  for (const { id, action } of entries) {
    for (const question of action.questions ?? []) add(id, question, weights.question, purpose)
  }
  const documents: Document[] = entries.map((entry) => {
    const own = counts.get(entry.id) ?? new Map()
    return { entry, counts: own, length: [...own.values()].reduce((sum, count) => sum + count, 0) }
  })
  return { search: createScorer(documents, vocabulary), likeness: createLikeness(documents) }
}

/** `vocabulary`: the words that are known, as they are written, and the term of each. */
function createScorer(
  documents: readonly Document[],
  vocabulary: ReadonlyMap<string, string>,
): SearchIndex['search'] {
  const frequency = new Map<string, number>()
  for (const { counts } of documents) {
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  const total = documents.length
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(total, 1)
  const rarity = (term: string) => {
    const count = frequency.get(term) ?? 0
    return Math.log(1 + (total - count + 0.5) / (count + 0.5))
  }
  const mostTelling = Math.log(1 + (total - 0.5) / 1.5)
  // A misspelt word mostly begins with the right letter.
  const spellingsByLetter = Map.groupBy(
    [...vocabulary]
      .map(([word, term]) => ({ word, term }))
      .filter(({ word, term }) => word.length >= 4 && frequency.has(term)),
    ({ word }) => word[0] ?? '',
  )

  /** The term itself, or those of the catalog that it may be a misspelling of. */
  function spellings({ text, word: written }: Term): readonly Spelling[] {
    if (frequency.has(text)) return [{ term: text, factor: 1, coverage: 1 }]
    if (written.length < 4 || /\d/.test(written)) return []
    const among = spellingsByLetter.get(written[0] ?? '') ?? []
    const pick = (coverage: number, isMeant: (spelling: string) => boolean) =>
      [...new Set(among.filter(({ word }) => isMeant(word)).map(({ term }) => term))].map(
        (term) => ({ term, factor: typoFactor, coverage }),
      )
    // Letters that changed places make a word that is none.
    const swapped = pick(1, (spelling) => areSwapped(written, spelling))
    if (swapped.length > 0) return swapped
    const edits = editsFor(written)
    return edits === 0 ? [] : pick(typoCoverage, (spelling) => isWithin(written, spelling, edits))
  }

  return (query) => {
    const [kind = '', ...topic] = query.split(topicMark)
    // What a question is about is in no text of the catalog: papers on coral are papers.
    const kindTerms = termsOf(kind).map((term) => ({ ...term, share: 1 }))
    const topicShare = kindTerms.length > 0 ? topicTermShare : 1
    const topicTerms = termsOf(topic.join(' ')).map((term) => ({ ...term, share: topicShare }))
    const terms = [...kindTerms, ...topicTerms]
    const read = terms.map((term) => ({ ...term, spelt: spellings(term) }))
    const asked = [...new Map(read.map((term) => [term.text, term])).values()]
    // Half by how telling a word is, half by its being one at all: `company` says little, and yet what it is about.
    const names = namesOf(query)
    const weightOf = ({ spelt, share, word }: (typeof read)[number]) => {
      if (spelt.length > 0)
        return share * (evenWeight + Math.max(...spelt.map(({ term }) => rarity(term))))
      return names.has(word) ? nameWeight : share * (evenWeight + unknownWeight)
    }
    const whole = asked.reduce((sum, term) => sum + weightOf(term), 0)
    const pairs = read.slice(1).flatMap((term, at) =>
      (read[at]?.spelt ?? []).flatMap((before) =>
        term.spelt.map((after) => ({
          term: `${before.term} ${after.term}`,
          factor: before.factor * after.factor,
        })),
      ),
    )
    return documents
      .map(({ entry, counts, length }) => {
        const norm = saturation * (1 - lengthNorm + (lengthNorm * length) / meanLength)
        const gain = (term: string) => {
          const count = counts.get(term) ?? 0
          return count === 0 ? 0 : (rarity(term) * count * (saturation + 1)) / (count + norm)
        }
        let score = 0
        let covered = 0
        const words: string[] = []
        for (const term of asked) {
          const best = Math.max(
            0,
            ...term.spelt.map(({ term: text, factor }) => factor * gain(text)),
          )
          if (best === 0) continue
          score += best
          covered += weightOf(term) * Math.max(...term.spelt.map(({ coverage }) => coverage))
          words.push(term.word)
        }
        for (const { term, factor } of pairs) score += pairBonus * factor * gain(term)
        return {
          entry,
          score: score / mostTelling,
          words,
          asked: asked.length,
          coverage: whole === 0 ? 0 : covered / whole,
        }
      })
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
  }
}

/** Between the kind of thing that is wanted and what it is to be about. */
const topicMark = /\b(?:about|on|regarding|concerning)\b/i
/** How much a word of the topic weighs in what must be covered. */
const topicTermShare = 0.25

/** The words that are written with a capital letter and do not begin a sentence, in lower case. */
const namesOf = (query: string): ReadonlySet<string> =>
  new Set(
    [...query.matchAll(/(?<=[^\s.?!:]\s+)\p{Lu}[\p{L}\d]*/gu)].map(([name]) => name.toLowerCase()),
  )

/** Short words have too many neighbours to be taken for one of them. */
function editsFor({ length }: string): number {
  if (length < 6) return 0
  return length < 9 ? 1 : 2
}

/** Whether two neighbouring letters have changed places, and that is all. */
const areSwapped = (one: string, other: string) =>
  one.length === other.length &&
  [...one].sort().join('') === [...other].sort().join('') &&
  isWithin(one, other, 1)

/** What a word counts that the catalog does not know: another topic, mostly. */
const unknownWeight = 5
/** What a name counts that the catalog does not know. It says whom or what a question is about, not what it asks for. */
const nameWeight = 1.5
const evenWeight = 2

function createLikeness(documents: readonly Document[]): SearchIndex['likeness'] {
  const byId = new Map(documents.map((document) => [document.entry.id, document.counts]))
  const norms = new Map(
    documents.map(({ entry, counts }) => [
      entry.id,
      Math.sqrt([...counts.values()].reduce((sum, count) => sum + count ** 2, 0)),
    ]),
  )
  return (one, other) => {
    const theirs = byId.get(other.id) ?? new Map<string, number>()
    const shared = [...(byId.get(one.id) ?? [])].reduce(
      (sum, [term, count]) => sum + count * (theirs.get(term) ?? 0),
      0,
    )
    return shared / ((norms.get(one.id) ?? 1) * (norms.get(other.id) ?? 1) || 1)
  }
}
