// What the catalog says of its actions, field by field: all that a question is compared with. phrases.tsv adds what
// people type who want an action, since its own texts say what it does and seldom what it is good for. unserved.tsv has
// what people ask for that no action does, by topic: a question that is nearer to these than to any action is not
// answered.
import { readFileSync } from 'node:fs'
import type { CatalogEntry } from '#core/catalog.ts'
import { membersOf } from '#core/input/members.ts'
import { recordOf } from '#core/input/records.ts'

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
  'phrase',
] as const
export type Field = (typeof fieldNames)[number]
/** The texts of one action, each in its field. `elsewhere`: what the notes of other actions say of this one. */
export type ActionTexts = Readonly<Record<Field, readonly string[]>>

const actionId = /\b[a-z][a-z_]*\/[a-z_-]+/g
const spaced = (name: string) => name.replaceAll(/[/_-]/g, ' ')

export const phrasesFile = new URL('../../../../models/discover/phrases.tsv', import.meta.url)
export const unservedFile = new URL('../../../../models/discover/unserved.tsv', import.meta.url)

/** Second columns by first columns. */
export function readTable(file: URL): Map<string, string[]> {
  const table = new Map<string, string[]>()
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const [key = '', text = ''] = line.split('\t')
    append(table, key, text)
  }
  return table
}

export function readUnserved(): Map<string, ActionTexts> {
  const none = recordOf(fieldNames, () => [])
  return new Map(
    [...readTable(unservedFile)].map(([topic, phrase]) => [topic, { ...none, phrase }]),
  )
}

/** The tables write `own` for the gateway's namespace. */
export function readTexts(
  entries: readonly CatalogEntry[],
  ownNamespace: string,
): Map<string, ActionTexts> {
  const phrases = readTable(phrasesFile)
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
        // Data of a platform is called after the platform.
        name: [
          spaced(action.name),
          ...(provider.tableFolder === 'platform_data' ? [spaced(provider.id)] : []),
        ],
        title: [provider.title],
        summary: [action.summary],
        synonym: action.synonyms ?? [],
        question: action.questions ?? [],
        note: notes.get(id) ?? [],
        elsewhere: elsewhere.get(id) ?? [],
        parameter: Object.keys(membersOf(membersOf(action.input).shape)).map(spaced),
        endpoint: (action.endpoints ?? []).map(
          ({ endpoint, summary }) => `${spaced(endpoint)}. ${summary}`,
        ),
        phrase: phrases.get(provider.id === ownNamespace ? `own/${action.name}` : id) ?? [],
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
