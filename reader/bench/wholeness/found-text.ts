// Whether something of a page came out whole, cut or not at all, by its words.
import { wordsOf } from '../word-f1.ts'

export type Wholeness = 'whole' | 'cut' | 'gone'

/** Text in which runs of words can be found. */
export interface Found {
  readonly line: string
  readonly runs: ReadonlySet<string>
}

const runLength = 3
/** So many runs of a structure stand elsewhere by chance. */
const chanceShareMax = 0.1

export function findable(text: string): Found {
  const words = wordsOf(text)
  return { line: lineOf(words), runs: new Set(runsOf(words)) }
}

/** `ownRuns` tell whether a part of it was found; without them all of its runs do. */
export function wholenessOf(text: string, found: Found, ownRuns?: readonly string[]): Wholeness {
  const words = wordsOf(text)
  if (found.line.includes(lineOf(words))) return 'whole'
  return shareOf(ownRuns ?? runsOf(words), found) > chanceShareMax ? 'cut' : 'gone'
}

/** How often each run of a text's words occurs in it. */
export function countRuns(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const run of runsOf(wordsOf(text))) counts.set(run, (counts.get(run) ?? 0) + 1)
  return counts
}

/** Which part of the runs of a text another has. */
export function sharedPart(text: string, found: Found): number {
  return shareOf(runsOf(wordsOf(text)), found)
}

function shareOf(runs: readonly string[], found: Found): number {
  return runs.filter((run) => found.runs.has(run)).length / Math.max(1, runs.length)
}

const lineOf = (words: readonly string[]) => ` ${words.join(' ')} `

function runsOf(words: readonly string[]): string[] {
  if (words.length <= runLength) return words.length === 0 ? [] : [words.join(' ')]
  return words
    .slice(runLength - 1)
    .map((_word, index) => words.slice(index, index + runLength).join(' '))
}
