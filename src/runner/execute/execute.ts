// Runs actions: their deadline, their reply against their schema, and the actions that they run in turn. Money is
// somebody else's business.
import type { Hop, JobContext, SoldPage } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { type Catalog, type CatalogEntry, defaultTimeoutMs, splitId } from '#core/catalog.ts'
import { errorTable, fail, toCallError } from '#core/errors.ts'
import { type Read, readLeniently } from '#core/lenient.ts'
import { centsToMicros, type Micros, microsToCents, usdToMicros } from '#core/money.ts'
import { blame } from '#core/path.ts'
import type { Clock, HttpReply, SellerPayment, Spending } from '#core/ports.ts'
import { type PriceRange, priceRange, quotePrice, settlePrice } from '#core/price.ts'
import { isPaidInVain, isUnsent } from '#platform/http/upstream-wallet.ts'
import { withDeadline } from './deadline.ts'
import type { Handles } from './handles.ts'
import { type Misfits, remember, type SeenReply } from './misfits.ts'
import { isRefusal, type Purchases } from './purchases.ts'
import type { Answers } from './response-cache.ts'
import { type ValidCall, validateCall } from './validate.ts'

/** What one paid call leaves behind, however many actions run in it. */
export interface Trail {
  readonly caller: Caller
  /** Its row in the books; a call without one cannot buy anything. */
  readonly callId: string | undefined
  /** What is held for it: no more can be charged. */
  readonly held: Micros
  /** Whether an order has left: from then on a failure is a doubt, unless the seller itself refused. */
  ordered: boolean
  /** Payments to sellers that have left and are not answered: with one of them, too, a failure is a doubt. */
  unanswered: number
  /** What the operator's wallet has paid sellers. */
  paid: Micros
  readonly hops: Hop[]
  /** What the provider calls have cost the operator, as far as providers say so. */
  cost: Micros | undefined
}

export function openTrail(caller: Caller, callId?: string, held: Micros = 0): Trail {
  return { caller, callId, held, ordered: false, unanswered: 0, paid: 0, hops: [], cost: undefined }
}

/** Whether something may have been bought that a failing call would give back. */
export const isInDoubt = ({ ordered, unanswered }: Trail) => ordered || unanswered > 0

/** The trail as the books keep it: JSON text, or nothing where nobody was asked. */
export function timelineOf({ hops }: Trail): string | undefined {
  return hops.length === 0 ? undefined : JSON.stringify({ hops })
}

/** What a job is given besides; other actions do not see it. */
export type JobExtras = Pick<JobContext<unknown>, 'report' | 'checkpoints' | 'save' | 'jobId'>

/** How a job says that it wants to be taken up again later. */
export class PostponedError extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super('The job waits.')
    this.delayMs = delayMs
  }
}

function postpone(delayMs: number): never {
  throw new PostponedError(delayMs)
}

export interface Executor {
  /** Throws `not_found`, `provider_not_configured`. */
  resolve(service: string, action: string): CatalogEntry
  /** Lets the caller ask the service's other actions about a job of this action. */
  ownJob(entry: CatalogEntry, caller: Caller, jobId: string): Promise<void>
  /** Throws `not_found` when the input names a vendor's id that is not the caller's. */
  admit(entry: CatalogEntry, input: unknown, caller: Caller): Promise<void>
  /** Throws for what is wrong with the body, and as `resolve` does for what the call needs and this gateway lacks. */
  validate(entry: CatalogEntry, body: unknown): ValidCall
  /** What the seller would ask for this call, where the action can find that out. */
  estimate(entry: CatalogEntry, input: unknown): Promise<PriceRange | undefined>
  /** What the action's schema accepts, as data and as the JSON text that is stored. Throws what the action throws. */
  execute(
    entry: CatalogEntry,
    input: unknown,
    trail: Trail,
    options?: { signal?: AbortSignal; job?: JobExtras },
  ): Promise<{ readonly data: unknown; readonly output: string }>
}

const walled =
  'The page answered with a challenge or a refusal instead of its content. Nothing was charged; try an action for pages that turn readers away.'
/** A quote waits so long for a seller's price. */
const estimateTimeoutMs = 15_000
const storedOutputCharactersMax = 20_000_000
/** An action that runs another, which runs another: so far and no further. */
const innerDepthMax = 3

/** Where in a paid call an action runs: 0 deep by itself, or inside another action, whose signal ends it too. */
interface Place {
  readonly trail: Trail
  readonly depth: number
  /** What an inner action costs at most. */
  readonly quoted?: Micros
  readonly outer?: AbortSignal | undefined
}

const noJob: JobExtras = {
  checkpoints: new Map(),
  save: async () => {},
  report: async () => {},
  jobId: '',
}

