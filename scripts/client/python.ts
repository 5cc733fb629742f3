// The catalog of the Python client: a TypedDict for each object, and an overload for each action and route.

import { errorTable } from '#core/errors.ts'
import type { JsonSchema, KnownAction, KnownRoute } from './catalog.ts'

/** The text of clients/python/src/tollway_client/catalog/actions.py. */
export function pythonActions(actions: readonly KnownAction[], note: string): string {
  const types = createTypes()
  const known = actions.map((action) => ({
    ...action,
    inputType: types.add(action.input, `${nameOf(action.name)}Input`),
    outputType: types.add(action.output, `${nameOf(action.name)}Output`),
  }))
  type Known = (typeof known)[number]
  const overloads = (
    chosen: readonly Known[],
    options: string,
    returns: (type: string) => string,
  ) =>
    chosen.map(({ name, text, inputType, outputType, needsMaxCost }) => {
      const ceiling = `max_cost_cents: int${needsMaxCost ? '' : ' | None = None'}`
      const taken = `self, action: Literal["${name}"], input: ${inputType}, *, ${ceiling}${options}`
      return { taken, returns: returns(outputType), text }
    })
  const key = ', idempotency_key: str | None = None'
  const progress = `${key}, on_progress: OnProgress | None = None`
  const paged = known.filter(isPaged)
  const jobs = known.filter(({ isJob }) => isJob)
  return `${head(note)}from ..answers import Answer
from ..jobs import AsyncJob, Job
from ..operations import OnProgress

${types.text()}
ActionName = ${literals(known)}

SessionActionName = ${literals(known.filter(({ output }) => output.required?.includes('session_id')))}

${protocol(
  'RunAction',
  overloads(known, progress, (type) => `Answer[${type}]`),
)}
${protocol(
  'RunActionAsync',
  overloads(
    known,
    progress,
    awaitable((type) => `Answer[${type}]`),
  ),
)}
${protocol(
  'StartJob',
  overloads(jobs, key, (type) => `Job[${type}]`),
)}
${protocol(
  'StartJobAsync',
  overloads(
    jobs,
    key,
    awaitable((type) => `AsyncJob[${type}]`),
  ),
)}
${protocol(
  'ReadPages',
  overloads(paged, '', (type) => `Iterator[Answer[${type}]]`),
)}
${protocol(
  'ReadPagesAsync',
  overloads(paged, '', (type) => `AsyncIterator[Answer[${type}]]`),
)}`
}

/** The text of clients/python/src/tollway_client/catalog/routes.py. */
export function pythonRoutes(routes: readonly KnownRoute[], note: string): string {
  const types = createTypes()
  const known = routes.map((route) => {
    const name = routeName(route.name)
    const part = (schema: JsonSchema | undefined, suffix: string) =>
      schema && { type: types.add(schema, `${name}${suffix}`), required: schema.required ?? [] }
    return {
      ...route,
      parts: {
        path: part(route.path, 'Path'),
        query: part(route.query, 'Query'),
        body: part(route.body, 'Body'),
      },
      answerType: route.answer ? types.add(route.answer, `${name}Answer`) : 'bytes',
      rowType: types.find(`${name}Answer${pascal(route.rows ?? '')}Item`),
    }
  })
  const taken = (route: (typeof known)[number], options: string) => {
    const parts = Object.entries(route.parts).flatMap(([name, part]) =>
      part === undefined
        ? []
        : [`${name}: ${part.type}${part.required.length === 0 ? ' = ...' : ''}`],
    )
    const named = [...parts, ...(options === '' ? [] : [options])]
    const rest = named.length === 0 ? '' : `, *, ${named.join(', ')}`
    return `self, route: Literal["${route.name}"]${rest}`
  }
  const calls = (returns: (type: string) => string) =>
    known.map((route) => ({
      taken: taken(route, route.isKeyed ? 'idempotency_key: str | None = None' : ''),
      returns: returns(route.answerType),
      text: route.text,
    }))
  const lists = (returns: (type: string) => string) =>
    known.flatMap((route) =>
      route.rows === undefined
        ? []
        : [{ taken: taken(route, ''), returns: returns(route.rowType), text: route.text }],
    )
  return `${head(note)}
${types.text()}
${protocol(
  'CallRoute',
  calls((type) => type),
)}
${protocol('CallRouteAsync', calls(awaitable((type) => type)))}
${protocol(
  'ListRows',
  lists((type) => `Iterator[${type}]`),
)}
${protocol(
  'ListRowsAsync',
  lists((type) => `AsyncIterator[${type}]`),
)}`
}

/** The text of clients/python/src/tollway_client/catalog/keyed_routes.py. */
export function pythonKeyedRoutes(routes: readonly KnownRoute[], note: string): string {
  const keyed = routes.filter(({ isKeyed }) => isKeyed).map(({ name }) => `    "${name}",\n`)
  return `# ${note}

KEYED_ROUTES = {
${keyed.join('')}}
"""The routes that take an idempotency key."""
`
}

