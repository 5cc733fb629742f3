// A field of an action, and what is read into it.
import type { ReadText } from './read-values.ts'
import type { Said } from './said-value.ts'

export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

export interface InputField {
  readonly name: string
  /** The words of its name, in lower case. */
  readonly words: readonly string[]
  readonly schema: FieldSchema
  /** What callers say for its values, by value. */
  readonly saidAs: Readonly<Record<string, readonly string[]>>
}

/** A field’s value, and the words that it was read from. */
export interface Filled {
  readonly name: string
  readonly value: unknown
  readonly from: readonly Said[]
  /** What a caller must know: the value is not just what was said. */
  readonly note?: string
}

/** Fills those of the fields whose values the text says. */
export type FillFields = (fields: readonly InputField[], said: ReadText) => readonly Filled[]

export const fieldOf = (
  name: string,
  schema: FieldSchema,
  saidAs: InputField['saidAs'] = {},
): InputField => ({
  name,
  words: wordsOfName(name),
  schema,
  saidAs,
})

export const wordsOfName = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')

export const isNumeric = ({ type }: FieldSchema): boolean => type === 'integer' || type === 'number'

/** The schema of one value, where a field takes one or several. */
export const schemaOfOne = (schema: FieldSchema): FieldSchema => {
  const each =
    schema.anyOf?.find((one) => one.type !== 'array' || one.items !== undefined) ?? schema
  return each.type === 'array' && each.items !== undefined ? each.items : each
}

export const takesSeveral = ({ type, anyOf = [] }: FieldSchema): boolean =>
  type === 'array' || anyOf.some((each) => each.type === 'array')

/** One value or a list, as the field takes it. */
export const inForm = (schema: FieldSchema, values: readonly unknown[]): unknown =>
  takesSeveral(schema) ? values.slice(0, schema.maxItems ?? values.length) : values[0]
