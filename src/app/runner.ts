// Calls: running them for accounts and for wallets, as jobs, and reading them back.
import { type Catalog, findAny, splitId } from '#core/catalog.ts'
import { centsToMicros } from '#core/money.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { Files } from '#features/storage/files/files.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { createUnchargedCosts } from '#money/ledger/uncharged-costs.ts'
import { createSettlements } from '#money/payments/settlement.ts'
import type { Neighbours } from '#platform/neighbours/neighbours.ts'
import { createEffects } from '#runner/execute/effects.ts'
import { createExecutor } from '#runner/execute/execute.ts'
import { createHandles } from '#runner/execute/handles.ts'
import { createKeptAnswers } from '#runner/execute/kept-answers.ts'
import { createMisfits } from '#runner/execute/misfits.ts'
import { createPurchases } from '#runner/execute/purchases.ts'
import { createResponseCache } from '#runner/execute/response-cache.ts'
import type { Calls } from '#runner/history/calls.ts'
import { createRetention } from '#runner/history/retention.ts'
import { createJobs } from '#runner/jobs/jobs.ts'
import { createKeyless } from '#runner/keyless/keyless.ts'
import { createOrders } from '#runner/keyless/order.ts'
import type { WalletSessions } from '#runner/keyless/replay.ts'
import { createOnce } from '#runner/once.ts'
import type { PriceOverrides } from '#runner/pricing/price-overrides.ts'
import { createFreeCalls } from '#runner/run/free-call.ts'
import { createInnerActions } from '#runner/run/inner-actions.ts'
import { createKeyRates } from '#runner/run/key-rates.ts'
import { createAccountRunner } from '#runner/run/run.ts'
import { createRunner } from '#runner/runner.ts'
import { type CommandJobs, createCommandJobs } from '#runner/sessions/command-jobs.ts'
import { openSessions } from '#runner/sessions/open-sessions.ts'
import { createSessionRegistry, createUseMeter } from '#runner/sessions/registry.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { signStatusPath, signWakePath } from '#surfaces/http/routes/jobs.ts'
import type { BrowserRoom } from './browsers.ts'
import type { AppContext } from './context.ts'
import type { Money } from './money.ts'
import type { OpenPlugins } from './plugins.ts'
import type { ReadingRoom } from './reading.ts'
import { type ResponsesRoom, withJob } from './responses.ts'
import type { Selling } from './selling/selling.ts'
import type { Store } from './store.ts'

export type Running = Awaited<ReturnType<typeof openRunner>>

interface Parts {
  store: Store
  money: Money
  neighbours: Pick<Neighbours, 'machine' | 'define'>
  reading: ReadingRoom
  files: Files
  browsers: Pick<BrowserRoom, 'meter'>
  rooms: readonly { forgetOld(): Promise<void> }[]
  calls: Calls
  commandJobs: Pick<CommandJobs, 'begin'>
  responses: ResponsesRoom
  selling: Pick<Selling, 'providers'>
  plugins: OpenPlugins
  catalog: PricedCatalog
  prices: PriceOverrides
}

