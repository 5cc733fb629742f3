// What differs between an operation as it is sold and as it would be sold, in one plain line for the operator.

import { hasMembers, membersOf } from '#core/input/members.ts'
import { ownValue } from '#core/input/own-value.ts'
import { keysOf } from '#core/input/records.ts'
import type { DescribedOperation, JsonSchema } from '../described-operation.ts'
import { followed } from '../rules/followed.ts'
import type { PriceRule } from '../rules/price-rules.ts'
import { type Definitions, meaningOf, type SameDefinitions } from './meaning.ts'

/** An operation with what decides how it is sold. */
export interface SaleSide {
  /** Undefined: an endpoint that is sold as it is. */
  readonly operation: DescribedOperation | undefined
  readonly rule: PriceRule | undefined
  readonly definitions: Definitions
}

interface Change {
  readonly before: SaleSide
  readonly now: SaleSide
  readonly isSame: SameDefinitions
  /** Tells whether the operations are the same, with all that they refer to. */
  readonly isDescribedAlike: boolean
}

const namesShown = 5
const phrasesShown = 8

/** Empty where they are described alike. */
export function describeChange(change: Change): string {
  const { before, now, isDescribedAlike } = change
  const phrases = [...operationPhrases(change), ...rulePhrases(before.rule, now.rule)]
  const all = phrases.length === 0 && !isDescribedAlike ? ['is described otherwise'] : phrases
  const more = all.length - phrasesShown
  return [...all.slice(0, phrasesShown), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function operationPhrases(change: Change): readonly string[] {
  const [old, own] = [change.before.operation, change.now.operation]
  if (old === undefined || own === undefined || change.isDescribedAlike) return []
  const differs = (part: keyof DescribedOperation) => meaningOf(old[part]) !== meaningOf(own[part])
  return [
    ...(differs('title') ? ['has another title'] : []),
    // Without one of its own, the title is the description.
    ...(differs('description') && own.description !== own.title ? ['has another description'] : []),
    ...(old.deprecated === own.deprecated
      ? []
      : [own.deprecated ? 'is deprecated now' : 'is no longer deprecated']),
    ...(old.method === own.method ? [] : [`is sent by ${own.method}, was ${old.method}`]),
    ...(old.path === own.path ? [] : [`is at ${own.path}, was ${old.path}`]),
    ...(old.server === own.server ? [] : [`is at ${own.server}, was ${old.server}`]),
    ...(differs('security') ? ['has its key in another place'] : []),
    ...inputPhrases(old.input, own.input, change),
    ...outputPhrases(old.output, own.output, change),
    ...(differs('outputTypes') ? ['answers with another type of content'] : []),
  ]
}

function inputPhrases(old: JsonSchema, own: JsonSchema, change: Change): readonly string[] {
  const { added, removed, retyped, other, required } = compareFields(old, own, change)
  return [
    ...listed(added, (names) => `takes ${names} now`),
    ...listed(removed, (names) => `no longer takes ${names}`),
    ...retyped,
    ...listed(required.added, (names) => `needs ${names} now`),
    ...listed(required.removed, (names) => `no longer needs ${names}`),
    ...listed(other, (names) => `describes ${names} otherwise`),
  ]
}

function outputPhrases(
  old: JsonSchema | undefined,
  own: JsonSchema | undefined,
  change: Change,
): readonly string[] {
  if (change.isSame(old, own)) return []
  const { added, removed, retyped } = compareFields(
    rowOf(old ?? {}, change.before.definitions),
    rowOf(own ?? {}, change.now.definitions),
    change,
  )
  const phrases = [
    ...listed(added, (names) => `answers with ${names} now`),
    ...listed(removed, (names) => `no longer answers with ${names}`),
    ...retyped.map((phrase) => `in its answer ${phrase}`),
  ]
  return phrases.length > 0 ? phrases : ['describes its answer otherwise']
}

/** Of a list, what is in it. */
function rowOf(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const own = followed(schema, definitions)
  const { items } = own
  return own.type === 'array' && typeof items === 'object' && items !== null ? items : own
}

function compareFields(written: JsonSchema, writtenNow: JsonSchema, change: Change) {
  const { before, now, isSame } = change
  const [old, own] = [fieldsOf(written, before), fieldsOf(writtenNow, now)]
  const kept = Object.keys(own.fields).filter((name) => Object.hasOwn(old.fields, name))
  const typed = kept.map((name) => {
    const [was, is] = [ownValue(old.fields, name), ownValue(own.fields, name)]
    const types = [typeOf(was, before.definitions), typeOf(is, now.definitions)] as const
    return { name, was: types[0], is: types[1], isAlike: isSame(was, is) }
  })
  const isNew = (name: string) => !Object.hasOwn(old.fields, name)
  return {
    added: Object.keys(own.fields).filter(isNew),
    removed: Object.keys(old.fields).filter((name) => !Object.hasOwn(own.fields, name)),
    retyped: typed
      .filter(({ was, is }) => was !== is)
      .map(({ name, was, is }) => `${name} is ${is}, was ${was}`),
    other: typed.filter(({ was, is, isAlike }) => was === is && !isAlike).map(({ name }) => name),
    required: {
      added: [...own.required].filter((name) => !old.required.has(name)),
      removed: [...old.required].filter((name) => !own.required.has(name) && !isNew(name)),
    },
  }
}

function fieldsOf(schema: JsonSchema, { definitions }: SaleSide) {
  const { properties, required } = followed(schema, definitions)
  return {
    fields: membersOf(properties),
    required: new Set(Array.isArray(required) ? required : []),
  }
}

const typesDeepMax = 3

/** `integer`, `array of string`, or `anything`. */
function typeOf(schema: unknown, definitions: Definitions, depth = 0): string {
  if (!hasMembers(schema) || depth > typesDeepMax) return 'anything'
  const own = followed(schema, definitions)
  const branches = own.anyOf ?? own.oneOf
  if (Array.isArray(branches))
    return oneOf(branches.map((branch) => typeOf(branch, definitions, depth + 1)))
  const types = [own.type].flat().filter((type) => typeof type === 'string')
  if (types.length === 0) return own.properties === undefined ? 'anything' : 'object'
  const itemsOf = (type: string) =>
    type === 'array' ? `array of ${typeOf(own.items, definitions, depth + 1)}` : type
  return oneOf(types.map(itemsOf))
}

const oneOf = (types: readonly string[]) => [...new Set(types)].toSorted().join(' or ')

/** What the price rule says besides the price, which is shown beside the change. */
function rulePhrases(before: PriceRule | undefined, now: PriceRule | undefined): readonly string[] {
  const terms = keysOf({ ...before, ...now })
  const others = terms
    .filter((term) => term !== 'match' && term !== 'price')
    .filter((term) => meaningOf(before?.[term]) !== meaningOf(now?.[term]))
  return listed(others, (names) => `its price rule says another ${names}`)
}

function listed(names: readonly string[], phrase: (names: string) => string): readonly string[] {
  if (names.length === 0) return []
  const more = names.length - namesShown
  const shown = more > 0 ? [...names.slice(0, namesShown), `${more} more`] : names
  return [phrase(new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(shown))]
}
