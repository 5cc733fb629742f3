// Small tables that a gateway looks at again and again, such as its prices. Together they cost one statement.

export interface NamedRead {
  readonly name: string
  /** A query without values. JSON must be able to hold its columns: texts, booleans, and numbers below 2^53. */
  readonly text: string
}

interface Asked {
  readonly read: NamedRead
  readonly resolve: (rows: object[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads that are asked before the event loop goes on leave as one statement, and see the same state of the database.
 */
export function createJointReads(
  query: (statement: NamedRead) => Promise<readonly object[]>,
): <Row extends object>(read: NamedRead) => Promise<Row[]> {
  const combined = new Map<string, NamedRead>()
  let asked: Asked[] = []

  function combine(reads: readonly NamedRead[]): NamedRead {
    const texts = reads.map(
      ({ text }, at) => `(select coalesce(json_agg(r), '[]') from (${text}) r) as "${at}"`,
    )
    const text = `select ${texts.join(', ')}`
    const known = combined.get(text) ?? { name: `joint-reads-${combined.size}`, text }
    combined.set(text, known)
    return known
  }

  async function send() {
    const together = asked
    asked = []
    try {
      const [row] = await query(combine(together.map(({ read }) => read)))
      for (const [at, { resolve }] of together.entries())
        resolve((row as Record<number, object[]>)[at] ?? [])
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }

  return <Row extends object>(read: NamedRead) =>
    new Promise<Row[]>((resolve, reject) => {
      if (asked.length === 0) queueMicrotask(send)
      asked.push({ read, resolve: resolve as Asked['resolve'], reject })
    })
}
