// Reads what a goal says for one action: the values of its fields, and what it is about.
import type { Action } from '#core/action.ts'
import { type CatalogEntry, inputSchemaOf, requiredBy } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { keysOf } from '#core/input/records.ts'
import { type FieldSchema, type Filled, takesSeveral } from '../../../values/field.ts'
import { fillFields } from '../../../values/fill-fields.ts'
import { kindWordsOf, readTopic } from '../../../values/topic.ts'
import type { Goal } from '../goal.ts'
import type { SlotKind } from '../slots.ts'
import { endpointOf } from './goal-values.ts'
import { parameterKinds } from './recipes.ts'
import { shapeTexts } from './shape.ts'

export interface GoalReading {
  /** Those of the action, or of the endpoint that the goal asks for. */
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required: readonly string[]
  readonly filled: ReadonlyMap<string, Filled>
  /** What it is about. Empty if it names nothing. */
  readonly topic: string
}

/** Where an action has several endpoints, those of the one that the goal asks for. */
function fieldsFor(entry: CatalogEntry, goal: Goal) {
  const { action } = entry
  const { properties } = inputSchemaOf(action)
  const required = requiredBy(action)
  const asked = goal.answers.endpoint ?? endpointOf(entry, goal)
  const source = action.endpoints?.find(({ endpoint }) => endpoint === asked)
  // Actions whose endpoints share all parameters name none of them.
  const isNamed = action.endpoints?.some(({ optional }) => optional !== undefined)
  if (source === undefined || !isNamed) return { properties, required }
  const { required: own, one_of: oneOf = [], optional = [] } = source
  const taken = new Set(['endpoint', ceilingField, ...own, ...oneOf, ...optional])
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => taken.has(name))),
    required: [...required, ...own],
  }
}

export function readGoalFor(entry: CatalogEntry, goal: Goal): GoalReading {
  const { properties, required } = fieldsFor(entry, goal)
  const identifying = Object.entries(properties)
    .filter(([name, schema]) => takesIdentifier(entry, name, schema))
    .map(([name]) => name)
  const except = new Set([ceilingField, ...identifying])
  const { saidAs } = entry.action
  const filled = fillFields({ properties, except, saidAs }, goal.said)
  const taken = filled.flatMap(({ from }) => from)
  const [quotation] = goal.named.get('quotation') ?? []
  return {
    properties,
    required,
    filled: new Map(filled.map((one) => [one.name, one])),
    topic: goal.topic ?? quotation ?? readTopic(goal.said, taken, kindWordsFor(entry, properties)),
  }
}

/** Not `to`, where it is the last day. */
const takesIdentifier = (entry: CatalogEntry, name: string, { pattern }: FieldSchema) =>
  !pattern?.startsWith(String.raw`^\d{4}`) &&
  kindsOf(entry, name).some((kind) => kind !== 'subject')

const kindWords = new WeakMap<Action, ReadonlySet<string>>()
/** Descriptions of parameters that read a sentence: there, every word may matter. */
const readsSentence = /sentence|question|plain English|: a role|find out|you want|by meaning/i

function kindWordsFor(
  { id, action }: CatalogEntry,
  properties: Readonly<Record<string, FieldSchema>>,
): ReadonlySet<string> {
  const { name, summary, synonyms = [] } = action
  const query = properties.query ?? properties.q
  const texts = readsSentence.test(`${query?.description} ${summary}`)
    ? []
    : [id.replace(/^ns_/, ''), name, summary, ...synonyms]
  const words = kindWords.get(action) ?? kindWordsOf(texts)
  kindWords.set(action, words)
  return words
}

/** Parameters that take a whole sentence. Others take the topic, and those for a name only a short one. */
const sentenceParameter = /^(?:prompt|objective|input|activity|activity_question|question|text)$/
const nameParameter =
  /company|organization|name$|^(?:tech|title|keyword|position|jobTitles?|job_title\w*)$/i
const nameWordsMax = 5
const listParameter = /title|position/i

export function subjectFor(name: string, schema: FieldSchema, goal: Goal, { topic }: GoalReading) {
  const quotations = goal.named.get('quotation') ?? []
  if (quotations.length > 1 && takesSeveral(schema))
    return shapeTexts(severalOf(schema), quotations)
  if (sentenceParameter.test(name)) return shapeTexts(schema, goal.named.get('subject') ?? [])
  if (topic === '') return undefined
  if (
    nameParameter.test(name) &&
    topic.split(/\s+/).length > nameWordsMax &&
    quotations.length === 0
  )
    return undefined
  const parts = listParameter.test(name)
    ? topic.split(/\s*,\s*|\s+(?:and|und|et|or|y)\s+/)
    : [topic]
  return shapeTexts(schema, parts)
}

const severalOf = (schema: FieldSchema): FieldSchema =>
  schema.anyOf?.find(({ type }) => type === 'array') ?? schema

/** Which kinds of identifiers and names a parameter takes, the best first. */
export const kindsOf = ({ id, action }: CatalogEntry, name: string): readonly SlotKind[] => {
  if (name === 'id') return [...keysOf(action.takes ?? {}), 'id']
  const known = parameterKinds[`${id}.${name}`] ?? parameterKinds[name]
  return known ?? (/(?:_id|Id)s?$/.test(name) ? ['id', 'job or transaction id'] : [])
}

/** `natgeo and nasa`: names of accounts without a sign. */
export function accountsIn(topic: string): readonly string[] {
  const names = topic.split(/\s*,\s*|\s+(?:and|und|et|y|e)\s+/)
  return names.every((name) => /^[\w.-]{2,30}$/.test(name)) ? names : []
}
