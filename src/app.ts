// The composition root: the only file that knows every room. Read it from top to bottom.
import path from 'node:path'
import { createAccounts } from '#accounts/accounts.ts'
import { createAuthentication } from '#accounts/authentication.ts'
import { createKeys } from '#accounts/keys.ts'
import { shippedPrices } from '#catalog/model-prices.ts'
import { createRoutedChats } from '#catalog/routed-chats.ts'
import { createCatalog, splitId } from '#core/catalog.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import { createDiscover } from '#features/discover/discover.ts'
import { createEncoder } from '#features/discover/encoder.ts'
import { createEmailVerification } from '#features/email/verification.ts'
import { createLlm } from '#features/llm/llm.ts'
import { createMemory } from '#features/reading/memory.ts'
import { createReading } from '#features/reading/reading.ts'
import { createRenderers } from '#features/reading/renderers.ts'
import { createLedger } from '#money/ledger/ledger.ts'
import { createFinality } from '#money/payments/finality.ts'
import { createPayments } from '#money/payments/payments.ts'
import { createRefunds } from '#money/payments/refunds.ts'
import { createSettlements } from '#money/payments/settlement.ts'
import { createTreasury } from '#money/payments/treasury.ts'
import { openRails } from '#money/rails/rails.ts'
import { openUpstreamWallet } from '#money/rails/upstream-wallet.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { sharedSecret } from '#platform/database/shared-secret.ts'
import { createAddressCheck } from '#platform/egress/admit-address.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createWaysOut } from '#platform/egress/operator-proxies.ts'
import { createSourceOpener } from '#platform/http/open-source.ts'
import { createCourtesyLimiters } from '#platform/http/pacing.ts'
import { createService } from '#platform/http/service.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { inRequest, logWithRequestId } from '#platform/request-context.ts'
import { readOrCreateSecret, readSecret } from '#platform/secret-file.ts'
import { createUrlSigner } from '#platform/url-signer.ts'
import { createAnswers } from '#runner/answers.ts'
import { createCalls } from '#runner/calls.ts'
import { createExecutor } from '#runner/execute.ts'
import { createHandles } from '#runner/handles.ts'
import { createJobs } from '#runner/jobs/jobs.ts'
import { createKeyless } from '#runner/keyless.ts'
import { createMeter } from '#runner/meter.ts'
import { createMisfits } from '#runner/misfits.ts'
import { createOnce } from '#runner/once.ts'
import { createPurchases } from '#runner/purchases.ts'
import { createJobPoll, createResult } from '#runner/result.ts'
import { createRetention } from '#runner/retention.ts'
import { createRevenue } from '#runner/revenue.ts'
import { createRunner } from '#runner/run.ts'
import { createStatement } from '#runner/statement.ts'
import { createOrders } from '#runner/wallet-order.ts'
import { addAccountRoutes } from '#surfaces/http/account-routes.ts'
import { addAdminRoutes } from '#surfaces/http/admin-routes.ts'
import { createGuide } from '#surfaces/http/guide.ts'
import { addJobRoutes, signStatusPath } from '#surfaces/http/job-routes.ts'
import { addKeyRoutes } from '#surfaces/http/key-routes.ts'
import { addLlmRoutes } from '#surfaces/http/llm-routes.ts'
import { completeMethods } from '#surfaces/http/methods.ts'
import { addPublicRoutes } from '#surfaces/http/public-routes.ts'
import { addRunRoutes } from '#surfaces/http/run-routes.ts'
import { createServer } from '#surfaces/http/server.ts'
import { addSignUpRoutes } from '#surfaces/http/sign-up-routes.ts'
import { addTopUpRoutes } from '#surfaces/http/top-up-routes.ts'
import { describeOpenApi } from '#surfaces/openapi/document.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'
import { listVendors } from './vendors.ts'

export type App = Awaited<ReturnType<typeof createApp>>

const { version } = packageJson

