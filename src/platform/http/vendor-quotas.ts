// What vendors let the operator still use. They are asked only when an operator looks, at most every few minutes, and
// by clients of their own: no call waits for them, and no failure of theirs opens a circuit breaker of a call.
import type { Service } from '#core/catalog.ts'
import { CallError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { QuotaReport, VendorQuotas } from '#core/provider.ts'

/** An answer is shown again for this time. */
const freshMs = 5 * 60_000
/** After this time the page is shown without the answer. */
const deadlineMs = 4_000

type Asked = Pick<Service, 'provider' | 'http'>

/** `services` are live, and used for nothing else. */
export function createVendorQuotas({
  services,
  clock,
}: {
  services: readonly Asked[]
  clock: Pick<Clock, 'now'>
}): VendorQuotas {
  const known = new Map<string, { readonly atMs: number; readonly report: Promise<QuotaReport> }>()

  function reportOf(service: Asked): Promise<QuotaReport> {
    const { id } = service.provider
    const last = known.get(id)
    if (last !== undefined && clock.now() - last.atMs < freshMs) return last.report
    const report = ask(service, new Date(clock.now()))
    known.set(id, { atMs: clock.now(), report })
    return report
  }

  return {
    async read() {
      const asked = services.filter(({ provider }) => provider.upstream?.quota !== undefined)
      return new Map(
        await Promise.all(
          asked.map(async (each) => [each.provider.id, await reportOf(each)] as const),
        ),
      )
    },
  }
}

/** Never throws: an answer that is missing is a part of the report. */
async function ask({ provider, http }: Asked, askedAt: Date): Promise<QuotaReport> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const quota = await provider.upstream?.quota?.(http.withSignal(signal))
    if (quota !== undefined) return { ...quota, askedAt }
    return { problem: 'The vendor reports no quota.', askedAt }
  } catch (error) {
    return { problem: problemOf(error, signal), askedAt }
  }
}

function problemOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return 'The vendor did not answer in time.'
  return error instanceof CallError
    ? `The vendor did not tell: ${error.message}`
    : 'The vendor answered in another form than its documentation says.'
}
