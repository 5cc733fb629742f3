// What the catalog says of its actions, field by field: all that a question is compared with.
import type { CatalogEntry } from '#core/catalog.ts'

export const fieldNames = [
  'name',
  'title',
  'summary',
  'synonym',
  'question',
  'note',
  'elsewhere',
  'parameter',
  'endpoint',
] as const
export type Field = (typeof fieldNames)[number]
/** The texts of one action, each in its field. `elsewhere`: what the notes of other actions say of this one. */
export type ActionTexts = Readonly<Record<Field, readonly string[]>>

const actionId = /\b[a-z][a-z_]*\/[a-z_-]+/g
const spaced = (name: string) => name.replaceAll(/[/_-]/g, ' ')

export function readTexts(entries: readonly CatalogEntry[]): Map<string, ActionTexts> {
  const known = new Set(entries.map(({ id }) => id))
  const elsewhere = new Map<string, string[]>()
  const notes = new Map<string, string[]>()
  for (const { id, action } of entries) {
    for (const clause of clausesOf(action.notes ?? '')) {
      // A clause that names another action says what that one is for.
      const named = (clause.match(actionId) ?? []).filter((other) => known.has(other))
      if (named.length === 0) append(notes, id, clause)
      for (const other of named) append(elsewhere, other, clause.replaceAll(actionId, ''))
    }
  }
  return new Map(
    entries.map(({ id, action, service: { provider } }) => [
      id,
      {
        // What a table sells is called after the platform that it is of.
        name: [
          spaced(action.name),
          ...(provider.tableFolder === undefined ? [] : [spaced(provider.id)]),
        ],
        title: [provider.title],
        summary: [action.summary],
        synonym: action.synonyms ?? [],
        question: action.questions ?? [],
        note: notes.get(id) ?? [],
        elsewhere: elsewhere.get(id) ?? [],
        parameter: Object.keys((action.input as { shape?: object }).shape ?? {}).map(spaced),
        endpoint: (action.endpoints ?? []).map(
          ({ endpoint, summary }) => `${spaced(endpoint)}. ${summary}`,
        ),
      },
    ]),
  )
}

/** Parts of a sentence are clauses of their own where each of them names another action. */
function clausesOf(notes: string): string[] {
  return notes.split(/[.;:]\s/).flatMap((clause) => {
    const parts = clause.split(/,\s/)
    return parts.every((part) => part.search(actionId) !== -1) ? parts : [clause]
  })
}

function append(map: Map<string, string[]>, key: string, text: string) {
  const texts = map.get(key)
  if (texts === undefined) map.set(key, [text])
  else texts.push(text)
}