export async function createApp(options: {
  config: Config
  log: Log
  clock?: Clock
  /** Called when the gateway cannot go on: its database does not stay up. */
  onFatal?: (error: Error) => void
  /** Services of the operator's own, beside those of the catalog. */
  privateProviders?: readonly Provider[]
  /** Buys from upstreams that sell by x402 or MPP. Without it their paid actions are unavailable. */
  upstreamWallet?: UpstreamWallet
  /** Collects what is to be closed, the last opened first, for a start that fails half-way. */
  closers?: (() => Promise<unknown>)[]
}) {
  const { config, log, clock = systemClock, privateProviders = [], closers = [] } = options
  // For the rooms that answer requests; what works for many requests together uses the log as it is.
  const requestLog = logWithRequestId(log)

  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          dataDir: path.resolve(config.DATA_DIR),
          log,
          onCrash: options.onFatal,
        })
      : undefined
  if (embedded !== undefined) closers.unshift(embedded.stop)
  const connectionString = config.DATABASE_URL ?? embedded?.connectionString ?? ''
  const database = openDatabase({ connectionString, log })
  closers.unshift(database.close)
  await migrate(database)

  const accounts = createAccounts({ database, clock })
  const keys = createKeys({ database, clock })
  const ledger = await createLedger({
    database,
    clock,
    log,
    journalDirectory: path.join(config.DATA_DIR, 'tabs'),
    inFlightMax: config.CALLS_IN_FLIGHT_MAX,
    inferenceDayMicrosMax: centsToMicros(config.INFERENCE_DAY_CENTS_MAX),
  })
  closers.unshift(ledger.close)
  const calls = createCalls({ database, ledger })
  const statement = createStatement({ database, ledger })
  const once = createOnce(database)
  const payments = createPayments({
    database,
    clock,
    gatewayNumber: ledger.gatewayNumber,
    dustMicros: centsToMicros(config.REFUND_DUST_CENTS),
  })
  const handles = createHandles(database)
  const memory = createMemory({ database, log })
  const misfits = createMisfits({ database, clock, log })
  const alsoOld = [handles.forgetOld, memory.forgetOld, once.forgetOld, misfits.forgetOld]
  const retention = createRetention({ database, clock, log, alsoOld })
  closers.unshift(retention.close)

  const guard = createEgressGuard({
    allow: config.EGRESS_ALLOW,
    ownHost: config.PUBLIC_BASE_URL && new URL(config.PUBLIC_BASE_URL).hostname,
  })
  const waysOut = createWaysOut({
    guard,
    clock,
    proxies: {
      datacenter: config.READING_DATACENTER_PROXIES,
      unblock: config.READING_UNBLOCK_PROXIES,
      residential: config.READING_RESIDENTIAL_PROXIES,
    },
  })
  const renderers = createRenderers({
    guard,
    log,
    clock,
    chromiumPath: config.CHROMIUM_PATH,
    wholeChromiumPath: config.CHROMIUM_WHOLE_PATH,
    chromiumSandbox: config.CHROMIUM_SANDBOX === 'on',
    stealthDial: waysOut.residential,
  })
  const llm = await createLlm({
    shipped: shippedPrices,
    configPath: config.LLM_CONFIG,
    variables: config.providerVariables,
    ownNamespace: config.OWN_NS,
    clock,
    log: requestLog,
  })
  closers.unshift(llm.close)
  const guide = createGuide()
  const reading = createReading({
    ...{ database, memory, guard, renderers, waysOut, clock },
    log: requestLog,
    router: llm.router,
    ownNamespace: config.OWN_NS,
    userAgent: userAgent(config),
    ownPages: (url) => guide.at(url, baseUrl),
  })
  closers.unshift(reading.close)

  const encoder =
    config.DISCOVER_MODEL === 'on' ? createEncoder({ log, now: clock.now }) : undefined
  if (encoder !== undefined) closers.unshift(encoder.close)

  const own = defineProvider({
    id: config.OWN_NS,
    title: 'The gateway’s own actions',
    actions: [
      ...reading.actions,
      createResult({ calls, payments }),
      createDiscover({ catalog: () => catalog, ownNamespace: config.OWN_NS, encoder }),
    ],
  })
  if (config.OPERATOR_CONTACT === undefined) {
    log.warn(
      {},
      'OPERATOR_CONTACT is not set. SEC EDGAR and MET Norway refuse calls that do not say whose they are.',
    )
  }
  const limiters = createCourtesyLimiters({ clock })
  const wallet = options.upstreamWallet ?? openUpstreamWallet(config, { clock, log })
  if (wallet !== undefined) closers.unshift(wallet.close)
  const admitAddress = createAddressCheck(guard)
  const openService = (provider: Provider) =>
    createService(provider, {
      variables: config.providerVariables,
      userAgent: userAgent(config),
      clock,
      log: requestLog,
      limiters,
      admitAddress,
      ...(wallet === undefined ? {} : { wallet }),
    })
  const ownService = openService(own)
  // The model vendors sell at the prices of the moment, not at those that the gateway is shipped with.
  const sources = createSourceOpener({ guard, userAgent: userAgent(config), clock, log })
  closers.unshift(sources.close)
  const vendors = listVendors(config, { prices: llm.models.prices, openSource: sources.open })
  const services = [ownService, ...[...vendors, ...privateProviders].map(openService)]
  for (const service of services) closers.unshift(service.close)
  const substitutes = new Map([
    ...reading.substitutes,
    ...createEmailVerification(),
    ...createRoutedChats(llm.router, llm.models.prices),
  ])
  const catalog = createCatalog(services, substitutes)
  const answers = createAnswers({ clock, bytesMax: config.ANSWER_CACHE_MB * 1_000_000 })
  const purchases = createPurchases({ database, ledger, log: requestLog })
  const records = { handles, answers, purchases, misfits }
  const executor = createExecutor({ catalog, ...records, clock, isWall: reading.isWall })
  const jobs = await createJobs({
    database,
    connectionString,
    executor,
    ledger,
    clock,
    log,
    workersMax: config.JOBS_AT_ONCE,
  })
  closers.unshift(jobs.close)
  const runner = createRunner({
    executor,
    ledger,
    calls,
    jobs,
    purchases,
    retention,
    clock,
    log: requestLog,
  })

  let baseUrl = config.PUBLIC_BASE_URL ?? ''
  const secretFile = (name: string) => path.join(config.DATA_DIR, name)
  const secret = (name: string) => sharedSecret(database, name, () => readSecret(secretFile(name)))
  const rails = await openRails({
    settings: config,
    database,
    clock,
    log,
    baseUrl: () => baseUrl,
    secret,
  })
  closers.unshift(rails.close)
  const settlements = createSettlements({
    payments,
    rails: rails.known,
    clock,
    log,
    // A wallet's job is queued by whoever sees its payment settled, in the same transaction.
    onSettled: async ({ action, callId }, client) => {
      const entry = catalog.find(...splitId(action))
      if (entry?.action.mode === 'job') await jobs.enqueue(entry, callId, client)
    },
  })
  closers.unshift(settlements.close)
  const refunds = createRefunds({ database, rails: rails.known, clock, log })
  closers.unshift(refunds.close)
  closers.unshift(createFinality({ database, payments, rails: rails.known, clock, log }).close)
  const signer = createUrlSigner({
    key: config.STATUS_URL_KEY ?? (await secret('status-url-key')),
    clock,
  })
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
    orders,
    calls,
    payments,
    settlements,
    rails,
    clock,
    callsAtOnceMax: config.CALLS_IN_FLIGHT_MAX,
    settleFirstMicros: centsToMicros(config.SETTLE_BEFORE_CENTS),
    statusUrl: (jobId) => baseUrl + signStatusPath(signer, jobId, clock.now()),
  })
  const adminToken = config.ADMIN_TOKEN ?? (await readOrCreateSecret(secretFile('admin-token')))
  const ready = () =>
    database.query('select 1').then(
      () => true,
      () => false,
    )
  const server = createServer({
    authenticate: createAuthentication({ database, log }),
    log: requestLog,
    inRequest,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustProxy: config.TRUST_PROXY,
  })
  const methods = completeMethods(server)
  addPublicRoutes(server, { catalog, guide, ready, baseUrl: () => baseUrl })
  addRunRoutes(server, {
    catalog,
    runner,
    keyless,
    openApi: (rails) =>
      describeOpenApi({
        catalog,
        version,
        baseUrl,
        contact: config.OPERATOR_CONTACT,
        rails,
        currencies: { x402: 'USDC', mpp: config.MPP_CURRENCY },
      }),
  })
  addJobRoutes(server, { poll: createJobPoll({ calls, payments, clock }), signer })
  const chat = llm.createChat(
    createMeter({ ledger, calls, clock, relaxed: config.INFERENCE_DURABLE === 'off' }),
  )
  addLlmRoutes(server, { chat, models: llm.models, ownNamespace: config.OWN_NS })
  const books = { accounts, keys, ledger, calls, statement, once }
  addKeyRoutes(server, books)
  addAccountRoutes(server, {
    ...books,
    keyless,
    limits: {
      requests_per_minute: config.RATE_LIMIT_PER_MINUTE,
      calls_in_flight: config.CALLS_IN_FLIGHT_MAX,
    },
  })
  addSignUpRoutes(server, {
    ...books,
    signupsPerHour: config.SIGNUPS_PER_HOUR,
    creditCents: config.SIGNUP_CREDIT_CENTS,
    baseUrl: () => baseUrl,
  })
  addTopUpRoutes(server, { accounts, keyless, service: ownService })
  addAdminRoutes(server, {
    ...books,
    revenue: createRevenue(database),
    adminToken,
    catalog,
    rails,
    refunds,
    treasury: createTreasury({ database, rails: rails.known }),
    models: llm.models,
    purchases,
    misfits,
    readingMemory: memory,
    health: async () => ({
      ok: await ready(),
      version,
      chromium: await renderers.shell.availability(),
    }),
  })
  methods.finish()
  closers.unshift(() => server.close())

  return {
    accounts,
    keys,
    ledger,
    routes: methods.routes,
    adminToken,
    catalog,
    rails,
    /** Starts listening. Resolves to the base URL. */
    async listen(): Promise<string> {
      const address = await server.listen({ port: config.PORT, host: config.HOST })
      baseUrl ||= address
      return baseUrl
    },
    /** Lets running calls end, then stops every part, the last started first. */
    async close() {
      for (const close of closers.splice(0)) await close()
    },
  }
}

function userAgent({ OPERATOR_CONTACT: contact }: Config): string {
  return contact === undefined ? `Tollway/${version}` : `Tollway/${version} (${contact})`
}
