// Intents with their right first calls, and how much a new intent is like each of them. Words that intents seldom have
// count most.
import { gramsOfText } from '#core/classifier/grams.ts'
import { findIdentifiers, identifierPatterns } from '#core/identifier.ts'
import { inTurns } from '#platform/in-turns.ts'

/** What is right for an intent: the calls that may come first, or the question or refusal that does. */
export type IntentLabel = `${string}/${string}` | 'converse' | 'unsupported'

export interface LabelledIntent {
  readonly intent: string
  readonly labels: readonly IntentLabel[]
}

/** An intent with what a new one is compared with. */
export interface RememberedIntent extends LabelledIntent {
  readonly grams: ReadonlyMap<string, number>
}

/** What the labels of similar intents say about a new one. */
export interface Recalled {
  /** The share of a label among the intents, each by how similar it is: 0 to 1. */
  shareOf(label: IntentLabel): number
  /** The calls of the greatest shares. */
  readonly likeliest: readonly IntentLabel[]
}

/** Of goals that come after others: intents are labelled with their first calls alone. */
export const nothingRecalled: Recalled = {
  shareOf: () => 0,
  likeliest: [],
}

export type RecallIntents = (intent: string) => Recalled

/** A gram of one intent alone is mostly an accident of its wording. */
const intentsOfGramMin = 2
/** How much faster than its similarity the weight of an intent grows. */
const sharpness = 20
/** Weight without a label, so that a few unlike intents do not make a label sure. */
const unlabelledWeight = 5
const likeliestMax = 5
const intentsPerTurn = 25
const gramsPerTurn = 5_000

interface Posting {
  readonly at: number
  readonly strength: number
}

export async function remember(
  intents: readonly LabelledIntent[],
): Promise<readonly RememberedIntent[]> {
  const remembered: RememberedIntent[] = []
  await inTurns(intents, intentsPerTurn, (labelled) => {
    remembered.push({ ...labelled, grams: gramsOf(labelled.intent) })
  })
  return remembered
}

export async function createMemory(intents: readonly RememberedIntent[]): Promise<RecallIntents> {
  const postings = await indexGrams(intents)
  const rarityOf = (count: number) => Math.log((intents.length + 1) / (count + 0.5))
  const lengths = new Float64Array(intents.length)
  await inTurns(postings.values(), gramsPerTurn, (list) => {
    for (const { at, strength } of list)
      lengths[at] = (lengths[at] ?? 0) + (strength * rarityOf(list.length)) ** 2
  })
  return (intent) => {
    const products = new Float64Array(intents.length)
    let length = 0
    for (const [gram, strength] of gramsOf(intent)) {
      const list = postings.get(gram)
      if (list === undefined) continue
      const rarity = rarityOf(list.length)
      length += (strength * rarity) ** 2
      for (const posting of list)
        products[posting.at] =
          (products[posting.at] ?? 0) + strength * posting.strength * rarity ** 2
    }
    const similarities = products.map((product, at) =>
      product === 0 ? 0 : product / Math.sqrt(length * (lengths[at] ?? 0)),
    )
    return recall(intents, similarities)
  }
}

async function indexGrams(
  intents: readonly RememberedIntent[],
): Promise<ReadonlyMap<string, readonly Posting[]>> {
  const postings = new Map<string, Posting[]>()
  await inTurns(intents, intentsPerTurn, ({ grams }, at) => {
    for (const [gram, strength] of grams) {
      const list = postings.get(gram)
      if (list === undefined) postings.set(gram, [{ at, strength }])
      else list.push({ at, strength })
    }
  })
  const telling = new Map<string, readonly Posting[]>()
  await inTurns(postings, gramsPerTurn, ([gram, list]) => {
    if (list.length >= intentsOfGramMin) telling.set(gram, list)
  })
  return telling
}

/** Identifiers count by their kinds. */
function gramsOf(text: string): ReadonlyMap<string, number> {
  const { found, rest } = findIdentifiers(text, identifierPatterns)
  return gramsOfText(rest, [...new Set(found.map(({ kind }) => kind))])
}

function recall(intents: readonly LabelledIntent[], similarities: Float64Array): Recalled {
  const weights = new Map<IntentLabel, number>()
  let all = unlabelledWeight
  for (const [at, { labels }] of intents.entries()) {
    const weight = Math.exp(sharpness * (similarities[at] ?? 0)) - 1
    all += weight
    for (const label of labels)
      weights.set(label, (weights.get(label) ?? 0) + weight / labels.length)
  }
  return {
    shareOf: (label) => (weights.get(label) ?? 0) / all,
    likeliest: [...weights]
      .filter(([label]) => label.includes('/'))
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, likeliestMax)
      .map(([label]) => label),
  }
}
