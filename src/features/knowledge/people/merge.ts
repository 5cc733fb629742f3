// One row for each person, from the records of several sources.
import { areCompaniesAlike, canonicalProfile, nameKey, type Person } from './person.ts'

/** A person as a source describes them, and the id of the action that found them. */
export interface FoundPerson extends Person {
  readonly name: string
  readonly source: string
}

export interface MergedPerson extends Person {
  readonly name: string
  /** The actions that found the person, in the order in which they were asked. */
  readonly sources: readonly string[]
}

/** Of reciprocal rank fusion: how little the first places differ. */
const rankOffset = 60

interface Group {
  person: Person & { name: string }
  sources: string[]
  score: number
}

/**
 * Records with the same profile are one person, and so are records with the same name and company, unless their
 * profiles differ. A name alone does not join two records.
 */
export function mergePeople(lists: readonly (readonly FoundPerson[])[]): readonly MergedPerson[] {
  const groups: Group[] = []
  for (const list of lists) {
    for (const [rank, { source, ...found }] of list.entries()) {
      const { linkedin } = found
      const person = { ...found, linkedin: linkedin && (canonicalProfile(linkedin) ?? linkedin) }
      const score = 1 / (rankOffset + rank + 1)
      const only = groupOf(groups, person)
      if (only === undefined) {
        groups.push({ person, sources: [source], score })
        continue
      }
      only.person = { ...withoutGaps(person), ...withoutGaps(only.person), name: only.person.name }
      if (!only.sources.includes(source)) {
        only.sources.push(source)
        only.score += score
      }
    }
  }
  return groups
    .toSorted((one, other) => other.score - one.score)
    .map(({ person, sources }) => ({ ...person, sources }))
}

/** The group of the same profile, or the only one of the same name and company. */
function groupOf(groups: readonly Group[], person: Person): Group | undefined {
  const fitting = groups.filter((group) => isSame(group.person, person))
  const ofProfile = fitting.find(
    ({ person: { linkedin } }) => linkedin && linkedin === person.linkedin,
  )
  return ofProfile ?? (fitting.length === 1 ? fitting[0] : undefined)
}

function isSame(one: Person, other: Person): boolean {
  if (one.linkedin !== undefined && other.linkedin !== undefined)
    return one.linkedin === other.linkedin
  if (!one.company || !other.company) return false
  return (
    nameKey(one.name ?? '') === nameKey(other.name ?? '') &&
    areCompaniesAlike(one.company, other.company)
  )
}

const withoutGaps = (person: Person) =>
  Object.fromEntries(Object.entries(person).filter(([, value]) => value)) as Person
