// The composition root: the only file that knows every room. Read it from top to bottom.
import path from 'node:path'
import { createAccounts } from '#accounts/accounts.ts'
import { createKeys } from '#accounts/keys.ts'
import { providers as vendors } from '#catalog/providers.ts'
import { createCatalog } from '#core/catalog.ts'
import type { Clock, Log } from '#core/ports.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import { createMemory } from '#features/reading/memory.ts'
import { createReading } from '#features/reading/reading.ts'
import { createRenderer } from '#features/reading/render.ts'
import { createLedger } from '#money/ledger/ledger.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createService } from '#platform/http/service.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { readOrCreateSecret } from '#platform/secret-file.ts'
import { createCalls } from '#runner/calls.ts'
import { createExecutor } from '#runner/execute.ts'
import { createJobs } from '#runner/jobs/jobs.ts'
import { createResult } from '#runner/result.ts'
import { createRunner } from '#runner/run.ts'
import { addAccountRoutes } from '#surfaces/http/account-routes.ts'
import { addAdminRoutes } from '#surfaces/http/admin-routes.ts'
import { addPublicRoutes } from '#surfaces/http/public-routes.ts'
import { addRunRoutes } from '#surfaces/http/run-routes.ts'
import { createServer, refuseOtherMethods } from '#surfaces/http/server.ts'
import { addSignUpRoutes } from '#surfaces/http/sign-up-routes.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'

export type App = Awaited<ReturnType<typeof createApp>>

const { version } = packageJson
const outputCleanupIntervalMs = 3_600_000

export async function createApp(options: {
  config: Config
  log: Log
  clock?: Clock
  /** Called when the gateway cannot go on: its database does not stay up. */
  onFatal?: (error: Error) => void
  /** Services of the operator's own, beside those of the catalog. */
  privateProviders?: readonly Provider[]
}) {
  const { config, log, clock = systemClock, privateProviders = [] } = options
  const closers: (() => Promise<unknown>)[] = []

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
    inFlightMax: config.CALLS_IN_FLIGHT_MAX,
  })
  closers.unshift(ledger.close)
  const calls = createCalls(database)
  const cleanup = setInterval(() => {
    calls
      .forgetOutputs()
      .catch((error) => log.warn({ err: error }, 'Old outputs will be dropped later.'))
  }, outputCleanupIntervalMs).unref()
  closers.unshift(async () => clearInterval(cleanup))

  const guard = createEgressGuard({ allow: config.EGRESS_ALLOW })
  const renderer = createRenderer({ guard, log, clock, ...chromium(config) })
  const memory = createMemory({ database, log })
  const reading = createReading({
    memory,
    guard,
    renderer,
    log,
    clock,
    ownNamespace: config.OWN_NS,
    userAgent: userAgent(config),
  })
  closers.unshift(reading.close)

  const own = defineProvider({
    id: config.OWN_NS,
    title: 'The gateway’s own actions',
    actions: [...reading.actions, createResult({ calls })],
  })
  if (config.OPERATOR_CONTACT === undefined) {
    log.warn(
      {},
      'OPERATOR_CONTACT is not set. SEC EDGAR refuses calls that do not say whose they are.',
    )
  }
  const services = [own, ...vendors, ...privateProviders].map((provider) =>
    createService(provider, {
      variables: config.providerVariables,
      userAgent: userAgent(config),
      clock,
      log,
    }),
  )
  for (const service of services) closers.unshift(service.close)
  const catalog = createCatalog(services)
  const executor = createExecutor({ catalog, clock })
  const jobs = await createJobs({
    database,
    connectionString,
    executor,
    ledger,
    log,
    workersMax: config.JOBS_AT_ONCE,
  })
  closers.unshift(jobs.close)
  const runner = createRunner({ executor, ledger, calls, jobs, clock, log })

  let baseUrl = config.PUBLIC_BASE_URL ?? ''
  const adminToken =
    config.ADMIN_TOKEN ?? (await readOrCreateSecret(path.join(config.DATA_DIR, 'admin-token')))
  const ready = () =>
    database.query('select 1').then(
      () => true,
      () => false,
    )
  const server = createServer({
    keys,
    log,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustProxy: config.TRUST_PROXY,
  })
  const finishRoutes = refuseOtherMethods(server)
  addPublicRoutes(server, { catalog, ready, baseUrl: () => baseUrl })
  addRunRoutes(server, { catalog, runner })
  addAccountRoutes(server, { accounts, keys, calls, limits: publicLimits(config) })
  addSignUpRoutes(server, {
    accounts,
    keys,
    ledger,
    signupsPerHour: config.SIGNUPS_PER_HOUR,
    creditCents: config.SIGNUP_CREDIT_CENTS,
    baseUrl: () => baseUrl,
  })
  addAdminRoutes(server, {
    adminToken,
    accounts,
    keys,
    ledger,
    catalog,
    readingMemory: memory,
    health: async () => ({ ok: await ready(), version, chromium: await renderer.availability() }),
  })
  finishRoutes()
  closers.unshift(() => server.close())

  return {
    accounts,
    keys,
    ledger,
    adminToken,
    ownNamespace: config.OWN_NS,
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

function chromium({ CHROMIUM_PATH, CHROMIUM_SANDBOX }: Config) {
  return {
    chromiumSandbox: CHROMIUM_SANDBOX === 'on',
    ...(CHROMIUM_PATH === undefined ? {} : { chromiumPath: CHROMIUM_PATH }),
  }
}

function publicLimits(config: Config) {
  return {
    requests_per_minute: config.RATE_LIMIT_PER_MINUTE,
    calls_in_flight: config.CALLS_IN_FLIGHT_MAX,
  }
}
