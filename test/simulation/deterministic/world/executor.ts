// What the runner's executor does for the actions of the simulation: one asks a vendor once, the other is a job of
// three parts.

import type { Executor } from '../../../../src/runner/execute/execute.ts'
import type { JobExtras } from '../../../../src/runner/execute/job-step.ts'
import type { AccountRunner } from '../../../../src/runner/run/run.ts'
import type { Surroundings } from './gateway.ts'

type Entry = Parameters<AccountRunner['run']>[0]['entry']

/** With the margins of the runner, a hold lasts 8 seconds, and that of a job 32. */
const timeoutMs = 8_000 - 60_000
/** Two messages over a slow network. */
const readingMsMax = 3_500
const parts = ['first', 'second', 'third'] as const

export const entryOf = (worstMicros: number, isJob: boolean) =>
  ({
    id: isJob ? 'test/job' : 'test/ask',
    action: {
      mode: isJob ? 'job' : undefined,
      price: { cents: worstMicros / 10_000, used: ({ part }: { part: number }) => part },
      timeoutMs,
      jobsAtOnceMax: 3,
    },
    service: { provider: {} },
    // The runner reads no more of an entry than this.
  }) as unknown as Entry

export function createExecutor({
  vendor,
  savedParts,
  onRepeated,
  trueNowMs,
}: Surroundings): Executor {
  const nothing = async () => undefined

  async function runJob({ jobId, checkpoints, save, report, stopReason }: JobExtras) {
    const saved = savedParts.get(jobId) ?? new Map<string, number>()
    savedParts.set(jobId, saved)
    // Another worker may have saved a part since this one read the checkpoints.
    const readAtMs = trueNowMs() - readingMsMax
    for (const name of parts) {
      if (checkpoints.has(name)) continue
      if ((saved.get(name) ?? readAtMs) < readAtMs) onRepeated(`${jobId} ${name}`)
      if ((await stopReason()) !== undefined) break
      await vendor.answer()
      await save(name, { done: true })
      saved.set(name, trueNowMs())
      await report({ phase: name, done: saved.size, total: parts.length })
    }
  }

  const executor = {
    resolve: () => entryOf(100, true),
    catalogPrice: ({ action }: Entry) => action.price,
    validate: (_entry: unknown, body: unknown) => ({ input: body, maxCostMicros: undefined }),
    admit: nothing,
    costOf: () => ({ inference: false, costless: false }),
    shown: (_action: string, input: unknown) => input,
    ownJob: nothing,
    async execute(
      _entry: unknown,
      _input: unknown,
      trail: { cost: number | undefined },
      options: { readonly job?: JobExtras } = {},
    ) {
      if (options.job !== undefined) await runJob(options.job)
      const { output, part, cost } = await vendor.answer()
      trail.cost = cost
      return { data: { part }, output }
    },
  }
  // The runner uses no more of an executor than this.
  return executor as unknown as Executor
}
