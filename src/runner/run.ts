// One paid call, from top to bottom: resolve, validate, quote, hold, run, settle or void, respond.

import type { Hop } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { type Catalog, type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { type Micros, microsToCents, microsToUsd, usdToMicros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Quote, quotePrice, settlePrice } from '#core/price.ts'
import type { HoldOutcome, HoldRefusal } from '#money/ledger/group-commit.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Calls } from './calls.ts'
import { digestRequest } from './idempotency.ts'
import { validateCall } from './validate.ts'

export interface CallRequest {
  readonly entry: CatalogEntry
  readonly body: unknown
  readonly caller: Caller
  readonly idempotencyKey?: string | undefined
}

export interface CallResponse {
  /** The success envelope, as JSON text. */
  readonly body: string
  /** Whether this is the stored answer of an earlier call. */
  readonly replayed: boolean
}

export interface Runner {
  /** Throws `not_found`, `provider_not_configured`. */
  resolve(service: string, action: string): CatalogEntry
  /** Runs one call and charges for it, or throws a CallError and charges nothing. */
  run(request: CallRequest): Promise<CallResponse>
  /** What the call would cost and whether it would be let through. Runs nothing, holds nothing. */
  quote(request: Omit<CallRequest, 'caller'> & { caller?: Caller | undefined }): Promise<string>
}

/** A hold outlives the call's own deadline by this much, so that only a lost call ever meets it. */
const holdMarginMs = 60_000
const storedOutputCharactersMax = 20_000_000
/** An action that runs another, which runs another: so far and no further. */
const innerDepthMax = 3

/** What one paid call leaves behind, however many actions run in it. */
interface Trail {
  readonly caller: Caller
  readonly hops: Hop[]
  /** What the provider calls have cost the operator, as far as providers say so. */
  cost: Micros | undefined
}

/** Where in a paid call an action runs: 0 deep by itself, or inside another action, whose signal ends it too. */
interface Place {
  readonly trail: Trail
  readonly depth: number
  readonly outer?: AbortSignal
}

export function createRunner(room: {
  catalog: Catalog
  ledger: Ledger
  calls: Calls
  clock: Clock
  log: Log
}): Runner {
  const { catalog, ledger, calls, clock, log } = room

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

  async function run(request: CallRequest): Promise<CallResponse> {
    const { entry, caller } = request
    const { input, maxCostMicros } = validateCall(entry.action, request.body)
    const quote = quotePrice(entry.action.price, input, maxCostMicros)
    // Free calls leave no trace, unless the caller wants to be able to repeat one.
    if (entry.action.price === 'free' && request.idempotencyKey === undefined) {
      const { output } = await execute(entry, input, { caller, hops: [], cost: undefined })
      return { body: envelope({ output, charged: 0 }), replayed: false }
    }

    const callId = uuidv7(clock.now())
    const held = await ledger.hold(toHold(request, callId, quote))
    if (held.outcome === 'replay') return await replay(caller, held.earlier)
    if (held.outcome !== 'held') throw refusal(held, quote)

    const trail: Trail = { caller, hops: [], cost: undefined }
    const { hops } = trail
    const { output, charged } = await execute(entry, input, trail)
      .then((executed) => ({
        ...executed,
        charged: settlePrice(entry.action.price, quote, input, executed.data),
      }))
      .catch((thrown) => voidCall(toCallError(thrown), callId, caller, hops))
    const settled = await ledger.settle({
      callId,
      accountId: caller.accountId,
      state: 'settled',
      charged,
      cost: trail.cost,
      output,
      timeline: hops.length === 0 ? undefined : JSON.stringify({ hops }),
    })
    if (settled.outcome === 'gone') throw fail('upstream_error')
    return {
      body: envelope({ output, charged, available: settled.available, transactionId: callId }),
      replayed: false,
    }
  }

  /** Runs the action that was called. The output is its data, and the JSON text that is stored. */
  async function execute(entry: CatalogEntry, input: unknown, trail: Trail) {
    const data = await perform(entry, input, { trail, depth: 0 })
    const output = JSON.stringify(data) ?? 'null'
    if (output.length > storedOutputCharactersMax) {
      throw fail('upstream_error', {
        message: 'The answer is too large. Ask for less. Nothing was charged.',
      })
    }
    return { data, output }
  }

  /** Asks the provider. What comes back is what the action's schema accepts. */
  async function perform({ action, service }: CatalogEntry, input: unknown, place: Place) {
    const { trail, depth, outer } = place
    const timeoutMs = action.timeoutMs ?? defaultTimeoutMs
    const raw = await withDeadline({ timeoutMs, outer }, async (signal) =>
      action.run({
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

  async function voidCall(
    error: CallError,
    callId: string,
    caller: Caller,
    hops: Hop[],
  ): Promise<never> {
    if (error.cause !== undefined)
      log.warn({ err: error.cause, callId, code: error.code }, 'A call failed.')
    await ledger.settle({
      callId,
      accountId: caller.accountId,
      state: 'voided',
      charged: 0,
      error: error.code,
      message: error.message,
      timeline: hops.length === 0 ? undefined : JSON.stringify({ hops }),
    })
    throw error
  }

  async function replay(caller: Caller, callId: string): Promise<CallResponse> {
    const call = await calls.find(caller.accountId, callId)
    if (call?.output == null) throw fail('unavailable')
    return {
      body: envelope({
        output: call.output,
        charged: call.charged,
        available: call.availableAfter ?? undefined,
        transactionId: call.id,
      }),
      replayed: true,
    }
  }

  async function quote(request: Parameters<Runner['quote']>[0]): Promise<string> {
    const { entry, caller } = request
    const { input, maxCostMicros } = validateCall(entry.action, request.body)
    const quoted = quotePrice(entry.action.price, input, maxCostMicros)
    const price = {
      kind: quoted.kind,
      cents: microsToCents(quoted.micros, 'up'),
      usd: microsToUsd(quoted.micros),
    }
    if (caller === undefined) return envelope({ output: JSON.stringify({ price }), charged: 0 })
    const callId = uuidv7(clock.now())
    const outcome = await ledger.rehearse(toHold({ ...request, caller }, callId, quoted))
    const free = entry.action.price === 'free'
    const refused =
      free || outcome.outcome === 'held' || outcome.outcome === 'replay'
        ? undefined
        : refusal(outcome, quoted)
    return envelope({
      output: JSON.stringify({
        price,
        allowed: refused === undefined,
        ...(refused === undefined
          ? {}
          : { refusal: { error: refused.code, message: refused.message } }),
        ...(outcome.outcome === 'replay' ? { replays: outcome.earlier } : {}),
      }),
      charged: 0,
      available:
        outcome.outcome === 'held'
          ? outcome.available + quoted.micros
          : (outcome.available ?? undefined),
    })
  }

  return { resolve, run, quote }
}

function splitId(id: string): readonly [service: string, action: string] {
  const [service = '', action = ''] = id.split('/')
  return [service, action]
}

function isOffered(entry: CatalogEntry | undefined): boolean {
  return entry !== undefined && entry.service.mode !== 'unavailable'
}

function toHold(
  { entry, body, caller, idempotencyKey }: CallRequest,
  callId: string,
  quote: Quote,
) {
  return {
    callId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    action: entry.id,
    micros: quote.micros,
    idempotencyKey,
    requestDigest: idempotencyKey === undefined ? undefined : digestRequest(body),
    lifetimeMs: (entry.action.timeoutMs ?? defaultTimeoutMs) + holdMarginMs,
  }
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

const refusalCodes = {
  insufficient: 'insufficient_balance',
  too_many_inflight: 'too_many_inflight',
  key_invalid: 'invalid_token',
  key_limit: 'spend_limit_reached',
  action_not_allowed: 'forbidden',
  mismatch: 'idempotency_key_reused',
  in_progress: 'idempotency_in_progress',
  expired: 'unavailable',
} as const satisfies Record<HoldRefusal, string>

function refusal(held: HoldOutcome & { outcome: HoldRefusal }, quote: Quote): CallError {
  const retryAfterSeconds =
    held.outcome === 'in_progress' || held.outcome === 'too_many_inflight' ? 1 : undefined
  return fail(refusalCodes[held.outcome], {
    retryAfterSeconds,
    message: refusalMessage(held, quote),
  })
}

function refusalMessage({ outcome, available }: HoldOutcome, quote: Quote): string | undefined {
  if (outcome === 'insufficient') {
    return `This call costs ${microsToUsd(quote.micros)} dollars and ${microsToUsd(available ?? 0)} are available. Top up and call again.`
  }
  if (outcome === 'action_not_allowed')
    return 'This API key may not call this action. Use another key.'
  return undefined
}

/** The success envelope. Source: spec, "Success envelope". `output` is JSON text already, so that it is written once. */
function envelope(parts: {
  output: string
  charged: Micros
  available?: Micros | undefined
  transactionId?: string | undefined
}): string {
  const { output, charged, available, transactionId } = parts
  const balance =
    available === undefined
      ? ''
      : `,"balance_remaining_cents":${microsToCents(available, 'down')},"balance_remaining_usd":"${microsToUsd(available)}"`
  const transaction = transactionId === undefined ? '' : `,"transaction_id":"${transactionId}"`
  return `{"ok":true,"data":${output},"charged_cents":${microsToCents(charged, 'up')},"charged_usd":"${microsToUsd(charged)}"${balance}${transaction}}`
}
