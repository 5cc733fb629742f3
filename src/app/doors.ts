// The HTTP server with all its routes.
import type { FastifyInstance } from 'fastify'
import { type Authenticate, createAuthentication } from '#accounts/keys/authentication.ts'
import { createMailedLinks, type MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import type { Service } from '#core/catalog.ts'
import type { MediaModels } from '#core/media-model.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { VendorQuotas } from '#core/provider.ts'
import type { People } from '#features/knowledge/people/people.ts'
import type { Compute } from '#features/machines/compute/compute.ts'
import type { Repositories } from '#features/machines/repositories/repositories.ts'
import type { Files } from '#features/storage/files/files.ts'
import type { Mail } from '#features/storage/mail/mail.ts'
import { inRequest } from '#platform/request-context.ts'
import { readOrCreateSecret } from '#platform/secret-file.ts'
import type { Calls } from '#runner/history/calls.ts'
import { createHealthReport } from '#runner/history/health.ts'
import { createJobList } from '#runner/history/job-list.ts'
import { createOperatorActions } from '#runner/history/operator-actions.ts'
import { createJobPoll } from '#runner/history/result.ts'
import { createStatement } from '#runner/history/statement.ts'
import { createUsageSums } from '#runner/history/usage.ts'
import type { PriceOverrides } from '#runner/pricing/price-overrides.ts'
import { createMeter } from '#runner/run/meter.ts'
import { readBuiltConsole } from '#surfaces/console/built.ts'
import { addConsoleRoutes } from '#surfaces/console/console.ts'
import { withPluginPages } from '#surfaces/console/plugin-pages.ts'
import { createReferencePages } from '#surfaces/docs/reference-pages.ts'
import { addViewerRoutes } from '#surfaces/docs/viewer.ts'
import { createOwnerCheck } from '#surfaces/doors/owner.ts'
import type { ReadJobStatus } from '#surfaces/doors/reading.ts'
import { addAdminRoutes } from '#surfaces/http/admin/admin.ts'
import { showPressure } from '#surfaces/http/admin/sessions.ts'
import { completeMethods } from '#surfaces/http/methods.ts'
import { createBearerChallenge } from '#surfaces/http/oauth/challenge.ts'
import { createOperatorDoor, type OperatorDoor } from '#surfaces/http/operator-door.ts'
import { addAccountRoutes, createAccountDescription } from '#surfaces/http/routes/account.ts'
import { addBrowserRoutes } from '#surfaces/http/routes/browsers.ts'
import { addFileRoutes } from '#surfaces/http/routes/files.ts'
import { addGitRoutes } from '#surfaces/http/routes/git.ts'
import { addHealthRoute } from '#surfaces/http/routes/health.ts'
import { addJobRoutes, createJobStatus, createJobWake } from '#surfaces/http/routes/jobs.ts'
import { createPolicyReader } from '#surfaces/http/routes/key-policy.ts'
import { addKeyRoutes } from '#surfaces/http/routes/keys.ts'
import { addLlmRoutes } from '#surfaces/http/routes/llm.ts'
import { addMailedLinkRoutes } from '#surfaces/http/routes/mailed-links.ts'
import { addMediaCatalogRoute } from '#surfaces/http/routes/media-catalog.ts'
import { addPasskeyRoutes } from '#surfaces/http/routes/passkeys.ts'
import { addPersonRoutes } from '#surfaces/http/routes/people.ts'
import { addPluginRoutes } from '#surfaces/http/routes/plugins.ts'
import { addPublicRoutes } from '#surfaces/http/routes/public.ts'
import { addReadRoute } from '#surfaces/http/routes/read.ts'
import { addRunRoutes } from '#surfaces/http/routes/run.ts'
import { addSessionRoutes } from '#surfaces/http/routes/sessions.ts'
import { addSignInRoutes } from '#surfaces/http/routes/sign-in.ts'
import { addSignInMethodsPage } from '#surfaces/http/routes/sign-in-methods.ts'
import { addSignUpRoutes } from '#surfaces/http/routes/sign-up.ts'
import { addTopUpRoutes } from '#surfaces/http/routes/top-ups.ts'
import { addUsageRoutes } from '#surfaces/http/routes/usage.ts'
import { connectionsWaitingMax, createServer } from '#surfaces/http/server.ts'
import { createSignInDesk } from '#surfaces/http/sign-in/credentials.ts'
import { createSignInView, type ShowSignIn } from '#surfaces/http/sign-in/page.ts'
import { addMcpRoute } from '#surfaces/mcp/door.ts'
import { describeOpenApi, describeOperatorApi } from '#surfaces/openapi/document.ts'
import type { BrowserRoom } from './browsers.ts'
import type { AppContext } from './context.ts'
import { fileStoreOf } from './files.ts'
import type { Money } from './money.ts'
import { addOAuth, oauthScopeOf } from './oauth.ts'
import type { OpenPlugins } from './plugins.ts'
import type { ReadingRoom } from './reading.ts'
import type { Running } from './runner.ts'
import type { Store } from './store.ts'

interface Parts {
  store: Store
  money: Money
  reading: ReadingRoom
  files: Files
  compute: Compute
  repositories: Repositories
  browsers: BrowserRoom
  mail: Mail
  calls: Calls
  catalog: PricedCatalog
  prices: PriceOverrides
  vendorQuotas: VendorQuotas
  ownService: Service
  mediaModels: MediaModels
  people: People
  running: Running
  plugins: OpenPlugins
}

export async function openDoors(context: AppContext, parts: Parts) {
  const { config, log, requestLog, baseUrl, onClose } = context
  const { store, reading, catalog } = parts
  const adminToken =
    config.ADMIN_TOKEN ?? (await readOrCreateSecret(store.secretFile('admin-token')))
  const operatorDoor = createOperatorDoor({ port: config.ADMIN_PORT, host: config.ADMIN_HOST })
  const authenticate = createAuthentication({ database: store.database, log })
  const server = createServer({
    authenticate,
    signIns: store.signIns,
    access: store.access,
    adminToken,
    mayOperate: operatorDoor.mayOperate,
    siteOf: (request) => operatorDoor.urlOf(request) ?? baseUrl(),
    bearerChallenge: createBearerChallenge({ baseUrl, scope: oauthScopeOf(config) }),
    followPrices: parts.prices.follow,
    log: requestLog,
    rails: context.rails,
    inRequest,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
  })
  server.decorate('requireOwner', createOwnerCheck(server, parts.running.keyless))
  const methods = completeMethods(server)
  const mailedLinks = createMailedLinks({ ...store, send: parts.mail.sendNotice, baseUrl, log })
  onClose(mailedLinks.close)
  const showSignIn = createSignInView({ ...store, mailedLinks })
  await addOAuth(server, context, {
    ...parts,
    authenticate,
    showSignIn,
    readPolicy: createPolicyReader(catalog),
  })
  const rails = () => parts.running.keyless.rails
  const reference = createReferencePages({ catalog, baseUrl, rails })
  const documents = { guide: reading.guide, reference }
  addViewerRoutes(server)
  addPublicRoutes(server, { catalog, ...documents, ready: store.ready, baseUrl })
  addMediaCatalogRoute(server, { catalog, models: parts.mediaModels })
  const poll = createJobPoll({
    calls: parts.calls,
    payments: parts.money.payments,
    clock: context.clock,
  })
  const readStatus = createJobStatus({ poll, signer: store.signer })
  const operatorUrl = () => operatorDoor.url() ?? baseUrl()
  const hasConsole = await addConsole(server, context, parts.plugins)
  addPluginRoutes(server, parts.plugins.routes)
  addCallRoutes(server, context, { ...parts, readStatus })
  addPeopleRoutes(server, context, {
    store,
    adminToken,
    authenticate,
    mailedLinks,
    showSignIn,
    operatorUrl,
    mayOperate: operatorDoor.mayOperate,
    startPath: hasConsole ? '/console' : '/',
  })
  addPersonRoutes(server, {
    rights: parts.people.rights,
    attempts: store.attempts,
    send: parts.mail.sendNotice,
    baseUrl,
  })
  addBookRoutes(server, context, { ...parts, adminToken, operatorUrl, readStatus })
  methods.finish()
  onClose(() => server.close())
  onClose(operatorDoor.close)
  return {
    async listen(): Promise<string> {
      const { PORT: port, HOST: host } = config
      const address = await server.listen({ port, host, backlog: connectionsWaitingMax })
      await operatorDoor.listen(server)
      return address
    },
    /** Where the second listener answers the operator, once it listens. */
    operatorUrl: operatorDoor.url,
    routes: methods.routes,
    adminToken,
  }
}

async function addConsole(
  server: FastifyInstance,
  { config, consoleFolder }: AppContext,
  { pages }: OpenPlugins,
) {
  const built = consoleFolder === undefined ? undefined : await readBuiltConsole(consoleFolder)
  const whole = built && (await withPluginPages(built, pages))
  addConsoleRoutes(server, { built: whole, fileStore: fileStoreOf(config) })
  return built !== undefined
}

/** The routes that run something. */
function addCallRoutes(
  server: FastifyInstance,
  context: AppContext,
  parts: Parts & { readStatus: ReadJobStatus },
) {
  const { config, clock, baseUrl, version } = context
  const { store, money, reading, files, calls, catalog, running } = parts
  const { ledger } = money
  const { access } = store
  addRunRoutes(server, {
    catalog,
    runner: running.runner,
    keyless: running.keyless,
    openApi: (rails) =>
      describeOpenApi({
        catalog,
        version,
        rails,
        baseUrl: baseUrl(),
        contact: config.OPERATOR_CONTACT,
      }),
  })
  addReadRoute(server, { runner: running.runner, ownNamespace: config.OWN_NS })
  addJobRoutes(server, {
    readStatus: parts.readStatus,
    wake: createJobWake({ jobs: running.jobs, signer: store.signer }),
    jobs: createJobList({ ...store, catalog }),
  })
  const mayUseLeases = config.INFERENCE_DURABLE === 'off'
  const chat = reading.llm.createChat(
    createMeter({ ledger, calls, rules: parts.plugins.rules, clock, mayUseLeases }),
  )
  addFileRoutes(server, { ...files, access })
  addSessionRoutes(server, {
    ...running,
    filesOf: files.ofCaller,
  })
  addGitRoutes(server, {
    ...parts.repositories,
    access,
    repositoryBytesMax: config.REPOSITORY_MB_MAX * 1_000_000,
  })
  addBrowserRoutes(server, { ...parts.browsers, access })
  addLlmRoutes(server, { chat, models: reading.llm.models, ownNamespace: config.OWN_NS })
}

/** The routes by which people sign in with a browser. */
function addPeopleRoutes(
  server: FastifyInstance,
  { config }: AppContext,
  parts: {
    store: Store
    adminToken: string
    authenticate: Authenticate
    mailedLinks: MailedLinks
    showSignIn: ShowSignIn
    operatorUrl: () => string
    mayOperate: OperatorDoor['mayOperate']
    startPath: string
  },
) {
  const { store, ...doors } = parts
  const desk = createSignInDesk({ ...store, ...doors })
  const fileStore = fileStoreOf(config)
  addSignInRoutes(server, { ...store, ...doors, desk, fileStore })
  addPasskeyRoutes(server, store)
  addMailedLinkRoutes(server, { ...store, ...doors })
  addSignInMethodsPage(server, { ...store, ...doors })
}

/** The routes that show or change accounts, keys and balances. */
function addBookRoutes(
  server: FastifyInstance,
  { config, version, clock, baseUrl, log, requestLog, onClose }: AppContext,
  parts: Parts & { adminToken: string; operatorUrl: () => string; readStatus: ReadJobStatus },
) {
  const { store, money, reading, calls, catalog, running, operatorUrl } = parts
  const { database, accounts, keys, signIns, ready } = store
  const { ledger, rails, refunds, treasury } = money
  const { keyless, once, purchases, misfits, sessions } = running
  const statement = createStatement({ database, ledger })
  const usage = createUsageSums({ database, ledger, log })
  onClose(usage.close)
  const readPolicy = createPolicyReader(catalog)
  const books = { accounts, keys, ledger, calls, statement, once, readPolicy }
  addKeyRoutes(server, books)
  const limits = {
    requests_per_minute: config.RATE_LIMIT_PER_MINUTE,
    calls_in_flight: config.CALLS_IN_FLIGHT_MAX,
  }
  const describeAccount = createAccountDescription({
    ...books,
    registry: running.registry,
    limits,
    jobs: createJobList({ ...store, catalog }),
  })
  addAccountRoutes(server, { ...books, describeAccount, payments: money.payments })
  addMcpRoute(server, {
    ...running,
    catalog,
    describeAccount,
    version,
    baseUrl,
    rails: rails.known,
    filesOf: parts.files.ofCaller,
    readStatus: parts.readStatus,
    guide: reading.guide,
    ownNamespace: config.OWN_NS,
    log: requestLog,
  })
  addUsageRoutes(server, { usage })
  const report = createHealthReport({ catalog, usage, clock })
  addHealthRoute(server, { report })
  addSignUpRoutes(server, {
    ...books,
    baseUrl,
    signupsPerHour: config.SIGNUPS_PER_HOUR,
    creditCents: config.SIGNUP_CREDIT_CENTS,
  })
  addTopUpRoutes(server, { accounts, keyless, service: parts.ownService })
  addAdminRoutes(server, {
    ...books,
    catalog,
    rails,
    refunds,
    treasury,
    purchases,
    misfits,
    sessions,
    usage,
    report,
    adminToken: parts.adminToken,
    signIns,
    payments: money.payments,
    baseUrl: operatorUrl,
    openApi: () => describeOperatorApi({ version, baseUrl: operatorUrl() }),
    operatorActions: createOperatorActions({ database, clock }),
    quotas: parts.files.quotas,
    browsers: parts.browsers,
    mail: parts.mail,
    models: reading.llm.models,
    prices: parts.prices,
    vendorQuotas: parts.vendorQuotas,
    readingMemory: reading.memory,
    health: async () => ({
      ok: await ready(),
      version,
      chromium: await reading.renderers.shell.availability(),
      browsers: parts.browsers.health(),
      sessions: showPressure(await sessions.pressure()),
      boxes: await parts.compute.health(),
    }),
  })
}
