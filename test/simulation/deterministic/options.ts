import { parseArgs } from 'node:util'

export type Options = ReturnType<typeof readOptions>

export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string' },
      callers: { type: 'string' },
      calls: { type: 'string' },
      gateways: { type: 'string' },
      faults: { type: 'string' },
      without: { type: 'string' },
      trace: { type: 'boolean', default: false },
      /** Reports the first failing seed as it is. */
      whole: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      /** Only mutants with this word in their names. */
      only: { type: 'string', default: '' },
      plant: { type: 'string' },
      /** Keeps the books in a real PostgreSQL, too, and compares. */
      postgres: { type: 'boolean', default: false },
      /** The PostgreSQL, if there is one already. Its tables are empty. */
      database: { type: 'string' },
    },
  })
  return values
}
