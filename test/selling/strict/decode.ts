// Values from the texts of a request, by the styles of OpenAPI.
import type { Part, StrictDocument } from './document.ts'

/** Names are decoded, values are not. */
export type Pairs = readonly (readonly [name: string, text: string])[]

const candidates = (text: string): unknown[] => {
  const values: unknown[] = []
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) values.push(Number(text))
  if (text === 'true' || text === 'false') values.push(text === 'true')
  values.push(text)
  if (text === 'null') values.push(null)
  if (/^[[{]/.test(text)) {
    try {
      values.push(JSON.parse(text))
    } catch {
      // Only a text.
    }
  }
  return values
}

/** The reading of a text that its schema accepts; the text itself if there is none. */
export function readText(document: StrictDocument, schema: Part, text: string): unknown {
  const possible = candidates(text)
  const fitting = possible.find(
    (value) => schema === undefined || document.misfit(schema, value) === undefined,
  )
  return fitting === undefined ? text : fitting
}

const delimiters: Record<string, string> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  ssv: '%20',
  pipes: '%7C',
  tsv: '%09',
}

const schemaOf = (document: StrictDocument, parameter: Part): Part =>
  document.isSwagger
    ? parameter
    : (parameter.schema ?? Object.values<Part>(parameter.content ?? {})[0]?.schema)

/** A value of the path. */
export function decodePair(document: StrictDocument, parameter: Part, text: string) {
  const schema = schemaOf(document, parameter)
  const target = document.resolve(schema)
  const style = parameter.style ?? 'simple'
  const bare =
    style === 'label'
      ? text.slice(1)
      : style === 'matrix'
        ? text.slice(parameter.name.length + 2)
        : text
  const types = [target?.type].flat()
  if (types.includes('array')) {
    const between =
      style === 'label' && parameter.explode
        ? '.'
        : style === 'matrix' && parameter.explode
          ? `;${parameter.name}=`
          : ','
    return {
      schema,
      value: bare
        .split(between)
        .map((part) => readText(document, target.items, decodeURIComponent(part))),
    }
  }
  if (types.includes('object')) {
    const whole = style === 'matrix' && parameter.explode ? text.slice(1) : bare
    return {
      schema,
      value: readObject(document, target, whole, { style, explode: parameter.explode === true }),
    }
  }
  return { schema, value: readText(document, schema, decodeURIComponent(bare)) }
}

export function readObject(
  document: StrictDocument,
  schema: Part,
  text: string,
  { style, explode }: { style: string; explode: boolean },
) {
  const between = explode ? ({ label: '.', matrix: ';' }[style] ?? ',') : ','
  const pieces = text.split(between)
  const pairs = explode
    ? pieces.map((piece) => piece.split('='))
    : Array.from({ length: pieces.length / 2 }, (_, index) =>
        pieces.slice(2 * index, 2 * index + 2),
      )
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) => {
      const key = decodeURIComponent(name)
      return [key, readText(document, schema?.properties?.[key], decodeURIComponent(value))]
    }),
  )
}

export interface DecodedParameter {
  readonly schema: Part
  readonly value?: unknown
  readonly isMissing?: boolean
  readonly left: Pairs
}

/** The value of one parameter of a query or form, and what is left for the others. */
export function decodeObject(
  document: StrictDocument,
  parameter: Part,
  pairs: Pairs,
): DecodedParameter {
  const schema = schemaOf(document, parameter)
  const target = document.resolve(schema) ?? {}
  const types = [target.type].flat()
  const { name, style = 'form' } = parameter
  if (style === 'deepObject' && types.includes('object'))
    return decodeDeep(document, { schema, target, name }, pairs)
  const explode = parameter.explode ?? style === 'form'
  const own = pairs.filter(([key]) => key === name)
  const left = pairs.filter(([key]) => key !== name)
  const texts = own.map(([, text]) => text)
  const isForm = parameter.in === 'form'
  if (
    types.includes('object') &&
    parameter.content === undefined &&
    !(isForm && parameter.style === undefined)
  ) {
    if (explode) return decodeSpread(document, { schema, target }, pairs)
    const [text] = texts
    if (text === undefined) return { schema, isMissing: true, left }
    return { schema, left, value: readObject(document, target, text, { style, explode: false }) }
  }
  const [text] = texts
  if (text === undefined) return { schema, isMissing: true, left }
  if (parameter.content !== undefined)
    return { schema, left, value: JSON.parse(decodeURIComponent(text)) }
  if (types.includes('array')) {
    const format = parameter.collectionFormat ?? (document.isSwagger ? 'csv' : undefined)
    const isMulti =
      parameter.isMultipart === true || (format === undefined ? explode : format === 'multi')
    const pieces = isMulti
      ? texts
      : text === ''
        ? ['']
        : text.split(delimiters[format ?? style] ?? ',')
    return {
      schema,
      left,
      value: pieces.map((piece) => readText(document, target.items, decodeURIComponent(piece))),
    }
  }
  if (texts.length > 1) return { schema, left, value: texts }
  if (target.format === 'binary' || parameter.type === 'file')
    return { schema: undefined, left, value: text }
  return { schema, left, value: readText(document, schema, decodeURIComponent(text)) }
}

function decodeSpread(
  document: StrictDocument,
  { schema, target }: Part,
  pairs: Pairs,
): DecodedParameter {
  const known = target.properties === undefined ? undefined : Object.keys(target.properties)
  const isOwn = (key: string) =>
    known === undefined || known.includes(key) || target.additionalProperties !== false
  const own = pairs.filter(([key]) => isOwn(key))
  if (own.length === 0) return { schema, isMissing: true, left: pairs }
  const value = Object.fromEntries(
    own.map(([key, text]) => [
      key,
      readText(
        document,
        target.properties?.[key] ?? target.additionalProperties,
        decodeURIComponent(text),
      ),
    ]),
  )
  return { schema, value, left: pairs.filter(([key]) => !isOwn(key)) }
}

function decodeDeep(
  document: StrictDocument,
  { schema, target, name }: Part,
  pairs: Pairs,
): DecodedParameter {
  const isOwn = (key: string) => key === name || key.startsWith(`${name}[`)
  const own = pairs.filter(([key]) => isOwn(key))
  const left = pairs.filter(([key]) => !isOwn(key))
  if (own.length === 0) return { schema, isMissing: true, left }
  const tree: Part = {}
  for (const [key, text] of own) {
    const keys = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(
      (match) => match[1] ?? '',
    )
    put(tree, keys, decodeURIComponent(text))
  }
  return { schema, left, value: typed(document, target, tree) }
}

function put(tree: Part, keys: readonly string[], text: string): void {
  const [key = '', ...deeper] = keys
  if (deeper.length === 0) tree[key] = text
  else if (deeper[0] === '') tree[key] = [...(tree[key] ?? []), text]
  else {
    tree[key] ??= {}
    put(tree[key], deeper, text)
  }
}

function typed(document: StrictDocument, schema: Part, tree: Part): unknown {
  const target = document.resolve(schema) ?? {}
  if (typeof tree === 'string') return readText(document, schema, tree)
  if (Array.isArray(tree)) return tree.map((part) => typed(document, target.items, part))
  return Object.fromEntries(
    Object.entries<Part>(tree).map(([key, part]) => [
      key,
      typed(document, target.properties?.[key] ?? target.additionalProperties, part),
    ]),
  )
}
