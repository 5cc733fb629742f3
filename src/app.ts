// The composition root. It opens the rooms of `app/` in order; each takes what the rooms before it have opened.
import { createCalls } from '#runner/history/calls.ts'
import packageJson from '../package.json' with { type: 'json' }
import { openBackups } from './app/backups/backups.ts'
import { openBrowsers } from './app/browsers.ts'
import { openCatalog } from './app/catalog.ts'
import { openCompute } from './app/compute.ts'
import { type AppOptions, createContext } from './app/context.ts'
import { openDoors } from './app/doors.ts'
import { openFiles } from './app/files.ts'
import { openFilms } from './app/films.ts'
import { openMail } from './app/mail.ts'
import { openMoney } from './app/money.ts'
import { openNeighbours } from './app/neighbours.ts'
import { openPlugins } from './app/plugins.ts'
import { openReading } from './app/reading.ts'
import { openRepositories } from './app/repositories.ts'
import { openResponses } from './app/responses.ts'
import { openCommandJobs, openRunner } from './app/runner.ts'
import { openCanaries } from './app/selling/canaries.ts'
import { openSelling, warnOfShortKeys } from './app/selling/selling.ts'
import { openSiteIndex } from './app/site-index.ts'
import { openStore } from './app/store.ts'
import { openMetrics, showState } from './app/telemetry.ts'
import { openVendorEndings, watchVendors } from './app/vendor-endings.ts'

export type App = Awaited<ReturnType<typeof createApp>>

export async function createApp(options: AppOptions) {
  const { closers = [] } = options
  const metrics = await openMetrics(options.config, packageJson.version)
  const context = createContext(packageJson.version, { ...options, metrics }, closers)

  const store = await openStore(context, options.onFatal)
  // Before the rails, which may be of plugins and use the tables of these.
  const plugins = await openPlugins(context, store)
  const money = await openMoney(context, store, options.upstreamWallet)
  const neighbours = await openNeighbours(context, store, money)
  const backups = openBackups(context, store, money)
  const calls = createCalls({ database: store.database, ledger: money.ledger })
  const commandJobs = openCommandJobs(context, store, money)
  const reading = await openReading(context, store)
  const files = await openFiles(context, store, reading)
  const films = await openFilms(context, store)
  const endings = openVendorEndings(context, store)
  const browsers = await openBrowsers(context, { store, money, reading, files, endings })
  const compute = await openCompute(context, store, money, reading)
  const repositories = await openRepositories(context, store, neighbours)
  const mail = await openMail(context, store, files)
  const siteIndex = openSiteIndex(context, store, reading)
  const responses = openResponses(context, { store, money, reading, calls })
  const rooms = [films, compute, browsers, mail]
  warnOfShortKeys(context)
  const selling = await openSelling(context, store)
  const sold = await openCatalog(context, {
    store,
    calls,
    commandJobs,
    money,
    reading,
    files,
    rooms: [...rooms, repositories],
    browserMinutes: browsers.minutes,
    prepaid: endings,
    siteIndex,
    selling,
  })
  const canaries = openCanaries(context, { store, money, selling, ...sold })
  watchVendors(context, { endings, browsers }, sold.catalog)
  const parts = {
    store,
    money,
    neighbours,
    backups,
    calls,
    reading,
    files,
    rooms: [...rooms, endings, sold.people, sold.savedPlans, responses, canaries],
    selling,
    commandJobs,
    compute,
    browsers,
    mail,
    repositories,
    responses,
    plugins,
    ...canaries,
    ...sold,
  }
  const running = await openRunner(context, parts)
  showState(context, { ...parts, running })
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
      return context.listensAt(await listen())
    },
    /** Lets running calls end, then closes every part, the last opened first. */
    async close() {
      for (const close of closers.splice(0)) await close()
    },
  }
}