export async function openRunner(context: AppContext, parts: Parts) {
  const { config, clock, log, requestLog, baseUrl, onClose } = context
  const { store, money, reading, files, rooms, calls, catalog } = parts
  const { database, signer } = store
  const { ledger, payments, rails } = money
  const { rules } = parts.plugins
  const once = createOnce(database)
  const handles = createHandles(database)
  const misfits = createMisfits({ database, clock, log })
  const forgetful = [reading.memory, reading.cache, ...rooms, ...store.expiring, once, misfits]
  const alsoOld = forgetful.map(({ forgetOld }) => forgetOld)
  const retention = createRetention({ database, clock, log, alsoOld })
  onClose(retention.close)

  const bytesMax = config.RESPONSE_CACHE_MB * 1_000_000
  const responseCache = createResponseCache({ clock, bytesMax, shared: store.shared.cache })
  const purchases = createPurchases({ database, ledger, log: requestLog })
  const effects = createEffects(database)
  const records = { handles, effects, responseCache, purchases, misfits }
  const executor = createExecutor({
    catalog,
    ...records,
    keptAnswers: createKeptAnswers(database, clock),
    payments,
    clock,
    isWall: reading.isWall,
    telemetry: context.telemetry,
    filesOf: files.ofCaller,
    keys: store.keys,
    budgets: parts.selling.providers.budgets,
    defineErrand: parts.neighbours.define,
  })
  parts.responses.runInside(createInnerActions({ executor, catalog, keys: store.keys, clock }))
  const jobs = await createJobs({
    database,
    executor: withJob(executor, parts.responses.job),
    ledger,
    clock,
    log,
    workersMax: config.JOBS_AT_ONCE,
    refreshOffers: parts.prices.refresh,
    wakeUrlOf(callId) {
      const site = baseUrl()
      return site.startsWith('https://')
        ? site + signWakePath(signer, callId, clock.now())
        : undefined
    },
  })
  onClose(jobs.close)
  const sessions = await startSessions(context, { ...parts, ledger })
  const runFree = createFreeCalls({ executor, uncharged: createUnchargedCosts(database) })
  const keyRates = createKeyRates({ clock, counters: store.shared.counters })
  const accountRunner = createAccountRunner({
    executor,
    ledger,
    calls,
    jobs,
    sessions,
    purchases,
    retention,
    runFree,
    rules,
    keyRates,
    clock,
    log: requestLog,
  })

  const settlements = createSettlements({
    payments,
    clock,
    log,
    rails: rails.known,
    // The gateway that sees the payment settled begins the wallet's job or session, in the same transaction.
    onSettled({ action, callId }) {
      const entry = findAny(catalog, action)
      if (entry?.action.mode === 'job') return (client) => jobs.enqueue(entry, callId, client)
      if (entry?.action.mode === 'session')
        return (client) => sessions.enqueue(entry, callId, client)
      return undefined
    },
  })
  onClose(settlements.close)
  const orders = createOrders({
    executor,
    ledger,
    payments,
    settlements,
    purchases,
    clock,
    log: requestLog,
  })
  const keyless = createKeyless({
    executor,
    ledger,
    orders,
    calls,
    payments,
    channels: money.channels,
    settlements,
    rails,
    runFree,
    rules,
    clock,
    callsAtOnceMax: config.CALLS_IN_FLIGHT_MAX,
    settleFirstMicros: centsToMicros(config.SETTLE_BEFORE_CENTS),
    sessions: forWallets(catalog, sessions),
    statusUrl: (jobId) => baseUrl() + signStatusPath(signer, jobId, clock.now()),
  })
  const runner = createRunner({
    executor,
    accountRunner,
    keyless,
    prices: parts.prices,
    telemetry: context.telemetry,
  })
  const registry = createSessionRegistry([createUseMeter(sessions), parts.browsers.meter])
  return {
    runner,
    keyRates,
    keyless,
    once,
    misfits,
    purchases,
    sessions,
    registry,
    jobs,
  }
}

export const openCommandJobs = (
  { clock }: AppContext,
  { database }: Store,
  { ledger: { gatewayNumber } }: Money,
): CommandJobs => createCommandJobs({ database, gatewayNumber, clock })

const forWallets = (catalog: Catalog, { admit, whenOpen }: Sessions): WalletSessions => ({
  admit,
  whenOpen,
  opens: (action) => catalog.find(...splitId(action))?.action.mode === 'session',
})

async function startSessions(
  { clock, log, onClose }: AppContext,
  {
    store,
    ledger,
    catalog,
    commandJobs,
    files,
    neighbours,
  }: Pick<Parts, 'store' | 'catalog' | 'commandJobs' | 'files' | 'neighbours'> & { ledger: Ledger },
) {
  const sessions = openSessions({
    catalog,
    clock,
    log,
    beginJob: commandJobs.begin,
    database: store.database,
    access: store.access,
    ledger,
    machine: neighbours.machine,
    filesOf: files.ofCaller,
    defineErrand: neighbours.define,
    secret: await store.secret('session-state'),
  })
  onClose(sessions.stop)
  return sessions
}
