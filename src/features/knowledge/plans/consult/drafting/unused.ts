// Values that an intent names and no call takes. A caller who names three addresses and pays for the check of one must
// be told.
import type { PlanStep } from '#core/plan.ts'
import { type ReadText, vagueKinds } from '../../../values/read-values.ts'
import type { SaidValue } from '../../../values/said-value.ts'
import type { MissingValue, PlanDraft } from '../goal.ts'
import type { IntentSlots } from '../slots.ts'
import { countedKinds } from './several-values.ts'
import { leftValues } from './taken-values.ts'

/**
 * `question`: for the one of several values of a kind that a call shall take. `notes`: values of kinds that no call
 * takes.
 */
export interface Unused {
  readonly question?: MissingValue
  readonly notes: readonly string[]
}

export function findUnused(
  { steps, assumptions, taken: words = [] }: Pick<PlanDraft, 'steps' | 'assumptions' | 'taken'>,
  said: ReadText | undefined,
  known: IntentSlots,
  answers: Readonly<Record<string, unknown>>,
): Unused {
  const taken = steps.map((step) => ({ step, text: plain(JSON.stringify(step.params)) }))
  // A goal that is left to the caller says its values.
  const told = plain(assumptions.join(' '))
  const isTaken = (value: string) => taken.some(({ text }) => text.includes(plain(value)))
  const notes: string[] = []
  for (const kind of countedKinds) {
    const values = known.get(kind) ?? []
    const left = values.filter((value) => !isTaken(value) && !told.includes(plain(value)))
    if (left.length === 0) continue
    const place = placeOf(steps, values)
    if (place === undefined) {
      // Such a value counts only beside one that a call takes.
      if (!vagueKinds.has(kind))
        notes.push(`Not used, because no call here takes it: ${list(left)}.`)
    } else if (!Object.hasOwn(answers, place.parameter)) {
      const description = `the request names ${list(values)}, and this call leaves out ${list(left)}`
      return { question: { ...place, description }, notes }
    }
  }
  const left = said === undefined ? [] : leftValues(steps, words, said)
  for (const value of left) {
    const quoted = said?.text.slice(value.start, value.end).trim() ?? ''
    if (isNamed(value) && !told.includes(plain(quoted)))
      notes.push(`Not used, because no call here takes it: “${quoted}”.`)
  }
  return { notes }
}

/** A language and the place of a city are also words of other things. */
const isNamed = (value: SaidValue) =>
  value.kind !== 'place' &&
  value.kind !== 'language' &&
  !(value.kind === 'country' && value.isOrigin)

/** The parameter that takes one of the values. */
function placeOf(steps: readonly PlanStep[], values: readonly string[]) {
  for (const { action, params } of steps) {
    for (const [parameter, value] of Object.entries(params)) {
      const text = plain(JSON.stringify(value))
      if (values.some((each) => text.includes(plain(each)))) return { action, parameter }
    }
  }
  return undefined
}

/** Actions write identifiers in several ways: `13-1837418` and `131837418`. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const list = (values: readonly string[]) => values.join(', ')
