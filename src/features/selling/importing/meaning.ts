// Whether two parts of a description say the same, although they are written or stored otherwise.

import { membersOf } from '#core/input/members.ts'
import type { JsonSchema } from '../described-operation.ts'

export type Definitions = Readonly<Record<string, JsonSchema>>

/** Whether two parts mean the same, with the definitions that they refer to. */
export type SameDefinitions = (before: unknown, now: unknown) => boolean

/** Equal for what is described alike: what is stored has its fields in another order. */
export const meaningOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (name, part: unknown) => {
    // Objects are open, also where they do not say so.
    if (name === 'additionalProperties' && part === true) return undefined
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    const fields = Object.entries(part)
    return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })

/** Large descriptions share their definitions, so what has changed in them is found once. */
export function compareMeanings(before: Definitions, now: Definitions): SameDefinitions {
  const changed = changedDefinitions(before, now)
  return (old, own) =>
    meaningOf(old) === meaningOf(own) &&
    (changed.size === 0 || !referencesIn(own).some((name) => changed.has(name)))
}

/** The definitions that differ, and those that refer to one. */
function changedDefinitions(before: Definitions, now: Definitions): ReadonlySet<string> {
  const names = Object.keys(now)
  const changed = new Set(names.filter((name) => meaningOf(before[name]) !== meaningOf(now[name])))
  if (changed.size === 0) return changed
  const users = new Map<string, string[]>()
  for (const name of names)
    for (const used of referencesIn(now[name]))
      if (users.get(used)?.push(name) === undefined) users.set(used, [name])
  // What is added while it is walked through is walked through too.
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user)
  return changed
}

const reference = '#/$defs/'

function referencesIn(value: unknown): readonly string[] {
  const found = new Set<string>()
  const pending = [value]
  while (pending.length > 0) {
    const part = pending.pop()
    if (typeof part !== 'object' || part === null) continue
    const { $ref } = membersOf(part)
    if (typeof $ref === 'string' && $ref.startsWith(reference))
      found.add($ref.slice(reference.length))
    pending.push(...Object.values(part))
  }
  return [...found]
}
