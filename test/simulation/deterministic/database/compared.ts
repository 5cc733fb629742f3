// Two stores with the same statements: the model is right as long as it answers what PostgreSQL answers.
import type { PostgresStore } from './postgres.ts'
import type { Rows, Store } from './store.ts'
import { ReportedError } from './tables.ts'

type Answer = { readonly rows: Rows } | { readonly error: ReportedError }

/** Differences become problems of the store. */
export function compareStores(model: Store, postgres: PostgresStore): Store {
  const differences: string[] = []
  /** The marks of the model by those of PostgreSQL. */
  const marks = new Map<number, number>()

  return {
    async run(text, values, nowMs) {
      // The queue of jobs is simulated, and stays empty here.
      if (text.startsWith('queue: ')) return await model.run(text, values, nowMs)
      const real = await answerOf(() => postgres.run(text, values, nowMs))
      const modelled = await answerOf(() => model.run(text, values, nowMs))
      const [found, expected] = [show(modelled, real), show(real, real)]
      if (found !== expected)
        differences.push(
          `${text} ${JSON.stringify(values)}\nmodel: ${found}\nPostgreSQL: ${expected}`,
        )
      if ('error' in real) throw real.error
      return real.rows
    },
    async mark() {
      const mark = await postgres.mark()
      marks.set(mark, await model.mark())
      return mark
    },
    async rollBack(mark) {
      await postgres.rollBack(mark)
      await model.rollBack(marks.get(mark) ?? 0)
    },
    async setConnected(number, isConnected) {
      await postgres.setConnected(number, isConnected)
      await model.setConnected(number, isConnected)
    },
    async problems(isLast) {
      if (isLast) {
        const [found, expected] = [await model.state(), await postgres.state()]
        const missing = expected.filter((row) => !found.includes(row))
        const wrong = found.filter((row) => !expected.includes(row))
        if (missing.length + wrong.length > 0)
          differences.push(`model: ${wrong.join('; ')}\nPostgreSQL: ${missing.join('; ')}`)
      }
      return [...differences.splice(0), ...(await postgres.problems(isLast))]
    },
    open: () => postgres.open(),
    calls: () => postgres.calls(),
    state: () => postgres.state(),
    async addAccount(account) {
      await postgres.addAccount(account)
      await model.addAccount(account)
    },
  }
}

async function answerOf(run: () => Rows | Promise<Rows>): Promise<Answer> {
  try {
    return { rows: await run() }
  } catch (error) {
    if (error instanceof ReportedError) return { error }
    throw error
  }
}

/** Only what the other answer has, in an order that both have. */
function show(answer: Answer, like: Answer): string {
  if ('error' in answer) return answer.error.code
  const columns = 'rows' in like ? Object.keys(like.rows[0] ?? {}) : []
  const shown = answer.rows.map((row) => {
    const fields = row as Readonly<Record<string, unknown>>
    return JSON.stringify(columns.map((column) => plain(fields[column])))
  })
  return shown.sort().join('\n')
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return value ?? null
}
