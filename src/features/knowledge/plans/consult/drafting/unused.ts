// Values that an intent names and no call takes. A caller who names three addresses and pays for the check of one must
// be told.
import { everywhere, identifierPatterns } from '#core/identifier.ts'
import type { PlanStep } from '#core/plan.ts'
import { type ReadText, vagueKinds } from '../../../values/read-values.ts'
import type { SaidValue } from '../../../values/said-value.ts'
import type { MissingValue, PlanDraft } from '../goal.ts'
import type { IntentSlots, SlotKind } from '../slots.ts'
import { countedKinds, looseKinds } from './several-values.ts'
import { leftValues, standingIn } from './taken-values.ts'

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
  // A goal that is left to the caller says its values.
  const told = plain(assumptions.join(' '))
  const isTold = (value: string) => told.includes(plain(value))
  const notes: string[] = []
  for (const kind of countedKinds) {
    const values = known.get(kind) ?? []
    const used = usedOf(kind, values, steps)
    const left = values.filter((value) => !used.includes(value) && !isTold(value))
    if (left.length === 0) continue
    const place = placeOf(steps, used)
    if (place === undefined) {
      // Such a value counts only beside one that a call takes.
      if (!vagueKinds.has(kind))
        notes.push(`Not used, because no call here takes it: ${list(left)}.`)
    } else if (!Object.hasOwn(answers, place.parameter)) {
      const description = `the request names ${list(values)}, and this call leaves out ${list(left)}`
      return { question: { ...place, description }, notes }
    }
  }
  const unsaid = said === undefined ? [] : leftValues(steps, words, said)
  for (const value of unsaid) {
    const quoted = quotedIn(said, value)
    if (isNamed(value) && !isTold(quoted))
      notes.push(`Not used, because no call here takes it: “${quoted}”.`)
  }
  const beside = [
    ...looseKinds.map((kind) => {
      const values = known.get(kind) ?? []
      const used = values.filter((value) => usedOf(kind, [value], steps).length > 0)
      return { used, left: values.filter((value) => !used.includes(value)) }
    }),
    languagesOf(said, unsaid),
  ]
  for (const { used, left } of beside) {
    const untold = left.filter(
      (value) => !isTold(value) && !plain(notes.join(' ')).includes(plain(value)),
    )
    if (used.length > 0 && untold.length > 0)
      notes.push(`Not used, because the calls here take ${list(used)}: ${list(untold)}.`)
  }
  return { notes }
}

/** Which of the values of a kind stand in the calls. The host of an e-mail address is not taken as a domain. */
function usedOf(kind: SlotKind, values: readonly string[], steps: readonly PlanStep[]) {
  const said = steps.map(({ params }) => JSON.stringify(params)).join(' ')
  const address = everywhere(identifierPatterns['e-mail address'])
  const text = plain(kind === 'domain' ? said.replaceAll(address, ' ') : said)
  const standing = standingIn(text, values.map(plain))
  return values.filter((value) => standing.has(plain(value)))
}

function languagesOf(said: ReadText | undefined, unsaid: readonly SaidValue[]) {
  const languages = said?.values.filter(({ kind }) => kind === 'language') ?? []
  const quoted = (values: readonly SaidValue[]) => values.map((value) => quotedIn(said, value))
  return {
    used: quoted(languages.filter((value) => !unsaid.includes(value))),
    left: quoted(languages.filter((value) => unsaid.includes(value))),
  }
}

const quotedIn = (said: ReadText | undefined, { start, end }: SaidValue) =>
  said?.text.slice(start, end).trim() ?? ''

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
