// The form of a vendor's reply: which fields there are, and of which types. Two forms of one request show what the
// vendor has changed.
import type { DriftLine } from './drift.ts'

/** The types at each path, such as `results[].id`. */
export type Shape = Readonly<Record<string, readonly string[]>>

const pathsMax = 500
const rowsMax = 20
const depthMax = 12

/** `redact`: a vendor may repeat a secret in the name of a field. */
export function shapeOf(value: unknown, redact: (name: string) => string = String): Shape {
  const types = new Map<string, Set<string>>()
  collect(value, { path: '', depth: 0, types, redact })
  return Object.fromEntries(
    [...types].map(([path, found]) => [path, [...found].toSorted()] as const),
  )
}

interface Place {
  readonly path: string
  readonly depth: number
  readonly types: Map<string, Set<string>>
  readonly redact: (name: string) => string
}

function collect(value: unknown, { path, depth, types, redact }: Place): void {
  if ((types.size >= pathsMax && !types.has(path)) || depth > depthMax) return
  const known = types.get(path) ?? new Set()
  types.set(path, known.add(typeOf(value)))
  if (Array.isArray(value)) {
    for (const row of value.slice(0, rowsMax))
      collect(row, { path: `${path}[]`, depth: depth + 1, types, redact })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const own = redact(name).replaceAll(pathSigns, '_')
      collect(inner, {
        path: path === '' ? own : `${path}.${own}`,
        depth: depth + 1,
        types,
        redact,
      })
    }
  }
}

/** They are not part of a name. */
const pathSigns = /[.[\]]/g

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

/** `optional`: fields of `before` that a reply may lack. */
export function compareShapes(
  before: Shape,
  now: Shape,
  optional: ReadonlySet<string> = new Set(),
): DriftLine[] {
  const tables = findTables(before, now)
  const isKey = (path: string) => tables.has(parentOf(path) ?? '')
  const missing = outermost(before, now)
    .filter((path) => !optional.has(path) && !isKey(path))
    .map((path) => ({ kind: 'missing', where: path, before: told(before[path]), now: null }))
  const added = outermost(now, before)
    .filter((path) => !isKey(path))
    .map((path) => ({ kind: 'new', where: path, before: null, now: told(now[path]) }))
  const changed = Object.entries(before).flatMap(([path, types]) => {
    const found = withoutNull(now[path])
    const known = withoutNull(types)
    if (known.length === 0 || found.length === 0) return []
    if (found.some((type) => known.includes(type))) return []
    return [{ kind: 'changed', where: path, before: told(known), now: told(found) }]
  })
  return [...missing, ...changed, ...added].map((line) => line as DriftLine)
}

/** The form that allows for both. */
export function mergeShapes(
  before: Shape,
  now: Shape,
  optional: ReadonlySet<string> = new Set(),
): { readonly shape: Shape; readonly optional: readonly string[] } {
  const paths = [...new Set([...Object.keys(now), ...Object.keys(before)])].slice(0, pathsMax)
  const shape = Object.fromEntries(
    paths.map((path) => [
      path,
      [...new Set([...(before[path] ?? []), ...(now[path] ?? [])])].toSorted(),
    ]),
  )
  const inOne = paths.filter((path) => !(path in before && path in now))
  const known = [...optional].filter((path) => path in shape)
  return { shape, optional: [...new Set([...known, ...inOne])] }
}

const told = (types: readonly string[] = []) => types.join(' or ')
const withoutNull = (types: readonly string[] = []) => types.filter((type) => type !== 'null')

/**
 * The paths that only `one` has, without those below them. An empty list in `other` says nothing about its rows, and a
 * form that is full nothing about what it lacks.
 */
function outermost(one: Shape, other: Shape): string[] {
  if (Object.keys(other).length >= pathsMax) return []
  return Object.keys(one).filter((path) => {
    const parent = path.endsWith('[]') ? undefined : parentOf(path)
    return !(path in other) && parent !== undefined && (other[parent] ?? []).includes('object')
  })
}

/** Undefined for the whole value. */
const parentOf = (path: string) =>
  path === '' ? undefined : path.endsWith('[]') ? path.slice(0, -2) : path.replace(/\.?[^.]+$/, '')

const keysMin = 3

/** Objects whose keys are data, such as words with their places: other keys in each reply, and values of one form. */
function findTables(before: Shape, now: Shape): ReadonlySet<string> {
  const [old, recent] = [childrenOf(before), childrenOf(now)]
  const tables = [...old].filter(([path, names]) => {
    const others = recent.get(path) ?? []
    if (names.length < keysMin || others.length < keysMin) return false
    const forms = [...names.map((name) => before[name]), ...others.map((name) => now[name])]
    const shared = names.filter((name) => others.includes(name)).length
    return new Set(forms.map(told)).size === 1 && shared * 2 < Math.min(names.length, others.length)
  })
  return new Set(tables.map(([path]) => path))
}

function childrenOf(shape: Shape): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const path of Object.keys(shape)) {
    const parent = path.endsWith('[]') ? undefined : parentOf(path)
    if (parent === undefined) continue
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [path])
    else known.push(path)
  }
  return children
}
