// JSON Schemas of a description, as schemas of an action: what they publish, and how values are checked.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsOf from 'ajv-formats'
import { z } from 'zod'
import { membersOf } from '#core/input/members.ts'
import { ownValue } from '#core/input/own-value.ts'
import { patientPattern } from './patient-pattern.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Of a published schema. Definitions beyond it accept anything there, and are checked all the same. */
const publishedCharactersMax = 60_000
const issuesMax = 10
const addFormats = addFormatsOf as unknown as (ajv: Ajv2020) => void

/** Compiles the schemas of one import, each when it is first used, and those that are alike once. */
export interface SchemaCompiler {
  /** Throws Error for a schema that is not one. */
  compile(schema: JsonSchema): ValidateFunction
}

type Definitions = Readonly<Record<string, JsonSchema>>

interface CompilerOptions {
  /** Whether texts must have the format that they are said to have. */
  readonly formats: boolean
}

const withFormats = new WeakMap<Definitions, SchemaCompiler>()
const withoutFormats = new WeakMap<Definitions, SchemaCompiler>()

/** The one compiler of these definitions: all readers of an import use the same, so that nothing is compiled again. */
export function schemaCompilerOf(
  definitions: Definitions,
  { formats }: CompilerOptions,
): SchemaCompiler {
  const known = formats ? withFormats : withoutFormats
  const compiler = known.get(definitions) ?? createSchemaCompiler(definitions, { formats })
  known.set(definitions, compiler)
  return compiler
}

function createSchemaCompiler(
  definitions: Definitions,
  { formats }: CompilerOptions,
): SchemaCompiler {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: formats,
    validateSchema: false,
    validateFormats: formats,
    logger: false,
    // A caller who left out a field is told its type, which stands in the schema beside the error.
    verbose: formats,
    addUsedSchema: false,
    // A field may be called `constructor`, which each object inherits.
    ownProperties: true,
    // Most schemas of a large import are compiled to be tried once.
    code: { regExp: patientPattern, optimize: false },
  })
  if (formats) addFormats(ajv)
  // Ajv compares each item with each other one. Objects that differ only in the order of fields are left to the vendor.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isAsked: boolean, items: readonly unknown[]) =>
      !isAsked || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
  })
  // Each definition is compiled once, however many operations refer to it.
  ajv.addSchema({ $id: definitionsId, $defs: definitions })
  const compiled = new Map<string, ValidateFunction>()
  return {
    compile(schema) {
      const own = rebased(schema) as JsonSchema
      const text = JSON.stringify(own)
      const validate = compiled.get(text) ?? ajv.compile(own)
      compiled.set(text, validate)
      return validate
    },
  }
}

const definitionsId = 'https://definitions.invalid/'

/** The schema with its references to definitions as they are called beside it. */
function rebased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' && reference.test(inner)
        ? definitionsId + inner
        : rebased(inner),
    ]),
  )
}

/** An object of the caller. All its faults are told. */
export function inputSchema(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  compiler: SchemaCompiler,
): z.ZodType {
  const validate = once(() => compiler.compile(schema))
  // For a name such as `constructor` zod would read what each object inherits. Names that it is not told pass through.
  const names = Object.keys(membersOf(schema.properties)).filter((name) => !(name in {}))
  const known = Object.fromEntries(names.map((name) => [name, z.unknown().optional()]))
  const checked = z.looseObject(known).superRefine((value, context) => {
    const check = validate()
    if (check(value)) return
    for (const error of (check.errors ?? []).slice(0, issuesMax))
      context.addIssue({ ...issueOf(error), input: value })
  })
  return publishing(
    checked,
    once(() => closeOver(schema, definitions, publishedCharactersMax)),
  )
}

/**
 * An answer. It fits as a whole or not at all: the caller pays for what the description promises. `origin`: where the
 * data is made of another value, that one must fit, by its own schema.
 */
export function outputSchema(
  schema: JsonSchema | undefined,
  definitions: Readonly<Record<string, JsonSchema>>,
  compiler: SchemaCompiler,
  origin?: {
    readonly schema: JsonSchema
    readonly valueIn: (data: unknown) => { readonly value: unknown } | undefined
  },
): z.ZodType {
  if (schema === undefined) return z.unknown()
  const validate = once(() => compiler.compile(schema))
  const validateOrigin = once(() => compiler.compile(origin?.schema ?? {}))
  const checked = z.unknown().superRefine((data, context) => {
    const own = origin?.valueIn(data)
    const check = own === undefined ? validate() : validateOrigin()
    if (check(own === undefined ? data : own.value)) return
    const [error] = check.errors ?? []
    context.addIssue({ code: 'custom', message: `${error?.instancePath} ${error?.message}` })
  })
  return publishing(
    checked,
    once(() => closeOver(schema, definitions, publishedCharactersMax)),
  )
}

/** The schema with the definitions that it needs, so that it stands by itself. */
function closeOver(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  charactersMax = Number.POSITIVE_INFINITY,
): JsonSchema {
  const needed = new Map<string, unknown>()
  const waiting = [...namesIn(schema)]
  let characters = 0
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (needed.has(name)) continue
    const definition = (Object.hasOwn(definitions, name) && definitions[name]) || {}
    if (Number.isFinite(charactersMax)) characters += JSON.stringify(definition).length
    const fits = characters <= charactersMax
    needed.set(name, fits ? definition : {})
    if (fits) waiting.push(...namesIn(definition))
  }
  if (needed.size === 0) return schema
  return { ...schema, $defs: Object.fromEntries(needed) }
}

const reference = /^#\/\$defs\/([^/]+)$/

function namesIn(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return into
  for (const [key, inner] of Object.entries(value)) {
    const [, name] =
      key === '$ref' && typeof inner === 'string' ? (reference.exec(inner) ?? []) : []
    if (name === undefined) namesIn(inner, into)
    else into.add(decodePointer(decodeURIComponent(name)))
  }
  return into
}

const decodePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The zod schema, described by a JSON Schema of others. */
function publishing<Schema extends z.ZodType>(schema: Schema, publish: () => JsonSchema): Schema {
  schema._zod.toJSONSchema = () => ({ ...publish() })
  // zod would merge in the description of the schema without its refinement.
  delete schema._zod.parent
  return schema
}

function issueOf(error: ErrorObject) {
  const { keyword, instancePath, params, message = 'does not fit' } = error
  const path = instancePath.split('/').slice(1).map(decodePointer)
  if (keyword === 'required') {
    const name = String(params.missingProperty)
    const expected = typeOfProperty(error.parentSchema?.properties, name)
    return {
      code: 'invalid_type' as const,
      expected,
      path: [...path, name],
      message: `Invalid input: expected ${expected}, received undefined`,
    }
  }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return {
      code: 'unrecognized_keys' as const,
      keys: [String(params.additionalProperty ?? params.unevaluatedProperty)],
      path,
      message: 'Unrecognized key',
    }
  const values = keyword === 'enum' ? `: ${JSON.stringify(params.allowedValues)}` : ''
  return { code: 'custom' as const, path, message: `${message}${values}` }
}

/** `value` where the property has several types, or says its type by a reference. */
function typeOfProperty(properties: unknown, name: string): 'value' | 'int' | SimpleType {
  const { type } = membersOf(ownValue(properties, name))
  if (type === 'integer') return 'int'
  return simpleTypes.find((each) => each === type) ?? 'value'
}

const simpleTypes = ['string', 'number', 'boolean', 'array', 'object'] as const
type SimpleType = (typeof simpleTypes)[number]

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