export function createExecutor(room: {
  catalog: Catalog
  handles: Handles
  answers: Answers
  purchases: Purchases
  misfits: Misfits
  /** Whether a page is a wall instead of the page that was asked for. */
  isWall: (page: SoldPage) => Promise<boolean>
  clock: Clock
}): Executor {
  const { catalog, handles, answers, purchases, misfits, clock } = room

  function resolve(service: string, action: string): CatalogEntry {
    const entry = catalog.find(service, action)
    if (entry === undefined) {
      throw fail('not_found', {
        message: `There is no action ${service}/${action}. GET /api/run lists what there is.`,
      })
    }
    if (!isOffered(entry)) throw notConfigured(entry)
    return entry
  }

  async function admit({ action, service }: CatalogEntry, input: unknown, caller: Caller) {
    const handle = action.owned?.(input)
    if (handle === undefined) return
    if (await handles.isOwner(ownerOf(caller), service.provider.id, handle)) return
    throw fail('not_found', {
      message: `You have no ${handle.kind} with this id. Send the id that the call which started it answered with. Nothing was charged.`,
    })
  }

  function validate({ action }: CatalogEntry, body: unknown): ValidCall {
    const call = validateCall(action, body)
    for (const need of action.needs?.(call.input) ?? []) {
      const { id, by } = typeof need === 'string' ? { id: need, by: undefined } : need
      const needed = resolve(...splitId(id))
      if (by === 'vendor' && needed.mode === 'embedded') throw notConfigured(needed)
    }
    return call
  }

  async function estimate({ action, service }: CatalogEntry, input: unknown) {
    const signal = AbortSignal.timeout(estimateTimeoutMs)
    const http = service.http.withSignal(signal)
    const found = await action.estimate?.({ input, http }).catch((thrown) => {
      const error = toCallError(thrown)
      // A seller who does not answer leaves the price that the catalog states.
      if (!errorTable[error.code].retryable) throw error
      return undefined
    })
    if (found === undefined) return undefined
    const { min, max } = priceRange(action.price, input)
    return {
      min: Math.max(min, centsToMicros(found.minCents)),
      max: found.maxCents === undefined ? max : Math.min(max, centsToMicros(found.maxCents)),
    }
  }

  /** Asks the provider. What comes back is what the action's schema accepts. */
  async function perform(
    { action, service, mode }: CatalogEntry,
    input: unknown,
    place: Place,
    job = noJob,
  ): Promise<unknown> {
    const { trail, depth, outer } = place
    const id = `${service.provider.id}/${action.name}`
    const { cacheSeconds } = action
    const known = cacheSeconds === undefined ? undefined : answers.find(id, input)
    if (known !== undefined) return { ...JSON.parse(known), cached: true }
    const timeoutMs = action.timeoutMs ?? defaultTimeoutMs
    const paidBefore = trail.paid
    const replies: SeenReply[] = []
    const keep = (problems: readonly string[]) =>
      misfits.keep({
        action: id,
        callId: trail.callId,
        problems,
        replies,
        redact: service.http.redact,
      })
    const raw = await withDeadline({ timeoutMs, outer }, async (signal) =>
      action.run({
        ...job,
        input,
        http: remember(service.http.withSignal(signal, spendingOf(place, signal)), replies),
        caller: trail.caller,
        signal,
        clock,
        maxCents: (place.quoted ?? trail.held) / centsToMicros(1),
        record: (hop) => trail.hops.push(hop),
        call: (id, body) => callInside(id, body, { trail, depth: depth + 1, outer: signal }),
        available: (id, by) => {
          const entry = catalog.find(...splitId(id))
          return isOffered(entry) && (by === undefined || entry?.mode !== 'embedded')
        },
        issued: (kind) => handles.list(ownerOf(trail.caller), service.provider.id, kind),
        issue: (handle) => handles.issue(trail.caller, service.provider.id, handle),
        later: postpone,
        purchase: (buy) => purchaseOnce({ trail, signal, paysFirst: service.buys === true }, buy),
      }),
    ).catch(async (thrown) => {
      await keepStartedOrder(service.provider.id, thrown, trail.caller)
      // What an action cannot read is a mistake of its own, seldom, or a reply that nobody expected.
      if (thrown instanceof TypeError) keep([String(thrown)])
      throw blame(thrown, input)
    })
    const read = readLeniently(action.output, raw)
    if ('error' in read) {
      keep([String(read.error)])
      throw fail('upstream_error', { cause: read.error })
    }
    if (read.misfits.length > 0) keep(read.misfits)
    const fitting = withLosses(read)
    const data = mode === 'keyless' ? nameSource(fitting, service.provider.title) : fitting
    // Pages that other actions ask for are judged by those who asked.
    const page = depth === 0 ? action.page?.(data, input) : undefined
    if (page !== undefined && (await room.isWall(page)))
      throw fail('all_blocked', { message: walled })
    const costUsd = action.costUsd?.(data)
    // What was paid counts, and not what the seller says of it.
    if (costUsd !== undefined && trail.paid === paidBefore)
      trail.cost = (trail.cost ?? 0) + usdToMicros(costUsd)
    const handle = action.issues?.(data, input)
    // Before the charge: whoever has paid for an id can use it, however the gateway ends.
    if (handle !== undefined) await handles.issue(trail.caller, service.provider.id, handle)
    if (cacheSeconds !== undefined) {
      answers.keep(id, input, JSON.stringify(data), cacheSeconds)
    }
    return data
  }

  /** An order that waits for its buyer to be verified is that caller's to go on with. */
  async function keepStartedOrder(namespace: string, thrown: unknown, caller: Caller) {
    const { code, data } = toCallError(thrown)
    if (code !== 'verification_required') return
    const { order_id: id } = data as { order_id: string }
    await handles.issue(caller, namespace, { kind: 'order', id })
  }

  /** Sends an order, at most once in a call, and never before it is written down. */
  async function purchaseOnce<Result>(
    { trail, signal, paysFirst }: { trail: Trail; signal: AbortSignal; paysFirst: boolean },
    buy: (reference: string) => Promise<Result>,
  ): Promise<Result> {
    const { callId, paid } = trail
    if (callId === undefined) throw new TypeError('A call without a row in the books cannot buy.')
    // A call has one row for its order, so a second order ends here and the operator decides about the first.
    await purchases.start(callId, callId)
    signal.throwIfAborted()
    trail.ordered = true
    try {
      return await buy(callId)
    } catch (thrown) {
      // Nothing was bought, as from a seller who sells for payment and got none: the call fails as any other does.
      const unpaid = paysFirst && trail.paid === paid
      if (unpaid || isRefusal(toCallError(thrown))) trail.ordered = false
      throw thrown
    }
  }

  /** What the action may pay sellers: nothing that costs more than it is sold for, and nothing without a row in the books. */
  function spendingOf({ trail, quoted }: Place, signal: AbortSignal): Spending {
    const { callId } = trail
    let spent = 0
    let turn: Promise<unknown> = Promise.resolve()
    const left = () => (callId === undefined ? 0 : (quoted ?? trail.held) - spent)
    const count = ({ micros }: SellerPayment, times: 1 | -1) => {
      spent += times * micros
      trail.paid += times * micros
      trail.cost = (trail.cost ?? 0) + times * micros
      trail.unanswered += times
    }

    async function writeDown(id: string, sign: Parameters<Spending['pay']>[0]) {
      const payment = await sign(left())
      signal.throwIfAborted()
      await purchases.startPayment(id, payment)
      count(payment, 1)
      return payment
    }

    async function takeBack(id: string, payment: SellerPayment): Promise<void> {
      count(payment, -1)
      await purchases.forgetPayment(id, payment.chainReference)
    }

    async function end(id: string, payment: SellerPayment, receipt: string | null) {
      trail.unanswered -= 1
      await purchases.endPayment(id, payment.chainReference, receipt)
    }

    return {
      left,
      async pay(sign, send): Promise<HttpReply> {
        if (callId === undefined)
          throw new TypeError('A call without a row in the books cannot pay.')
        const signing = turn.then(() => writeDown(callId, sign))
        turn = signing.catch(() => {})
        const payment = await signing
        if (signal.aborted) {
          await takeBack(callId, payment)
          throw signal.reason
        }
        const reply = await send(payment).catch(async (thrown) => {
          if (isUnsent(thrown)) await takeBack(callId, payment)
          else if (!isPaidInVain(thrown)) await end(callId, payment, null)
          throw thrown
        })
        await end(callId, payment, reply.paid?.receipt ?? null)
        return reply
      },
    }
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
      const { input, maxCostMicros } = validate(entry, body)
      await admit(entry, input, place.trail.caller)
      const quoted = quotePrice(price, input, maxCostMicros)
      asked = true
      const data = await perform(entry, input, { ...place, quoted: quoted.micros })
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
    admit,
    ownJob: ({ service }, caller, id) =>
      handles.issue(caller, service.provider.id, { kind: 'job', id }),
    validate,
    estimate,
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

/** An answer tells how many of the provider's rows could not be read. */
function withLosses({ data, dropped }: Read): unknown {
  return dropped > 0 && isRecord(data) ? { ...data, rows_dropped: dropped } : data
}

const isRecord = (data: unknown): data is object =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

/** An answer that nobody was paid for names who gave it, where the action has not said so itself. */
function nameSource(data: unknown, provider: string): unknown {
  return isRecord(data) && !('provider' in data) ? { ...data, provider } : data
}

function notConfigured({ id, service, reason = service.reason ?? '' }: CatalogEntry) {
  const message = `${id} has no provider on this gateway for this. ${reason}`.trim()
  return fail('provider_not_configured', { message })
}

function isOffered(entry: CatalogEntry | undefined): boolean {
  return entry !== undefined && entry.mode !== 'unavailable'
}
