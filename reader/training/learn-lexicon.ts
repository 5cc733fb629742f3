// Learns what words and class names are worth: on each page, how much more of the blocks that have one is content than
// of the page as a whole; then the mean over sites, drawn towards nothing where few sites have it.
import type { Lexicon } from '../src/extraction/lexicon.ts'
import type { Example } from './examples.ts'

const sitesMin = 4
const shrinkage = 4
const entriesMax = 12_000

interface Sums {
  label: number
  weight: number
}

export function learnLexicon(examples: readonly Example[]): Lexicon {
  const classes = createTally()
  const words = createTally()
  const texts = createTally()
  for (const example of examples) {
    const { tree } = example.page
    const onPage = { classes: new Map(), words: new Map(), texts: new Map() } as Record<
      'classes' | 'words' | 'texts',
      Map<number, Sums>
    >
    let label = 0
    let weight = 0
    for (const index of example.chosen) {
      const block = tree.blocks[index] as (typeof tree.blocks)[number]
      const blockWeight = example.weights[index] as number
      const blockLabel = (example.targets[index] as number) * blockWeight
      label += blockLabel
      weight += blockWeight
      const count = (sums: Map<number, Sums>, keys: Iterable<number>) => {
        for (const key of keys) add(sums, key, blockLabel, blockWeight)
      }
      count(onPage.classes, classesAround(tree.classWords, tree.parents, block.node))
      count(onPage.words, new Set(tree.words.slice(block.wordsFrom, block.wordsFrom + block.words)))
      count(onPage.texts, [block.hash])
    }
    const mean = label / Math.max(weight, 1e-9)
    classes.add(example.site, onPage.classes, mean)
    words.add(example.site, onPage.words, mean)
    texts.add(example.site, onPage.texts, mean)
  }
  return { classes: classes.scores(), words: words.scores(), texts: texts.scores() }
}

function classesAround(
  classWords: readonly (readonly number[])[],
  parents: readonly number[],
  node: number,
): Set<number> {
  const found = new Set<number>()
  for (let up = node; up > 0; up = parents[up] as number)
    for (const word of classWords[up] as readonly number[]) found.add(word)
  return found
}

function add(sums: Map<number, Sums>, key: number, label: number, weight: number): void {
  const found = sums.get(key)
  if (found === undefined) sums.set(key, { label, weight })
  else {
    found.label += label
    found.weight += weight
  }
}

function createTally() {
  /** For each key the sum of differences and the number of pages, by site. */
  const byKey = new Map<number, Map<string, Sums>>()
  return {
    add(site: string, onPage: ReadonlyMap<number, Sums>, mean: number): void {
      for (const [key, { label, weight }] of onPage) {
        if (weight === 0) continue
        let sites = byKey.get(key)
        if (sites === undefined) {
          sites = new Map()
          byKey.set(key, sites)
        }
        const sums = sites.get(site) ?? { label: 0, weight: 0 }
        sums.label += label / weight - mean
        sums.weight += 1
        sites.set(site, sums)
      }
    },
    scores(): ReadonlyMap<number, number> {
      const scored: [number, number, number][] = []
      for (const [key, sites] of byKey) {
        if (sites.size < sitesMin) continue
        let sum = 0
        for (const { label, weight } of sites.values()) sum += label / weight
        scored.push([key, sum / (sites.size + shrinkage), sites.size])
      }
      // The widest known are kept; a score is stored as one byte, so it is rounded here as there.
      scored.sort((a, b) => b[2] - a[2] || a[0] - b[0])
      return new Map(
        scored
          .slice(0, entriesMax)
          .map(([key, score]) => [key, Math.round(score * 127) / 127] as const)
          .filter(([, score]) => score !== 0),
      )
    },
  }
}
