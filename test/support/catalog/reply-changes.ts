// Changes a reply of a fixture, to see what an action makes of a vendor that misbehaves.
import type { Exchange } from '../replay-server.ts'

export function withoutText({ text: _text, ...reply }: Exchange['reply']): Exchange['reply'] {
  return reply
}

/** The paths of the outermost lists of objects. */
export function findLists(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return typeof value[0] === 'object' ? [at] : []
  return Object.entries(value).flatMap(([name, inner]) => findLists(inner, [...at, name]))
}

export function withRow(body: unknown, at: readonly string[], row: unknown): unknown {
  const [name, ...rest] = at
  if (name === undefined) return [...(body as unknown[]), row]
  const record = body as Readonly<Record<string, unknown>>
  return { ...record, [name]: withRow(record[name], rest, row) }
}
