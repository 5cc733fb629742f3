// What the description of an answer says is at a JSON Pointer.

import { hasMembers } from '#core/input/members.ts'
import { ownValue } from '#core/input/own-value.ts'
import { pointerParts } from '#core/input/pointer.ts'
import type { JsonSchema } from '../described-operation.ts'
import { followed } from './followed.ts'

/** There may be anything. */
const open: unique symbol = Symbol('open')
/** A schema; or the name of another part, where this is none; or `open`. */
type Part = JsonSchema | string | typeof open

type Definitions = Readonly<Record<string, JsonSchema>>

export interface MissingPlace {
  /** The pointer as far as its first step that the answer does not have. */
  readonly place: string
  /** What the answer has in its place, as pointers. Empty: a value without parts. */
  readonly known: readonly string[]
}

/** Undefined: the description has the place, or leaves open whether it is there. */
export function missingPlace(
  schema: JsonSchema,
  pointer: string,
  definitions: Definitions,
): MissingPlace | undefined {
  let schemas: readonly JsonSchema[] = [schema]
  let before = ''
  for (const part of pointerParts(pointer)) {
    const parts = schemas.flatMap((each) => partsOf(each, part, definitions))
    const next = parts.filter((each): each is JsonSchema => typeof each === 'object')
    if (parts.includes(open)) return undefined
    if (next.length === 0) {
      const names = parts.filter((each) => typeof each === 'string')
      const known = [...new Set(names)].map((name) => `${before}/${escapePart(name)}`)
      return { place: `${before}/${escapePart(part)}`, known }
    }
    schemas = next
    before += `/${escapePart(part)}`
  }
  return undefined
}

const escapePart = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

const branchesMax = 1_000
const depthMax = 20

/** What a value of this schema can have at a step. A description that names properties is taken to name all of them. */
function partsOf(schema: JsonSchema, part: string, definitions: Definitions): readonly Part[] {
  let left = branchesMax
  const read = (written: unknown, depth: number): readonly Part[] => {
    if (depth > depthMax || left-- <= 0 || !hasMembers(written))
      return written === false ? [] : [open]
    const own = followed(written, definitions)
    const branches = [own.allOf, own.anyOf, own.oneOf].flatMap((list) =>
      Array.isArray(list) ? list : [],
    )
    return [
      ...ownParts(own, part, branches.length > 0),
      ...branches.flatMap((branch) => read(branch, depth + 1)),
    ]
  }
  return read(schema, 0)
}

function ownParts(own: JsonSchema, part: string, hasBranches: boolean): readonly Part[] {
  const types = [own.type].flat().filter((type) => type !== undefined)
  const mayBe = (type: string, ...keywords: readonly string[]) =>
    types.includes(type) || (types.length === 0 && keywords.some((name) => own[name] !== undefined))
  const mayBeObject = mayBe('object', 'properties', 'additionalProperties', 'patternProperties')
  const mayBeList = mayBe('array', 'items', 'prefixItems')
  const found: Part[] = []
  if (mayBeObject) found.push(...propertyAt(own, part, hasBranches))
  if (mayBeList) found.push(/^\d+$/.test(part) ? itemAt(own, Number(part)) : '0')
  const isOpen = types.length === 0 && !mayBeObject && !mayBeList && own.enum === undefined
  return isOpen && own.const === undefined && !hasBranches ? [open] : found
}

function propertyAt(own: JsonSchema, part: string, hasBranches: boolean): readonly Part[] {
  const {
    properties = {},
    additionalProperties: more,
    patternProperties,
    unevaluatedProperties,
  } = own
  const named = ownValue(properties, part)
  if (named !== undefined) return [schemaOrOpen(named)]
  const isOpen = [more, unevaluatedProperties].some((each) => each !== undefined && each !== false)
  if (isOpen || patternProperties !== undefined) return [open]
  const names = Object.keys(properties)
  return names.length > 0 || more === false || hasBranches ? names : [open]
}

function itemAt({ items, prefixItems }: JsonSchema, at: number): Part {
  const fixed = Array.isArray(prefixItems) ? prefixItems[at] : undefined
  return schemaOrOpen(fixed ?? items)
}

const schemaOrOpen = (value: unknown): JsonSchema | typeof open =>
  hasMembers(value) ? value : open
