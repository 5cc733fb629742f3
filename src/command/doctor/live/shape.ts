// The form of a vendor's reply: which fields there are, and of which types. Two forms of one request show what the
// vendor has changed.

/** The types at each path, such as `results[].id`. */
export type Shape = Readonly<Record<string, readonly string[]>>

const pathsMax = 500
const rowsMax = 20
const depthMax = 12

export function shapeOf(value: unknown): Shape {
  const types = new Map<string, Set<string>>()
  collect(value, '', types, 0)
  return Object.fromEntries(
    [...types].map(([path, found]) => [path, [...found].toSorted()] as const),
  )
}

function collect(
  value: unknown,
  path: string,
  types: Map<string, Set<string>>,
  depth: number,
): void {
  if (types.size >= pathsMax || depth > depthMax) return
  const known = types.get(path) ?? new Set()
  types.set(path, known.add(typeOf(value)))
  if (Array.isArray(value)) {
    for (const row of value.slice(0, rowsMax)) collect(row, `${path}[]`, types, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      collect(inner, path === '' ? name : `${path}.${name}`, types, depth + 1)
  }
}

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

export interface Drift {
  /** Fields that there were, and are not. Only the outermost of each. */
  readonly gone: readonly string[]
  /** Fields with values of another type. */
  readonly changed: readonly string[]
}

export function compareShapes(before: Shape, now: Shape): Drift {
  const gone = Object.keys(before).filter(
    (path) => !(path in now) && path !== '' && hasPlace(now, path),
  )
  const changed = Object.entries(before).flatMap(([path, types]) => {
    const found = (now[path] ?? []).filter((type) => type !== 'null')
    const known = types.filter((type) => type !== 'null')
    if (known.length === 0 || found.length === 0) return []
    return found.some((type) => known.includes(type))
      ? []
      : [`${path || 'the reply'} (${known.join(' or ')}, now ${found.join(' or ')})`]
  })
  return { gone, changed }
}

/** Whether the object or list in which the path was is there now: an empty list says nothing about its rows. */
function hasPlace(now: Shape, path: string): boolean {
  const parent = path.endsWith('[]') ? undefined : path.replace(/\.?[^.]+$/, '')
  return parent !== undefined && (now[parent] ?? []).includes('object')
}
