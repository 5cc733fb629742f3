// Values that an intent names and no call takes. A caller who names three addresses and pays for the check of one must
// be told.
import { type IdentifierKind, identifierPatterns } from '#core/identifier.ts'
import type { PlanStep } from '#core/plan.ts'
import type { MissingValue, PlanDraft } from './draft.ts'
import type { IntentSlots, SlotKind } from './slots.ts'

/** Their patterns also fit other words: `AB 12`, `symbol OF`. Such a value counts only beside one that a call takes. */
const vague: ReadonlySet<SlotKind> = new Set<IdentifierKind>(['flight number', 'ticker'])

const countedKinds: readonly SlotKind[] = [
  ...(Object.keys(identifierPatterns) as IdentifierKind[]),
  ...(['id', 'message id', 'inbox', 'ASIN', 'telephone', 'file'] as const),
]

/**
 * `question`: for the one of several values of a kind that a call shall take. `notes`: values of kinds that no call
 * takes.
 */
export interface Unused {
  readonly question?: MissingValue
  readonly notes: readonly string[]
}

export function findUnused(
  { steps, assumptions }: Pick<PlanDraft, 'steps' | 'assumptions'>,
  known: IntentSlots,
  answers: Readonly<Record<string, unknown>>,
): Unused {
  const taken = steps.map((step) => ({ step, text: plain(JSON.stringify(step.params)) }))
  // A goal that is left to the caller says its values.
  const said = plain(assumptions.join(' '))
  const isTaken = (value: string) => taken.some(({ text }) => text.includes(plain(value)))
  const notes: string[] = []
  for (const kind of countedKinds) {
    const values = known.get(kind) ?? []
    const left = values.filter((value) => !isTaken(value) && !said.includes(plain(value)))
    if (left.length === 0) continue
    const place = placeOf(steps, values)
    if (place === undefined) {
      if (!vague.has(kind)) notes.push(`Not used, because no call here takes it: ${list(left)}.`)
    } else if (!Object.hasOwn(answers, place.parameter)) {
      const description = `the request names ${list(values)}, and this call leaves out ${list(left)}`
      return { question: { ...place, description }, notes }
    }
  }
  return { notes }
}

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
