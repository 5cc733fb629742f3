// From a question to groups of actions: what the texts say, what an identifier asks for, and which of them do the same.
import { type CatalogEntry, requiredBy } from '#core/catalog.ts'
import { type Recognised, recognise } from './recognise.ts'
import type { SearchIndex } from './search.ts'
import { termsOf } from './words.ts'

export interface Ranked {
  readonly entry: CatalogEntry
  /** Actions that do much the same, best first. */
  readonly alternatives: readonly CatalogEntry[]
  readonly words: readonly string[]
  /** The identifier of the question that it takes, and the parameters that it fills. */
  readonly taken?: { readonly kind: string; readonly value: string; readonly input: object }
}

interface Candidate extends Omit<Ranked, 'alternatives'> {
  readonly score: number
  readonly asked: number
  readonly coverage: number
}

/** What an identifier is worth to the first action that takes it; each further one gets a little less. */
const identifierScore = 1.9
const identifierStep = 0.1
/** What few actions take says by itself which one is meant. */
const telltaleScore = 3
const telltaleTakersMax = 2
/** Whoever answers to less of a question than this does not answer it; of one or two words more must fit. */
const coverageMin = 0.36
const coverageMinOfFew = 0.5
const fewWords = 2
/** A word or two in passing. */
const scoreMin = 1.05
/** An action whose own words are as telling as this is meant, whatever else the question speaks of. */
const scoreSure = 2.7
/** Who asks how to do something by hand may use any of these words. */
const asksHow = /^\s*how (?:to|do|does|should|would)\b/i
/** A match far behind the best one is noise. */
const scoreShareMin = 0.3
/** Of what this gateway cannot run now. */
const unavailableFactor = 0.8
/** Of polls, when the question is not about how something stands; of what is polled for, when it is. */
const pollFactor = 0.7
/** Of jobs: when another action answers at once, that is better. */
const jobFactor = 0.93
/** Of what takes the id of something found before, when the question names none. */
const idFactor = 0.9
const idNames = new Set(['id', 'ein'])
const stateWords = new Set(termsOf('finished outcome poll result status').map(({ text }) => text))
/** Actions whose texts are so alike do the same. */
const likenessMin = 0.7
const alternativesMax = 5

function factorOf({ entry: { action, mode }, taken }: Candidate, asksForState: boolean): number {
  const { owned, issues, mode: kind } = action
  const isBeside = asksForState
    ? owned === undefined && (issues !== undefined || kind === 'job')
    : owned !== undefined
  const poll = isBeside ? pollFactor : 1
  return (
    poll *
    (taken === undefined && requiredBy(action).some((name) => idNames.has(name)) ? idFactor : 1) *
    (action.mode === 'job' ? jobFactor : 1) *
    (mode === 'unavailable' ? unavailableFactor : 1)
  )
}

export interface Ranker {
  /** Empty when nothing of the catalog answers the question. */
  rank(query: string, limit: number): readonly Ranked[]
}

export function createRanker(options: {
  index: SearchIndex
  find: (id: string) => CatalogEntry | undefined
  ownNamespace: string
}): Ranker {
  const { index, find, ownNamespace } = options

  function candidatesFor(query: string): Candidate[] {
    const { found, rest } = recognise(query, ownNamespace)
    const asksForState = termsOf(rest).some(({ text }) => stateWords.has(text))
    const sure = asksHow.test(query) ? Number.POSITIVE_INFINITY : scoreSure
    const byId = new Map<string, Candidate>()
    for (const match of index.search(rest)) byId.set(match.entry.id, match)
    for (const identifier of found) addTakers(identifier, byId)
    return [...byId.values()]
      .filter(
        ({ coverage, asked, taken, score }) =>
          taken !== undefined ||
          score >= sure ||
          (score >= scoreMin && coverage >= (asked <= fewWords ? coverageMinOfFew : coverageMin)),
      )
      .map((candidate) => ({
        ...candidate,
        score: candidate.score * factorOf(candidate, asksForState),
      }))
      .toSorted((one, other) => other.score - one.score)
  }

  function addTakers({ kind, value, takers }: Recognised, byId: Map<string, Candidate>) {
    const worth = takers.length <= telltaleTakersMax ? telltaleScore : identifierScore
    for (const [place, { id, input }] of takers.entries()) {
      const entry = find(id)
      if (entry === undefined) continue
      const before = byId.get(id)
      if (before?.taken !== undefined) continue
      byId.set(id, {
        entry,
        score: (before?.score ?? 0) + worth - identifierStep * place,
        asked: 0,
        coverage: 1,
        words: before?.words ?? [],
        taken: { kind, value, input },
      })
    }
  }

  return {
    rank(query, limit) {
      const candidates = candidatesFor(query)
      const best = candidates[0]?.score ?? 0
      const groups: { first: Candidate; others: CatalogEntry[] }[] = []
      for (const candidate of candidates) {
        if (candidate.score < best * scoreShareMin) break
        const { entry } = candidate
        const alike = groups.find(({ first }) => index.likeness(first.entry, entry) >= likenessMin)
        if (alike === undefined) groups.push({ first: candidate, others: [] })
        else if (alike.others.length < alternativesMax) alike.others.push(entry)
      }
      return groups
        .slice(0, limit)
        .map(({ first: { score: _s, coverage: _c, asked: _a, ...first }, others }) => ({
          ...first,
          alternatives: others,
        }))
    },
  }
}
