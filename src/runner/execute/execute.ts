// Runs actions: their deadline, their reply against their schema, and the actions that they run in turn. Charging is
// done elsewhere.
import type { Keys } from '#accounts/keys/keys.ts'
import type { JobContext } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { CallListener } from '#core/calls/call-listener.ts'
import type { SoldPage } from '#core/calls/sold-page.ts'
import { type CatalogEntry, defaultTimeoutMs, soldTo, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { DefineErrand } from '#core/gateways/elsewhere.ts'
import { centsToMicros, type Micros, usdToMicros } from '#core/money.ts'
import { blame } from '#core/path.ts'
import type { Clock } from '#core/ports.ts'
import { type AnyPrice, isSum } from '#core/price.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import { observe } from '#core/telemetry/observe.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { Payments } from '#money/payments/payments.ts'
import { withDeadline } from '#platform/deadline.ts'
import type { ProviderBudgets } from '../providers/budgets.ts'
import { type Access, createAccess, estimatePrice } from './access.ts'
import { createSpending, sendOrder } from './buying.ts'
import { cancelledBy } from './cancelled.ts'
import { didNotEnd } from './did-not-end.ts'
import { createRecordEffect, type Effects } from './effects.ts'
import { type Handles, keepStartedOrder } from './handles.ts'
import { type JobExtras, type JobStep, noJob, stepOf } from './job-step.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { type Misfits, remember, type SeenReply } from './misfits.ts'
import { postpone } from './postponed.ts'
import { createCallInside, createPrepare } from './prepare.ts'
import type { Purchases } from './purchases.ts'
import { readReply } from './reply.ts'
import type { ResponseCache } from './response-cache.ts'
import { createRunElsewhere } from './run-elsewhere.ts'
import { addCost, addCosts, declaredCostOf, type StepCost } from './step-cost.ts'
import { billedByVendor, countAsked, declareCost, recordersOf, type Trail } from './trail.ts'
import { withinBudget } from './within-budget.ts'

export interface Executor extends Omit<Access, 'isAvailable'> {
  /** Lets the caller ask the service's other actions about a job of this action. */
  ownJob(entry: CatalogEntry, caller: Caller, jobId: string): Promise<void>
  /** The action's own price, which the operator may have replaced. */
  catalogPrice(entry: CatalogEntry): AnyPrice
  readonly estimate: typeof estimatePrice
  /** What the action's schema accepts, as data and as the JSON text that is stored. Throws what the action throws. */
  execute(
    entry: CatalogEntry,
    input: unknown,
    trail: Trail,
    options?: { signal?: AbortSignal; job?: JobExtras; listener?: CallListener | undefined },
  ): Promise<{ readonly data: unknown; readonly output: string }>
}

const walled =
  'The page answered with a challenge or a refusal instead of its content. Nothing was charged. Try an action for pages that block automated readers.'
const storedOutputCharactersMax = 20_000_000

/**
 * Where in a paid call an action runs: at depth 0 by itself, deeper inside another action, whose signal ends it too.
 */
export interface RunPlace {
  readonly trail: Trail
  /** The paid call: also that of a job, whose trail has none. */
  readonly callId: string | undefined
  readonly depth: number
  /** What actions inside this one cost. */
  readonly sold: readonly CatalogEntry[]
  /** The most that an inner action can cost. */
  readonly quoted?: Micros
  readonly outer?: AbortSignal | undefined
  readonly job?: JobExtras | undefined
  /** Of the outermost action. */
  readonly report?: CallListener['report'] | undefined
  /** What it opens is closed with the call. */
  readonly closes?: boolean | undefined
  /** Keeps the outputs that actions inside one call save apart. */
  readonly folder?: string
  /** The part of a job that this call is. */
  readonly step?: JobStep | undefined
  /** The cost of the part of a job that this call belongs to. */
  readonly stepCost?: StepCost | undefined
}

export interface Dependencies {
  catalog: PricedCatalog
  handles: Handles
  effects: Effects
  responseCache: ResponseCache
  purchases: Purchases
  misfits: Misfits
  keptAnswers: KeptAnswers
  payments: Pick<Payments, 'hasPaidTopUp'>
  filesOf: OpenCallerFiles
  keys: Pick<Keys, 'findForbidden'>
  budgets: Pick<ProviderBudgets, 'begin' | 'reasonOf'>
  /** Whether a page is a wall in place of the requested page. */
  isWall: (page: SoldPage) => Promise<boolean>
  defineErrand: DefineErrand
  clock: Clock
  telemetry?: Telemetry | undefined
}

export function createExecutor(dependencies: Dependencies): Executor {
  const { handles, catalog } = dependencies
  const { isAvailable, ...access } = createAccess(dependencies)
  const perform = createPerform(dependencies, { ...access, isAvailable })

  return {
    ...access,
    ownJob: ({ service }, caller, id) =>
      handles.issue(caller, service.provider.id, { kind: 'job', id }),
    catalogPrice: ({ id, action }) =>
      (catalog.original.find(...splitId(id))?.action ?? action).price,
    estimate: estimatePrice,
    async execute(entry, input, trail, { signal, job, listener } = {}) {
      const outer = signal ?? (listener && cancelledBy(listener))
      // The steps of a plan cost what they cost its caller when it was taken up.
      const sold = isSum(entry.action.price) ? soldTo(catalog, trail.caller) : []
      const callId = trail.callId ?? job?.jobId
      const { report } = listener ?? {}
      const data = await observe(
        dependencies.telemetry,
        { kind: 'run', action: entry.id, transactionId: callId },
        () => perform(entry, input, { trail, callId, depth: 0, sold, outer, job, report }),
      )
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

const effectPlaceOf = (place: RunPlace) => {
  const { folder = '', trail, callId, closes = false } = place
  return { callId, folder, closes, onMade: () => trail.madeAt.add(folder) }
}

const issuing = (place: RunPlace) => createRecordEffect(effectPlaceOf(place), ['vendor_id'])

export type Perform = (entry: CatalogEntry, input: unknown, place: RunPlace) => Promise<unknown>

/** Answers from the response cache, or asks the provider. Resolves to what the action's schema accepts. */
function createPerform(dependencies: Dependencies, access: Access): Perform {
  const { handles, responseCache, isWall } = dependencies
  const ask = createAsk(dependencies, access, (...inner) => perform(...inner))

  const perform = withinBudget<RunPlace>(dependencies.budgets, async (entry, input, place) => {
    const { action, service, id } = entry
    const { trail } = place
    const { cacheSeconds } = action
    const known = cacheSeconds === undefined ? undefined : await responseCache.find(id, input)
    if (known !== undefined) {
      addCost(place, 0)
      return { ...JSON.parse(known), cached: true }
    }
    const knownBefore = trail.paid + trail.spent
    const data = await ask(entry, input, place)
    const costUsd = action.costUsd?.(data, input)
    // What is paid while the action runs is the cost, not what its answer reports.
    const isKnown = trail.paid + trail.spent > knownBefore
    if (costUsd !== undefined && !isKnown) addCost(place, usdToMicros(costUsd))
    else if (!isKnown && place.depth === 0) declareCost(trail, declaredCostOf(entry))
    // A page that another action asked for is judged by that action.
    const page = place.depth === 0 ? action.page?.(data, input) : undefined
    if (page !== undefined && (await isWall(page))) {
      if (costUsd === undefined) trail.unreported += billedByVendor(entry, trail.held)
      throw fail('all_blocked', { message: walled })
    }
    const handle = action.issues?.(data, input)
    // Stored before the charge, so that a caller who has paid for an id can use it even if the gateway stops here.
    if (handle !== undefined)
      await handles.issue(trail.caller, service.provider.id, handle, issuing(place))
    const ended = action.ends ? action.owned?.(input) : undefined
    if (ended !== undefined) await handles.end(service.provider.id, ended)
    if (cacheSeconds !== undefined)
      responseCache.keep(id, input, JSON.stringify(data), cacheSeconds)
    return data
  })
  return perform
}

/** Runs the action within its deadline, here or where its resource is, and reads its reply. */
function createAsk(dependencies: Dependencies, access: Access, perform: Perform): Perform {
  const { catalog, handles, misfits, keptAnswers, purchases, filesOf, clock } = dependencies
  const prepare = createPrepare(access, { ...dependencies, perform })
  const callInside = createCallInside(prepare)

  const contextOf = ({ action, service }: CatalogEntry, here: RunPlace, signal: AbortSignal) => {
    const { trail, depth, quoted, job = noJob, report, stepCost, folder = '', ...place } = here
    const { provider } = service
    // What an action spends on others does not follow what the operator sells them for, unless it sells them.
    const sold = isSum(action.price) ? place.sold : catalog.original.entries
    let inner = 0
    const placeOf = (name: string, step?: string, ended?: AbortSignal): RunPlace => ({
      trail,
      callId: here.callId,
      depth: depth + 1,
      sold,
      stepCost,
      outer: ended === undefined ? signal : AbortSignal.any([signal, ended]),
      closes: here.closes || action.closes,
      folder: `${folder}${name}/`,
      ...stepOf(job, step),
    })
    const { callId: transactionId } = here
    const effectPlace = effectPlaceOf(here)
    const files = filesOf(trail.caller, transactionId, createRecordEffect(effectPlace, ['file']))
    return {
      ...job,
      ...(report && { report: async (progress) => report(progress) }),
      caller: trail.caller,
      files: { ...files, save: (file) => files.save({ ...file, name: folder + file.name }) },
      effect: createRecordEffect(effectPlace, action.makes),
      signal,
      clock,
      maxCents: (quoted ?? trail.held) / centsToMicros(1),
      ...recordersOf(trail),
      spend(micros) {
        trail.spent += micros
        addCost({ trail, stepCost }, micros)
      },
      transactionId,
      call: (id, body, step, ended) =>
        callInside(id, body, placeOf(step ?? `${++inner}`, step, ended)),
      prepare: (id, body, step) => prepare(id, body, placeOf(step ?? `${++inner}`, step)),
      available: access.isAvailable,
      issued: (kind) => handles.list(ownerOf(trail.caller), provider.id, kind),
      issue: (handle) => handles.issue(trail.caller, provider.id, handle),
      later: postpone,
      purchase: (buy) =>
        sendOrder(purchases, { trail, signal, paysFirst: service.buys === true }, buy),
    } satisfies Omit<JobContext<unknown>, 'input' | 'http' | 'keepAnswer'>
  }

  const runHere = async (entry: CatalogEntry, input: unknown, place: RunPlace, seen: Seen) => {
    const { action, service } = entry
    const timeoutMs = action.timeoutMs ?? defaultTimeoutMs
    const { outer } = place
    return await withDeadline({ late: didNotEnd, timeoutMs, outer }, async (signal) => {
      const spending = createSpending(purchases, place, signal)
      const asked = countAsked(place.trail, entry)
      const http = remember(service.http.withSignal(signal, spending, asked), seen.replies)
      const { keep: keepAnswer } = seen.answers
      return action.run({ ...contextOf(entry, place, signal), input, http, keepAnswer })
    })
  }
  const seenAt = ({ callId }: Pick<RunPlace, 'callId'>): Seen => ({
    replies: [],
    answers: keptAnswers.open(callId),
  })
  const runElsewhere = createRunElsewhere({
    ...dependencies,
    async runHere(entry, input, place) {
      const seen = seenAt(place)
      const raw = await runHere(entry, input, place, seen)
      await seen.answers.write()
      return raw
    },
  })

  return async (entry, input, place) => {
    const { service, id } = entry
    const { trail } = place
    const seen = seenAt(place)
    const keep = (problems: readonly string[]) =>
      misfits.keep({
        action: id,
        callId: trail.callId,
        problems,
        replies: seen.replies,
        redact: service.http.redact,
      })
    const raw = await runHere(entry, input, place, seen)
      .catch((thrown) =>
        runElsewhere(thrown, { entry, input, place }, (made) => addCosts(place, made)),
      )
      .catch(async (thrown) => {
        await keepStartedOrder(handles, service.provider.id, thrown, trail.caller)
        // A TypeError is either a bug of the action or, more often, a reply of an unexpected form.
        if (thrown instanceof TypeError) keep([String(thrown)])
        throw blame(thrown, input)
      })
    const data = readReply(entry, raw, keep)
    await seen.answers.write()
    return data
  }
}

/** What an action has received and kept while it ran. */
interface Seen {
  readonly replies: SeenReply[]
  readonly answers: ReturnType<KeptAnswers['open']>
}
