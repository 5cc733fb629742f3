// What an action returned, read against its output schema.
import type { CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { type Read, readLeniently } from '#core/replies/lenient.ts'

/**
 * The data that callers get. `report` is told of rows that do not fit the schema. Throws `upstream_error` where the
 * reply as a whole does not fit.
 */
export function readReply(
  { action, mode, service }: Pick<CatalogEntry, 'action' | 'mode' | 'service'>,
  raw: unknown,
  report: (problems: readonly string[]) => void,
): unknown {
  const read = readLeniently(action.output, raw)
  if ('error' in read) {
    report([String(read.error)])
    throw fail('upstream_error', {
      ...(mode !== 'embedded' && { message: unfit }),
      cause: read.error,
    })
  }
  if (read.misfits.length > 0) report(read.misfits)
  const fitting = withLosses(read)
  return mode === 'keyless' ? nameSource(fitting, service.provider.title) : fitting
}

const unfit =
  'The provider’s answer does not have the form that its description promises. Nothing was charged; try again.'

/** An answer states how many of the provider's rows could not be read. */
function withLosses({ data, dropped }: Read): unknown {
  return dropped > 0 && isRecord(data) ? { ...data, rows_dropped: dropped } : data
}

const isRecord = (data: unknown): data is object =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

/** An answer from a keyless provider names its source, unless the action has done so. */
function nameSource(data: unknown, provider: string): unknown {
  return isRecord(data) && !('provider' in data) ? { ...data, provider } : data
}
