// Values that the words of a goal give to single parameters.

import type { CatalogEntry } from '#core/catalog.ts'
import { membersOf } from '#core/input/members.ts'
import type { FieldSchema } from '../../../values/field.ts'
import type { Goal } from '../goal.ts'
import type { IntentSlots, SlotKind } from '../slots.ts'

/** The value of a setting that the goal says in a word. */
export function wordedChoice(values: readonly unknown[], { text }: Goal): unknown {
  const said = values.filter(
    (value) =>
      typeof value === 'string' && new RegExp(`\\b${escapePattern(value)}`, 'i').test(text),
  )
  return said.length === 1 ? said[0] : undefined
}

const escapePattern = (text: string) => text.replaceAll(/[^\w\s]/g, String.raw`\$&`)

/** The endpoint that shares the most words with the goal. */
export function endpointOf({ action: { endpoints = [] } }: CatalogEntry, { text }: Goal): unknown {
  const asked = new Set(wordsOf(text))
  const [best] = endpoints
    .filter(({ unavailable }) => unavailable === undefined)
    .map(({ endpoint, summary }) => ({
      endpoint,
      shared: new Set(wordsOf(`${endpoint} ${summary}`).filter((word) => asked.has(word))).size,
    }))
    .toSorted((one, other) => other.shared - one.shared)
  return best !== undefined && best.shared > 0 ? best.endpoint : undefined
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []

export function messagesOf(goal: Goal): unknown {
  const subject = goal.named.get('subject')?.[0]
  return subject === undefined ? undefined : [{ role: 'user', content: goal.text }]
}

/** What the action makes of an identifier that it declares to take. */
export function fillTaken(
  { action }: CatalogEntry,
  name: string,
  { maxItems }: FieldSchema,
  slots: IntentSlots,
): unknown {
  for (const [kind, intake] of Object.entries(action.takes ?? {})) {
    const filled = (slots.get(kind as SlotKind) ?? []).flatMap((value) => {
      const made = membersOf(intake.fills(value))[name]
      // An intake may add values of its own, which the caller has not named.
      return made !== undefined && isPartOf(made, value) ? [made] : []
    })
    const [first] = filled
    if (Array.isArray(first)) return filled.flat().slice(0, maxItems)
    if (first !== undefined) return first
  }
  return undefined
}

/** Whether a value was made of an identifier, perhaps without its signs or its address. */
function isPartOf(value: unknown, identifier: string): boolean {
  const [one, other] = [JSON.stringify(value), identifier].map((text) =>
    text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''),
  ) as [string, string]
  return one.includes(other) || (one !== '' && other.includes(one))
}
