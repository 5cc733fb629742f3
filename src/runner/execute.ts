// Runs actions: their deadline, their reply against their schema, and the actions that they run in turn. Money is
// somebody else's business.
import type { Hop, JobContext } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { type Catalog, type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import { fail, toCallError } from '#core/errors.ts'
import { type Micros, microsToCents, usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { quotePrice, settlePrice } from '#core/price.ts'
import { validateCall } from './validate.ts'

/** What one paid call leaves behind, however many actions run in it. */
export interface Trail {
  readonly caller: Caller
  readonly hops: Hop[]
  /** What the provider calls have cost the operator, as far as providers say so. */
  cost: Micros | undefined
}

export function openTrail(caller: Caller): Trail {
  return { caller, hops: [], cost: undefined }
}

/** The trail as the books keep it: JSON text, or nothing where nobody was asked. */
export function timelineOf({ hops }: Trail): string | undefined {
  return hops.length === 0 ? undefined : JSON.stringify({ hops })
}

/** What a job is given besides; other actions do not see it. */
export type JobExtras = Pick<JobContext<unknown>, 'report' | 'checkpoints' | 'save'>

export interface Executor {
  /** Throws `not_found`, `provider_not_configured`. */
  resolve(service: string, action: string): CatalogEntry
  /** What the action's schema accepts, as data and as the JSON text that is stored. Throws what the action throws. */
  execute(
    entry: CatalogEntry,
    input: unknown,
    trail: Trail,
    options?: { signal?: AbortSignal; job?: JobExtras },
  ): Promise<{ readonly data: unknown; readonly output: string }>
}

const storedOutputCharactersMax = 20_000_000
/** An action that runs another, which runs another: so far and no further. */
const innerDepthMax = 3

/** Where in a paid call an action runs: 0 deep by itself, or inside another action, whose signal ends it too. */
interface Place {
  readonly trail: Trail
  readonly depth: number
  readonly outer?: AbortSignal | undefined
}

const noJob: JobExtras = { checkpoints: new Map(), save: async () => {}, report: async () => {} }

export function createExecutor({ catalog, clock }: { catalog: Catalog; clock: Clock }): Executor {
  function resolve(service: string, action: string): CatalogEntry {
    const entry = catalog.find(service, action)
    if (entry === undefined) {
      throw fail('not_found', {
        message: `There is no action ${service}/${action}. GET /api/run lists what there is.`,
      })
    }
    if (!isOffered(entry)) {
      throw fail('provider_not_configured', {
        message:
          `${entry.id} has no provider on this gateway. ${entry.service.reason ?? ''}`.trim(),
      })
    }
    return entry
  }

  /** Asks the provider. What comes back is what the action's schema accepts. */
  async function perform(
    { action, service }: CatalogEntry,
    input: unknown,
    place: Place,
    job = noJob,
  ): Promise<unknown> {
    const { trail, depth, outer } = place
    const timeoutMs = action.timeoutMs ?? defaultTimeoutMs
    const raw = await withDeadline({ timeoutMs, outer }, async (signal) =>
      action.run({
        ...job,
        input,
        http: service.http.withSignal(signal),
        caller: trail.caller,
        signal,
        clock,
        record: (hop) => trail.hops.push(hop),
        call: (id, body) => callInside(id, body, { trail, depth: depth + 1, outer: signal }),
        available: (id) => isOffered(catalog.find(...splitId(id))),
      }),
    )
    const parsed = action.output.safeParse(raw)
    if (!parsed.success) throw fail('upstream_error', { cause: parsed.error })
    const costUsd = action.costUsd?.(parsed.data)
    if (costUsd !== undefined) trail.cost = (trail.cost ?? 0) + usdToMicros(costUsd)
    return parsed.data
  }

  /** An action runs another. Nothing is held or charged for it: its price is told in its hop. */
  async function callInside(id: string, body: unknown, place: Place): Promise<unknown> {
    if (place.depth > innerDepthMax) throw new Error(`${id} would run ${place.depth} actions deep.`)
    const [provider, action] = splitId(id)
    const startedAt = clock.now()
    const record = (rest: Pick<Hop, 'ok' | 'charged_cents' | 'skipped'>) =>
      place.trail.hops.push({ provider, action, latency_ms: clock.now() - startedAt, ...rest })
    let asked = false
    try {
      const entry = resolve(provider, action)
      const { price } = entry.action
      const { input, maxCostMicros } = validateCall(entry.action, body)
      const quoted = quotePrice(price, input, maxCostMicros)
      asked = true
      const data = await perform(entry, input, place)
      const charged = settlePrice(price, quoted, input, data)
      record({ ok: true, charged_cents: microsToCents(charged, 'up') })
      return data
    } catch (thrown) {
      const error = toCallError(thrown)
      record({ ok: false, charged_cents: 0, ...(asked ? {} : { skipped: error.code }) })
      throw error
    }
  }

  return {
    resolve,
    async execute(entry, input, trail, { signal: outer, job } = {}) {
      const data = await perform(entry, input, { trail, depth: 0, outer }, job)
      const output = JSON.stringify(data) ?? 'null'
      if (output.length > storedOutputCharactersMax) {
        throw fail('upstream_error', {
          message: 'The answer is too large. Ask for less. Nothing was charged.',
        })
      }
      return { data, output }
    },
  }
}
function splitId(id: string): readonly [service: string, action: string] {
  const [service = '', action = ''] = id.split('/')
  return [service, action]
}

function isOffered(entry: CatalogEntry | undefined): boolean {
  return entry !== undefined && entry.service.mode !== 'unavailable'
}

/**
 * Ends with the work, or with a failure when the deadline passes or the outer action ends first, whether the work listens
 * to the signal or not.
 */
async function withDeadline<Result>(
  { timeoutMs, outer }: { timeoutMs: number; outer: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    controller.abort(reason)
    ended.reject(reason)
  }
  const endWithOuter = () => end(outer?.reason)
  outer?.addEventListener('abort', endWithOuter)
  const timer = setTimeout(() => {
    const message = `The call did not end within ${timeoutMs / 1_000} seconds. Nothing was charged; try again.`
    end(fail('upstream_error', { message }))
  }, timeoutMs)
  try {
    return await Promise.race([work(controller.signal), ended.promise])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', endWithOuter)
  }
}
