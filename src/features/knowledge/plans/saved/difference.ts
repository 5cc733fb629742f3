// What differs between two versions of a saved plan, field by field.

export interface PlanDifference {
  /** A JSON pointer. */
  readonly at: string
  /** Absent where there was nothing, or is nothing any more. */
  readonly before?: unknown
  readonly after?: unknown
}

const differencesMax = 200

export function differencesOf(before: unknown, after: unknown): readonly PlanDifference[] {
  const found: PlanDifference[] = []
  compare(before, after, '', found)
  return found
}

function compare(before: unknown, after: unknown, at: string, found: PlanDifference[]): void {
  if (found.length >= differencesMax || JSON.stringify(before) === JSON.stringify(after)) return
  if (!isParent(before) || !isParent(after) || Array.isArray(before) !== Array.isArray(after)) {
    found.push({
      at,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })
    return
  }
  const [one, other] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const part = name.replaceAll('~', '~0').replaceAll('/', '~1')
    compare(memberOf(one, name), memberOf(other, name), `${at}/${part}`, found)
  }
}

const isParent = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberOf = (parent: Record<string, unknown>, name: string) =>
  Object.hasOwn(parent, name) ? parent[name] : undefined
