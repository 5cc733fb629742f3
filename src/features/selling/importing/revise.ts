// A new revision of an import: operations keep their names, and those that are gone are retired.
import type { DescribedOperation } from '../described-operation.ts'
import type { RetiredOperation, SoldApi } from '../sold-api.ts'

/** Callers of a removed operation read for this long what became of it. */
const retiredDays = 90
const dayMs = 86_400_000

export function keepOperations(draft: SoldApi, before: SoldApi | undefined, now: Date): SoldApi {
  if (before === undefined) return draft
  const known = [...before.api.operations, ...before.retired.map(({ operation }) => operation)]
  const names = new Map(known.toReversed().map(({ key, name }) => [key, name]))
  const kept = draft.api.operations.filter(({ key }) => names.has(key))
  const keptKeys = new Set(kept.map(({ key }) => key))
  const retired = retire(before, keptKeys, now)
  const taken = new Set([
    ...kept.map(({ key }) => names.get(key) ?? ''),
    ...retired.map(({ operation }) => operation.name),
  ])
  const operations = draft.api.operations.map((operation): DescribedOperation => {
    const name = names.get(operation.key) ?? freeName(operation.name, taken)
    names.delete(operation.key)
    taken.add(name)
    return { ...operation, name }
  })
  return { ...draft, api: { ...draft.api, operations }, retired }
}

function retire(
  { api, retired }: SoldApi,
  keptKeys: ReadonlySet<string>,
  now: Date,
): readonly RetiredOperation[] {
  const oldest = new Date(now.getTime() - retiredDays * dayMs).toISOString()
  const since = now.toISOString().slice(0, 10)
  return [
    ...retired.filter((each) => !keptKeys.has(each.operation.key) && each.since >= oldest),
    ...api.operations
      .filter(({ key }) => !keptKeys.has(key))
      .map((operation) => ({ operation, since })),
  ]
}

const nameCharactersMax = 64

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`
    const tried = name.slice(0, nameCharactersMax - end.length) + end
    if (!taken.has(tried)) return tried
  }
}
