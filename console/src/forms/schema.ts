// Turns the JSON schema of an action's input into the fields of a form, and a filled form into an input.

/** The part of JSON Schema that actions use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/**
 * `list`: one text per line. `choices`: some of a few values, one per line. `value`: JSON, or a bare text where the
 * schema takes one.
 */
export type FieldKind =
  | 'text'
  | 'long text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'choices'
  | 'value'

export interface FormField {
  readonly name: string
  readonly kind: FieldKind
  readonly about?: string
  readonly isRequired: boolean
  /** Of `choice` and `choices`. */
  readonly choices: readonly string[]
  /** What an empty field means. */
  readonly fallback?: string
  readonly takesText: boolean
}

/** What a person has typed, by field. Empty: left out. */
export type Texts = Readonly<Record<string, string>>

const shortTextMax = 300

/** The fields of an object schema, required ones first. */
export function fieldsOf(schema: Schema): FormField[] {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.has(name)),
  )
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ]
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): FormField {
  const about = schema.description
  const kind = kindOf(schema)
  return {
    name,
    kind,
    isRequired,
    ...(about === undefined ? {} : { about }),
    choices: choicesOf(kind === 'choices' ? (schema.items ?? {}) : schema),
    ...(schema.default === undefined ? {} : { fallback: textOf(schema.default, kind) }),
    takesText: branchesOf(schema).some((each) => typesOf(each).includes('string')),
  }
}

const branchesOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [schema]
const typesOf = ({ type }: Schema) => [type ?? []].flat().filter((each) => each !== 'null')

/** Strings only: other values are written as JSON. */
const choicesOf = ({ enum: values = [] }: Schema) =>
  values.filter((value) => typeof value === 'string')

function kindOf(schema: Schema): FieldKind {
  const [branch, ...others] = branchesOf(schema).filter(({ type }) => type !== 'null')
  if (branch === undefined || others.length > 0) return 'value'
  if (choicesOf(branch).length > 0) return 'choice'
  const [type, ...moreTypes] = typesOf(branch)
  if (moreTypes.length > 0) return 'value'
  if (type === 'string') return isLong(branch) ? 'long text' : 'text'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type !== 'array') return 'value'
  const items = branch.items ?? {}
  if (choicesOf(items).length > 0) return 'choices'
  return typesOf(items).join() === 'string' ? 'list' : 'value'
}

const isLong = ({ maxLength }: Schema) => maxLength !== undefined && maxLength > shortTextMax

/** The texts of an input, such as an example. */
export function textsOf(
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): Texts {
  return Object.fromEntries(
    fields
      .filter(({ name }) => input[name] !== undefined)
      .map(({ name, kind }) => [name, textOf(input[name], kind)]),
  )
}

function textOf(value: unknown, kind: FieldKind): string {
  if (typeof value === 'string') return value
  if ((kind === 'list' || kind === 'choices') && Array.isArray(value)) return value.join('\n')
  return JSON.stringify(value)
}

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  /** What is wrong, by field. */
  readonly problems: Readonly<Record<string, string>>
}

/** The gateway checks the input too: this only reads what was typed. */
export function readForm(fields: readonly FormField[], texts: Texts): Filled {
  const input: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const text = texts[field.name] ?? ''
    if (text.trim() === '') {
      if (field.isRequired) problems[field.name] = 'This field is required.'
      continue
    }
    const value = readField(field, text)
    if (value === undefined) problems[field.name] = expected[field.kind]
    else input[field.name] = value
  }
  return { input, problems }
}

const expected: Readonly<Record<FieldKind, string>> = {
  text: 'Enter a text.',
  'long text': 'Enter a text.',
  integer: 'Enter a whole number.',
  number: 'Enter a number.',
  boolean: 'Choose yes or no.',
  choice: 'Choose one of the values.',
  list: 'Enter one value per line.',
  choices: 'Choose one or more values.',
  value: 'Enter a value in JSON.',
}

/** Undefined if the text is not of its kind. */
function readField({ kind, takesText }: FormField, text: string): unknown {
  switch (kind) {
    case 'integer':
      return /^-?\d+$/.test(text.trim()) ? Number(text) : undefined
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'boolean':
      return text === 'true'
    case 'list':
    case 'choices':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    case 'value':
      return parse(text) ?? (takesText ? text : undefined)
    default:
      return text
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
