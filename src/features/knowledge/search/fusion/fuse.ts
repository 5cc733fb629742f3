// Merges the lists of all sources into one, by weighted reciprocal rank fusion. It is pure: the same lists in any order
// give the same evidence.
import { createHash } from 'node:crypto'
import type { Citation, Evidence, EvidenceList } from '../evidence.ts'
import { rankByWording } from './agreement.ts'
import { groupByDocument, hostOf, type Placed } from './documents.ts'

export interface FuseOptions {
  /** With it, the wording of a document has a vote beside those of the sources. */
  readonly question?: string
  /** The longest answer. */
  readonly resultsMax?: number
  /**
   * Set when recent results are asked for: now, in milliseconds of Unix time, and the age in days at which a result
   * counts half.
   */
  readonly recency?: { readonly now: number; readonly halfLifeDays: number }
}

/** The constant of reciprocal rank fusion: the larger it is, the less the first places stand out. */
const rankConstant = 60
/** In these facets the document itself is asked for, rather than a text about it. */
const primaryFacets: ReadonlySet<string> = new Set([
  'public-filings',
  'financials',
  'legal',
  'regulatory',
])
const primaryLift = 1.5
/** Identifiers that only the record itself has. */
const primaryIds = ['filing', 'register document'] as const
/** Of the vote of the wording, beside 1 for a source that is sure of its facet. */
const wordingWeight = 1
/** Results of one host before those of others. Primary documents do not count, because one host has them all. */
const perHostMax = 3
/** The age, in half-lives, that a result without a date counts as having. */
const undatedHalfLives = 1
/** Of a score by recency: the rest stays however old a result is. */
const recencyShare = 0.8
const dayMs = 24 * 60 * 60 * 1_000
const idLength = 16

interface Candidate {
  readonly evidence: Evidence
  readonly host: string
  readonly address: string
  /** Of the score, for primary documents and for recent ones. */
  readonly factor: number
}

export function fuse(lists: readonly EvidenceList[], options: FuseOptions = {}): Evidence[] {
  const merged = groupByDocument(lists).map((group) => merge(group, options))
  const candidates = withWording(merged, options).toSorted(
    (one, other) =>
      other.evidence.score - one.evidence.score || (one.address < other.address ? -1 : 1),
  )
  return capHosts(candidates)
    .slice(0, options.resultsMax)
    .map(({ evidence }) => evidence)
}

function merge(group: readonly Placed[], options: FuseOptions): Candidate {
  const ordered = group.toSorted(
    (one, other) =>
      Number(isPrimary(other)) - Number(isPrimary(one)) ||
      weigh(other) - weigh(one) ||
      (sortKey(one) < sortKey(other) ? -1 : 1),
  )
  const [best] = ordered as [Placed, ...Placed[]]
  const { finding, list } = best
  const pick = <Name extends 'snippet' | 'content' | 'published_at'>(name: Name) =>
    (
      ordered.find(({ finding }) => finding[name] !== undefined && !finding.isThin) ??
      ordered.find(({ finding }) => finding[name] !== undefined)
    )?.finding[name] ?? null
  const primary = ordered.some(isPrimary)
  const citations = citationsOf(ordered)
  const said = ordered.filter(({ finding }) => finding.snippet !== undefined)
  const isThin = said.length > 0 && said.every(({ finding }) => finding.isThin)
  const ids = Object.assign({}, ...ordered.map((each) => each.finding.ids).toReversed())
  const published_at = pick('published_at')
  // The registry lists the filings of a company by their days, and the latest may be months old.
  const isOrdered = ordered.some(({ ids }) => ids.has('filing') || ids.has('figure'))
  const lift =
    primary && ordered.some((each) => primaryFacets.has(each.list.facet)) ? primaryLift : 1
  return {
    host: primary ? '' : hostOf(best),
    address: best.address,
    factor: lift * (isOrdered ? 1 : freshness(published_at, options)),
    evidence: {
      id: createHash('sha256').update(best.address).digest('hex').slice(0, idLength),
      url: finding.url,
      title: finding.title,
      snippet: pick('snippet'),
      content: pick('content'),
      published_at,
      facet: list.facet,
      source: list.source,
      score: sumOfBest(ordered),
      primary,
      corroborated_by: [...new Set(ordered.map((each) => each.list.source))]
        .filter((source) => source !== list.source)
        .sort(),
      citations,
      transaction_id: citations[0]?.transaction_id ?? null,
      ...(Object.keys(ids).length > 0 && { ids }),
      ...(isThin && { isThin: true }),
    },
  }
}

/** Each call once for each address that it gave. */
function citationsOf(group: readonly Placed[]): readonly Citation[] {
  const all = group.flatMap(({ finding: { url, receipts = [] } }) =>
    receipts.map(({ source, transaction_id }) => ({ source, url, transaction_id })),
  )
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}

/** Adds the vote of the wording, then lifts primary and recent documents. */
function withWording(
  candidates: readonly Candidate[],
  { question }: FuseOptions,
): readonly Candidate[] {
  const texts = candidates.map(({ evidence: { title, snippet } }) => `${title} ${snippet ?? ''}`)
  const ranks = question === undefined ? [] : rankByWording(question, texts)
  return candidates.map((candidate, at) => {
    const rank = ranks[at]
    const vote = rank === undefined ? 0 : wordingWeight / (rankConstant + rank)
    const score = (candidate.evidence.score + vote) * candidate.factor
    return { ...candidate, evidence: { ...candidate.evidence, score } }
  })
}

const isPrimary = ({ finding, ids }: Placed): boolean =>
  finding.primary ?? primaryIds.some((kind) => ids.has(kind))

/** Sources count alike: weights learned from graded lists of other questions made the order worse. */
const weigh = ({ list, rank }: Placed): number => list.confidence / (rankConstant + rank)

/** A list counts once, by its best place. Numbers are added in order of size, since the order changes a sum. */
function sumOfBest(group: readonly Placed[]): number {
  const best = new Map<EvidenceList, number>()
  for (const placed of group) {
    best.set(placed.list, Math.max(best.get(placed.list) ?? 0, weigh(placed)))
  }
  return [...best.values()].sort((one, other) => one - other).reduce((sum, value) => sum + value, 0)
}

function freshness(publishedAt: string | null, { recency }: FuseOptions): number {
  if (recency === undefined) return 1
  const age = publishedAt === null ? Number.NaN : recency.now - Date.parse(publishedAt)
  const halfLives = Number.isNaN(age)
    ? undatedHalfLives
    : Math.max(0, age) / dayMs / recency.halfLifeDays
  return 1 - recencyShare + recencyShare * 0.5 ** halfLives
}

/** The results of a host beyond its share follow all others. */
function capHosts(candidates: readonly Candidate[]): Candidate[] {
  const counts = new Map<string, number>()
  const isWithin = candidates.map(({ host }) => {
    counts.set(host, (counts.get(host) ?? 0) + 1)
    return host === '' || (counts.get(host) ?? 0) <= perHostMax
  })
  return [
    ...candidates.filter((_, at) => isWithin[at]),
    ...candidates.filter((_, at) => !isWithin[at]),
  ]
}

const sortKey = ({ list, finding, rank }: Placed) =>
  `${finding.url}\n${list.source}\n${list.facet}\n${rank}`
