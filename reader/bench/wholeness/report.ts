// The tables of `npm run bench wholeness`.
import type { Wholeness } from './found-text.ts'

/** One thing that a reader takes whole, cuts or leaves out. */
export interface WholenessOutcome {
  readonly reader: string
  /** What it is counted with, such as `table`. */
  readonly group: string
  readonly outcome: Wholeness
}

/** Of each reader and group, and over all groups, how many came out whole, were cut, and are gone. */
export function reportOutcomes(title: string, outcomes: readonly WholenessOutcome[]): void {
  console.log(`\n${title}\n\n| | count | whole | cut | gone |\n|---|---|---|---|---|`)
  const all = outcomes.map((each) => ({ ...each, group: 'all' }))
  for (const reader of new Set(outcomes.map((each) => each.reader))) {
    const own = [...outcomes, ...all].filter((each) => each.reader === reader)
    for (const group of new Set(own.map((each) => each.group))) {
      const some = own.filter((each) => each.group === group)
      const cells = (['whole', 'cut', 'gone'] as const).map((wanted) => {
        const count = some.filter(({ outcome }) => outcome === wanted).length
        return `${count} (${((count / Math.max(1, some.length)) * 100).toFixed(1)} %)`
      })
      console.log(`| ${reader}, ${group} | ${some.length} | ${cells.join(' | ')} |`)
    }
  }
}
