// Keeps only the fields of an answer that a caller names, by JSON pointers (RFC 6901) as plans use them. `*` stands for
// each item of a list and each member of an object, which pointers alone cannot say.
import { partsOf } from '#core/plan.ts'

export interface Selected {
  /** The answer with the named fields, in its own shape. Null when it has none of them. */
  readonly data: unknown
  /** The pointers that name nothing in it. */
  readonly missing: readonly string[]
}

export function selectFields(answer: unknown, pointers: readonly string[]): Selected {
  const paths = pointers.map((pointer) => partsOf(pointer))
  return {
    data: project(answer, paths) ?? null,
    missing: pointers.filter((pointer) => project(answer, [partsOf(pointer)]) === undefined),
  }
}

type Path = readonly string[]

/** Undefined where no path leads to anything. */
function project(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return value
  if (typeof value !== 'object' || value === null) return undefined
  const kept = Object.entries(value)
    .map(([name, inner]) => [name, projectMember(name, inner, paths)] as const)
    .filter(([, inner]) => inner !== undefined)
  if (kept.length === 0) return undefined
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept)
}

function projectMember(name: string, value: unknown, paths: readonly Path[]): unknown {
  const onwards = paths.filter(([head]) => head === name || head === '*')
  return onwards.length === 0
    ? undefined
    : project(
        value,
        onwards.map(([, ...rest]) => rest),
      )
}
