// The composition root. It opens the rooms of `app/` in order; each takes what the rooms before it have opened.
import type { Clock, Log } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { systemClock } from '#platform/clock.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { logWithRequestId } from '#platform/request-context.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { createCalls } from '#runner/history/calls.ts'
import packageJson from '../package.json' with { type: 'json' }
import { openBrowsers, watchVendor } from './app/browsers.ts'
import { openCatalog } from './app/catalog.ts'
import { openCompute } from './app/compute.ts'
import type { AppContext } from './app/context.ts'
import { openDoors } from './app/doors.ts'
import { openFiles } from './app/files.ts'
import { openFilms } from './app/films.ts'
import { openMail } from './app/mail.ts'
import { openMoney } from './app/money.ts'
import { openPrepaid, watchPrepaid } from './app/prepaid.ts'
import { openReading } from './app/reading.ts'
import { openRepositories } from './app/repositories.ts'
import { openCommandJobs, openRunner } from './app/runner.ts'
import { openSiteIndex } from './app/site-index.ts'
import { openStore } from './app/store.ts'
import type { Config } from './config.ts'

export type App = Awaited<ReturnType<typeof createApp>>

export interface AppOptions {
  config: Config
  log: Log
  clock?: Clock
  /** Called when the gateway cannot go on: its embedded database keeps stopping. */
  onFatal?: (error: Error) => void
  /** The operator's own services, beside those of the catalog. */
  privateProviders?: readonly Provider[]
  /** The payment rails that settings may turn on. Default: those of the gateway. */
  rails?: readonly RailDefinition[]
  /** Buys from upstreams that sell by payment. Default: the wallet of the settings. */
  upstreamWallet?: UpstreamWallet
  /** The built console. Without it, /console says that it is missing. */
  consoleFolder?: string
  /**
   * Collects what must be closed, the last opened first. Lets the caller clean up after a start that fails half-way.
   */
  closers?: (() => Promise<unknown>)[]
}

export async function createApp(options: AppOptions) {
  const { config, closers = [], privateProviders = [] } = options
  const { clock = systemClock } = options
  let baseUrl = config.PUBLIC_BASE_URL ?? ''
  const context: AppContext = {
    config,
    clock,
    rails: options.rails ?? paymentRails,
    version: packageJson.version,
    log: options.log,
    requestLog: logWithRequestId(options.log),
    baseUrl: () => baseUrl,
    userAgent: userAgent(config),
    sandbox: createSandbox({ clock }),
    consoleFolder: options.consoleFolder,
    onClose: (close) => closers.unshift(close),
  }

  const store = await openStore(context, options.onFatal)
  const money = await openMoney(context, store, options.upstreamWallet)
  const calls = createCalls({ database: store.database, ledger: money.ledger })
  const commandJobs = openCommandJobs(context, store, money)
  const reading = await openReading(context, store)
  const files = await openFiles(context, store, reading)
  const films = await openFilms(context, store)
  const browsers = await openBrowsers(context, { store, money, reading, files })
  const compute = await openCompute(context, store, money, reading)
  const prepaid = openPrepaid(context, store)
  const repositories = await openRepositories(context, store)
  const mail = await openMail(context, store, files)
  const siteIndex = openSiteIndex(context, store, reading)
  const rooms = [films, compute, browsers, mail]
  const sold = await openCatalog(context, {
    store,
    calls,
    commandJobs,
    money,
    reading,
    files,
    privateProviders,
    rooms: [...rooms, repositories],
    browserMinutes: browsers.minutes,
    prepaid,
    siteIndex,
  })
  watchVendor(browsers, sold.catalog)
  watchPrepaid(context, { prepaid, minutes: browsers.minutes }, sold.catalog)
  const parts = {
    store,
    money,
    calls,
    reading,
    files,
    rooms: [...rooms, prepaid, sold.people],
    commandJobs,
    compute,
    browsers,
    mail,
    repositories,
    ...sold,
  }
  const running = await openRunner(context, parts)
  const { listen, ...doors } = await openDoors(context, { ...parts, running })

  return {
    accounts: store.accounts,
    keys: store.keys,
    signIns: store.signIns,
    ledger: money.ledger,
    rails: money.rails,
    catalog: sold.catalog,
    runner: running.runner,
    ...doors,
    /** Starts listening. Resolves to the base URL. */
    async listen(): Promise<string> {
      const address = await listen()
      baseUrl ||= address
      return baseUrl
    },
    /** Lets running calls end, then closes every part, the last opened first. */
    async close() {
      for (const close of closers.splice(0)) await close()
    },
  }
}

function userAgent({ OPERATOR_CONTACT: contact }: Config): string {
  const { version } = packageJson
  return contact === undefined ? `Tollway/${version}` : `Tollway/${version} (${contact})`
}