/** The text of clients/python/src/tollway_client/catalog/error_codes.py. */
export function pythonErrorCodes(note: string): string {
  const lines = Object.entries(errorTable).map(
    ([code, { retryable }]) => `    "${code}": ${retryable ? 'True' : 'False'},\n`,
  )
  return `# ${note}

ERROR_CODES = {
${lines.join('')}}
"""The codes of errors, and whether the same call can succeed later."""
`
}

const head = (note: string) => `# ${note}

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any, Literal, Never, NotRequired, Protocol, TypedDict, overload

`

const awaitable = (of: (type: string) => string) => (type: string) => `Awaitable[${of(type)}]`

const literals = (actions: readonly { readonly name: string }[]) =>
  `Literal[\n${actions.map(({ name }) => `    "${name}",\n`).join('')}]`

interface Overload {
  readonly taken: string
  readonly returns: string
  readonly text: string
}

const protocol = (name: string, overloads: readonly Overload[]) => {
  const methods = overloads.map(
    ({ taken, returns, text }) =>
      `    @overload\n    def __call__(${taken}) -> ${returns}:\n        ${docstring(text)}\n`,
  )
  return `\nclass ${name}(Protocol):\n${methods.join('\n')}`
}

const pagedBy = ['cursor', 'page_token', 'offset', 'page']
const isPaged = ({ input, output }: KnownAction) =>
  pagedBy.some((field) => input.properties?.[field] && output.properties?.[`next_${field}`])

/** `ns_semantic/search` is NsSemanticSearch. */
const nameOf = (name: string) => name.split('/').map(pascal).join('')

/** `GET /api/v1/keys/{id}` is GetKeysId. */
const routeName = (name: string) =>
  pascal(name.toLowerCase().replace(' /api/', '/').replace('/v1/', '/'))

const pascal = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const docstring = (text: string) =>
  `"""${text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ').trim()}"""`

const keywords = new Set([
  'and',
  'as',
  'async',
  'class',
  'def',
  'except',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'not',
  'or',
  'pass',
  'return',
  'try',
  'with',
  'yield',
  'None',
  'True',
  'False',
])

const scalars: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  string: 'str',
  boolean: 'bool',
  null: 'None',
}

interface Field {
  readonly field: string
  readonly type: string
  readonly description: string | undefined
}

/** A class, or a call if the name of a field cannot be that of a variable. */
function typedDict(name: string, fields: readonly Field[]): string {
  const isVariable = ({ field }: Field) => /^[A-Za-z_]\w*$/.test(field) && !keywords.has(field)
  if (fields.every(isVariable)) {
    const lines = fields.map(({ field, type, description }) => {
      const text = description === undefined ? '' : `    ${docstring(description)}\n`
      return `    ${field}: ${type}\n${text}`
    })
    return `class ${name}(TypedDict):\n${lines.join('')}`
  }
  const entries = fields.map(({ field, type }) => `        ${JSON.stringify(field)}: ${type},\n`)
  return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`
}

/** Collects the definitions of objects, the inner ones first. */
function createTypes() {
  const definitions = new Map<string, string>()

  function define(name: string, definition: string): string {
    if (definitions.has(name)) throw new Error(`Two types of the Python client are named ${name}.`)
    definitions.set(name, definition)
    return name
  }

  function typeOf(schema: JsonSchema, name: string): string {
    if (schema.const !== undefined) return literal([schema.const])
    if (schema.enum !== undefined) return literal(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined)
      return union(
        choices.map((choice, place) => typeOf(choice, place === 0 ? name : `${name}${place + 1}`)),
      )
    if (Array.isArray(schema.type))
      return union(schema.type.map((type: string) => typeOf({ ...schema, type }, name)))
    switch (schema.type) {
      case 'array':
        return `list[${schema.items === undefined ? 'Any' : typeOf(schema.items, `${name}Item`)}]`
      case 'object':
        return objectOf(schema, name)
      default:
        return scalars[schema.type as string] ?? 'Any'
    }
  }

  function objectOf(schema: JsonSchema, name: string): string {
    const { properties = {}, required = [], additionalProperties } = schema
    const fields = Object.entries(properties).map(([field, property]): Field => {
      const type = typeOf(property, `${name}${pascal(field)}`)
      const { description } = property
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, description }
    })
    if (fields.length === 0) {
      if (additionalProperties === false) return 'dict[str, Never]'
      const rest = typeof additionalProperties === 'object' ? additionalProperties : {}
      return `dict[str, ${typeOf(rest, `${name}Value`)}]`
    }
    return define(name, typedDict(name, fields))
  }

  return {
    /** The name of the type of a schema. Objects are defined under `name`. */
    add: typeOf,
    find: (name: string) => (definitions.has(name) ? name : 'Any'),
    text: () => [...definitions.values()].map((definition) => `\n${definition}`).join('\n'),
  }
}

const literal = (values: readonly unknown[]) => {
  const isFraction = (value: unknown) => typeof value === 'number' && !Number.isInteger(value)
  if (values.some(isFraction)) return 'float'
  return `Literal[${values.map(literalOf).join(', ')}]`
}

function literalOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

const union = (types: readonly string[]) =>
  types.includes('Any') ? 'Any' : [...new Set(types)].join(' | ')
