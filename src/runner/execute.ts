// Runs one action: its deadline, its reply against its schema. Money is somebody else's business.
import type { Hop, JobContext } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { type Micros, usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'

export interface Executed {
  /** What the action's output schema has accepted. */
  readonly data: unknown
  /** The same as JSON text, written once for the answer and the books. */
  readonly output: string
  /** What the call cost the operator. */
  readonly cost: Micros | undefined
}

const storedOutputCharactersMax = 20_000_000

const noJob: NonNullable<Parameters<typeof execute>[0]['job']> = {
  checkpoints: new Map(),
  save: async () => {},
  report: async () => {},
}

/** Throws a CallError, or whatever the action throws.  */
export async function execute(options: {
  entry: CatalogEntry
  input: unknown
  caller: Caller
  clock: Clock
  hops: Hop[]
  signal?: AbortSignal
  /** What jobs are given besides; other actions do not see it. */
  job?: Pick<JobContext<unknown>, 'report' | 'checkpoints' | 'save'>
}): Promise<Executed> {
  const { entry, input, caller, clock, hops } = options
  const { action, service } = entry
  const timeoutMs = action.timeoutMs ?? defaultTimeoutMs
  const raw = await withDeadline(timeoutMs, options.signal, async (signal) =>
    action.run({
      ...(options.job ?? noJob),
      input,
      http: service.http.withSignal(signal),
      caller,
      signal,
      clock,
      record: (hop) => hops.push(hop),
    }),
  )
  const parsed = action.output.safeParse(raw)
  if (!parsed.success) throw fail('upstream_error', { cause: parsed.error })
  const output = JSON.stringify(parsed.data) ?? 'null'
  if (output.length > storedOutputCharactersMax) {
    throw fail('upstream_error', {
      message: 'The answer is too large. Ask for less. Nothing was charged.',
    })
  }
  const costUsd = action.costUsd?.(parsed.data)
  return {
    data: parsed.data,
    output,
    cost: costUsd === undefined ? undefined : usdToMicros(costUsd),
  }
}

/** Ends with the work, or with a failure when the deadline passes or the signal comes first, whether the work listens or not. */
async function withDeadline<Result>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    const message = `The call did not end within ${timeoutMs / 1_000} seconds. Nothing was charged; try again.`
    controller.abort(fail('upstream_error', { message }))
  }, timeoutMs)
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  // The work may end first; then nobody waits for this any more.
  ended.catch(() => {})
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop)
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
}
