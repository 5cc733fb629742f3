// Compares merged evidence with the lists that it was merged from, by nDCG@10.
import type { SourceResult } from '#features/knowledge/search/evidence.ts'
import { fuse } from '#features/knowledge/search/fusion/fuse.ts'
import { readSlots } from '#features/knowledge/search/routing/slots.ts'

interface RecordedItem extends SourceResult {
  /** The document that the item leads to. */
  readonly document: string
}

/** The recorded replies of some sources to a question, and how relevant each document is. */
export interface RecordedQuestion {
  readonly question: string
  readonly facet: string
  readonly recency_wanted?: boolean
  readonly as_of?: string
  readonly lists: readonly { readonly provider: string; readonly items: readonly RecordedItem[] }[]
  readonly documents: Readonly<Record<string, { readonly grade: number }>>
}

const depth = 10
/** The age at which a result counts half, when the question names no period. */
const halfLifeDefaultDays = 30

export function compareFusion(questions: readonly RecordedQuestion[]) {
  const rows = questions.map((asked) => {
    const fused = documentsOf(asked)
    const unique = [...new Set(fused)]
    const lists = asked.lists.map(({ provider, items }) => ({
      provider,
      gain: ndcg([...new Set(items.map(({ document }) => document))], asked),
    }))
    const merged = new Set(
      asked.lists.flatMap(({ items }) => items.map(({ document }) => document)),
    )
    return {
      fused: ndcg(unique, asked),
      lists,
      best: Math.max(...lists.map(({ gain }) => gain)),
      duplicates: fused.length - unique.length,
      lost: merged.size - unique.length,
    }
  })
  const providers = Map.groupBy(
    rows.flatMap(({ lists }) => lists),
    ({ provider }) => provider,
  )
  const byProvider = [...providers]
    .map(
      ([provider, lists]) => [provider, mean(lists.map(({ gain }) => gain)), lists.length] as const,
    )
    .toSorted(([, one], [, other]) => other - one)
  return {
    'nDCG@10 merged': mean(rows.map(({ fused }) => fused)).toFixed(4),
    'nDCG@10 best list of each question': mean(rows.map(({ best }) => best)).toFixed(4),
    'nDCG@10 mean list': mean(rows.flatMap(({ lists }) => lists.map(({ gain }) => gain))).toFixed(
      4,
    ),
    'nDCG@10 by source': byProvider
      .map(([name, gain, count]) => `${name} ${gain.toFixed(3)} (${count})`)
      .join(', '),
    'duplicates left': rows.reduce((sum, { duplicates }) => sum + duplicates, 0),
    'documents lost by merging': rows.reduce((sum, { lost }) => sum + lost, 0),
  }
}

/** The documents of the merged evidence, in order. */
function documentsOf({
  question,
  facet,
  recency_wanted,
  as_of,
  lists,
}: RecordedQuestion): string[] {
  const now = as_of === undefined ? 0 : Date.parse(as_of)
  const halfLifeDays = readSlots(question, now).recencyDays ?? halfLifeDefaultDays
  const places = new Map(
    lists.flatMap(({ items }) => items.map(({ url, document }) => [url, document])),
  )
  const evidence = fuse(
    lists.map(({ provider, items }) => ({
      facet,
      source: provider,
      confidence: 1,
      findings: items,
    })),
    { question, ...(recency_wanted === true && { recency: { now, halfLifeDays } }) },
  )
  return evidence.flatMap(({ url }) => places.get(url) ?? [])
}

function ndcg(ranking: readonly string[], { documents }: RecordedQuestion): number {
  const gradeOf = (document: string) => documents[document]?.grade ?? 0
  const ideal = Object.values(documents)
    .map(({ grade }) => grade)
    .toSorted((one, other) => other - one)
  return gain(ranking.map(gradeOf)) / (gain(ideal) || 1)
}

const gain = (grades: readonly number[]) =>
  grades.slice(0, depth).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
