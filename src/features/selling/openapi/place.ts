// A part of a description, and how references lead from one to another. Nothing here changes a document.

import { membersOf } from '#core/input/members.ts'
import { ownValue } from '#core/input/own-value.ts'
import { hopsMax } from './limits.ts'
import { DescriptionProblem } from './problem.ts'
import type { SourceDocument } from './source-document.ts'

export interface SourcePlace {
  readonly document: SourceDocument
  /** The keys that lead to it. */
  readonly path: readonly string[]
  /** Undefined where there is nothing. */
  readonly value: unknown
}

export type PlainObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The part below a place. */
export function at(place: SourcePlace, ...keys: readonly string[]): SourcePlace {
  let { value } = place
  for (const key of keys) value = ownValue(value, key)
  return { document: place.document, path: [...place.path, ...keys], value }
}

/** The parts of a list, or the values of an object. */
export function partsOf(place: SourcePlace): SourcePlace[] {
  const { value } = place
  return typeof value === 'object' && value !== null
    ? Object.keys(value).map((key) => at(place, key))
    : []
}

/** `keys` of the parts that `partsOf` answers. */
export const keyOf = ({ path }: SourcePlace): string => path.at(-1) ?? ''

/** What makes a place the same one. */
export const idOf = ({ document, path }: SourcePlace): string =>
  `${document.address}#${path.map(escapeKey).join('')}`

const escapeKey = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

export const textAt = (place: SourcePlace, key: string): string | undefined => {
  const { value } = at(place, key)
  return typeof value === 'string' ? value : undefined
}

/** An Error that names the line of the place. */
export function problemAt({ document, path }: SourcePlace, message: string): DescriptionProblem {
  return new DescriptionProblem(message, { line: document.lineOf(path), address: document.address })
}

/** The files of a description, by address. */
export type SourceDocuments = ReadonlyMap<string, SourceDocument>

export const isReference = (place: SourcePlace): boolean =>
  isObject(place.value) && typeof place.value.$ref === 'string'

/** Where a reference leads, one hop far. Throws a DescriptionProblem where there is nothing. */
function targetOf(documents: SourceDocuments, place: SourcePlace): SourcePlace {
  const reference = String(membersOf(place.value).$ref)
  const { address, keys } = splitReference(reference, place)
  const document = documents.get(address)
  if (document === undefined)
    throw problemAt(place, `The file of the reference ${quoted(reference)} could not be read.`)
  let target: SourcePlace = { document, path: [], value: document.value }
  for (const key of keys) {
    target = at(follow(documents, target), key)
    if (target.value === undefined)
      throw problemAt(place, `The reference ${quoted(reference)} leads nowhere.`)
  }
  return target
}

/** The place itself, or the one that its references lead to. Throws a DescriptionProblem. */
export function follow(documents: SourceDocuments, place: SourcePlace): SourcePlace {
  let current = place
  for (let hops = 0; isReference(current); hops++) {
    if (hops === hopsMax) throw problemAt(place, 'The reference leads in a circle.')
    current = targetOf(documents, current)
  }
  return current
}

interface ReferenceParts {
  readonly address: string
  readonly keys: readonly string[]
}

function splitReference(reference: string, { document }: SourcePlace): ReferenceParts {
  const [file = '', fragment = ''] = reference.split('#', 2)
  const keys = fragment
    .split('/')
    .slice(1)
    .map((key) => decoded(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  return { address: file === '' ? document.address : addressOf(file, document.address), keys }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address of a file that a file refers to; as it is written, where neither is a URL. */
export function addressOf(file: string, base: string): string {
  return URL.canParse(file, base || undefined) ? new URL(file, base || undefined).href : file
}

export const quoted = (text: string) => `"${text.length > 200 ? `${text.slice(0, 200)}…` : text}"`
