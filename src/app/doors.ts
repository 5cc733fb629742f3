// The HTTP server with all its routes.
import type { FastifyInstance } from 'fastify'
import { createAuthentication } from '#accounts/keys/authentication.ts'
import { createMailedLinks } from '#accounts/sign-in/mailed-links.ts'
import type { Service } from '#core/catalog.ts'
import type { MediaModels } from '#core/media-model.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { VendorQuotas } from '#core/provider.ts'
import type { Speech } from '#core/speech.ts'
import type { People } from '#features/knowledge/people/people.ts'
import type { SavedPlans } from '#features/knowledge/plans/saved/saved-plans.ts'
import type { Compute } from '#features/machines/compute/compute.ts'
import type { Repositories } from '#features/machines/repositories/repositories.ts'
import type { Files } from '#features/storage/files/files.ts'
import type { Mail } from '#features/storage/mail/mail.ts'
import type { Neighbours } from '#platform/neighbours/neighbours.ts'
import { inRequest } from '#platform/request-context.ts'
import type { Calls } from '#runner/history/calls.ts'
import { createJobList } from '#runner/history/job-list.ts'
import { createJobPoll } from '#runner/history/result.ts'
import type { GroupPrices } from '#runner/pricing/group-prices.ts'
import type { PriceOverrides } from '#runner/pricing/price-overrides.ts'
import type { Canaries } from '#runner/providers/canaries/canaries.ts'
import { createMeter } from '#runner/run/meter.ts'
import { observeMeter } from '#runner/run/observed-meter.ts'
import { readBuiltConsole } from '#surfaces/console/built.ts'
import { addConsoleRoutes } from '#surfaces/console/console.ts'
import { withPluginPages } from '#surfaces/console/plugin-pages.ts'
import { createDocumentSearch } from '#surfaces/docs/document-search.ts'
import { createReferencePages } from '#surfaces/docs/reference-pages.ts'
import { addSiteRoutes } from '#surfaces/docs/site/site-routes.ts'
import { createOwnerCheck } from '#surfaces/doors/owner.ts'
import type { ReadJobStatus } from '#surfaces/doors/reading.ts'
import { completeMethods } from '#surfaces/http/methods.ts'
import { createBearerChallenge } from '#surfaces/http/oauth/challenge.ts'
import { createOperatorDoor } from '#surfaces/http/operator-door.ts'
import { callersDoor } from '#surfaces/http/passing.ts'
import { addBrowserRoutes } from '#surfaces/http/routes/browsers.ts'
import { addFileRoutes } from '#surfaces/http/routes/files.ts'
import { addGitRoutes } from '#surfaces/http/routes/git.ts'
import { addJobRoutes, createJobStatus, createJobWake } from '#surfaces/http/routes/jobs.ts'
import { addLlmRoutes } from '#surfaces/http/routes/llm.ts'
import { addMediaCatalogRoute } from '#surfaces/http/routes/media-catalog.ts'
import { addResponsesRoutes } from '#surfaces/http/routes/models/responses.ts'
import { addPersonRoutes } from '#surfaces/http/routes/people.ts'
import { addPluginRoutes } from '#surfaces/http/routes/plugins.ts'
import { addPublicRoutes } from '#surfaces/http/routes/public.ts'
import { addReadRoute } from '#surfaces/http/routes/read.ts'
import { addRunRoutes } from '#surfaces/http/routes/run.ts'
import { addSessionRoutes } from '#surfaces/http/routes/sessions.ts'
import { addSoldEndpointRoutes } from '#surfaces/http/routes/sold-endpoints.ts'
import { connectionsWaitingMax, createServer } from '#surfaces/http/server.ts'
import { createHeldSignIns } from '#surfaces/http/sign-in/held.ts'
import { createOperatorCheck } from '#surfaces/http/sign-in/operator-check.ts'
import { createSignInView } from '#surfaces/http/sign-in/page.ts'
import { describeOpenApi } from '#surfaces/openapi/document.ts'
import { publicRoutes } from '#surfaces/openapi/routes.ts'
import type { BackupRoom } from './backups/backups.ts'
import { addBookRoutes, readPolicyOf } from './books.ts'
import type { BrowserRoom } from './browsers.ts'
import type { AppContext } from './context.ts'
import { fileStoreOf } from './files.ts'
import { addModelDoors } from './models.ts'
import type { Money } from './money.ts'
import type { OpenPlugins } from './plugins.ts'
import type { ReadingRoom } from './reading.ts'
import type { ResponsesRoom } from './responses.ts'
import type { Running } from './runner.ts'
import type { Selling } from './selling/selling.ts'
import { addOAuth, addPeopleRoutes, oauthScopeOf } from './sign-in.ts'
import type { Store } from './store.ts'
import { listenForMetrics } from './telemetry.ts'

export interface DoorParts {
  store: Store
  money: Money
  neighbours: Neighbours
  backups: BackupRoom
  reading: ReadingRoom
  files: Files
  compute: Compute
  repositories: Repositories
  responses: ResponsesRoom
  browsers: BrowserRoom
  mail: Mail
  calls: Calls
  catalog: PricedCatalog
  prices: PriceOverrides
  groupPrices: GroupPrices
  vendorQuotas: VendorQuotas
  ownService: Service
  selling: Selling
  canaries: Canaries
  savedPlans: SavedPlans
  followOffers: () => Promise<void>
  mediaModels: MediaModels
  speech: Speech
  people: People
  running: Running
  plugins: OpenPlugins
}

export async function openDoors(context: AppContext, parts: DoorParts) {
  const { config, log, requestLog, baseUrl, onClose } = context
  const { store, reading, catalog, neighbours } = parts
  const { adminToken } = store
  const operatorDoor = createOperatorDoor({ port: config.ADMIN_PORT, host: config.ADMIN_HOST })
  const authenticate = createAuthentication({ database: store.database, log })
  const operatorCheck = createOperatorCheck(store)
  const server = createServer({
    authenticate,
    signIns: store.signIns,
    access: store.access,
    operatorCheck,
    mayOperate: operatorDoor.mayOperate,
    siteOf: (request) => operatorDoor.urlOf(request) ?? baseUrl(),
    isApart: (request) => operatorDoor.urlOf(request) !== undefined,
    bearerChallenge: createBearerChallenge({ baseUrl, scope: oauthScopeOf(config) }),
    followPrices: parts.prices.follow,
    neighbours: { ...neighbours, ...neighbours.passing },
    log: requestLog,
    telemetry: context.telemetry,
    rails: context.rails,
    inRequest,
    counters: store.shared.counters,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
  })
  server.decorate('requireOwner', createOwnerCheck(server, parts.running.keyless))
  const methods = completeMethods(server)
  const mailedLinks = createMailedLinks({ ...store, send: parts.mail.sendNotice, baseUrl, log })
  onClose(mailedLinks.close)
  const held = createHeldSignIns(store.signIns)
  const showSignIn = createSignInView({
    ...store,
    mailedLinks,
    held,
    mayOperate: operatorDoor.mayOperate,
  })
  await addOAuth(server, context, {
    ...parts,
    authenticate,
    held,
    showSignIn,
    readPolicy: readPolicyOf(context, catalog, reading),
  })
  const rails = () => parts.running.keyless.rails
  const { guide } = reading
  const reference = createReferencePages({ catalog, baseUrl, rails, guide, routes: publicRoutes })
  const documents = {
    guide,
    reference,
    search: createDocumentSearch({ catalog, guide, reference }),
  }
  addSiteRoutes(server, documents)
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
    held,
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
  const { navigation } = reference
  addBookRoutes(server, context, {
    ...parts,
    operatorCheck,
    operatorUrl,
    readStatus,
    navigation,
  })
  methods.finish()
  onClose(() => server.close())
  onClose(operatorDoor.close)
  return {
    async listen(): Promise<string> {
      const { PORT: port, HOST: host } = config
      store.database.grow()
      const address = await server.listen({ port, host, backlog: connectionsWaitingMax })
      await operatorDoor.listen(server)
      await listenForMetrics(context)
      await neighbours.listen(callersDoor(server))
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
  parts: DoorParts & { readStatus: ReadJobStatus },
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
  addSoldEndpointRoutes(server, { catalog, runner: running.runner })
  addReadRoute(server, { runner: running.runner, ownNamespace: config.OWN_NS })
  addJobRoutes(server, {
    readStatus: parts.readStatus,
    wake: createJobWake({ jobs: running.jobs, signer: store.signer }),
    jobs: createJobList({ ...store, catalog }),
  })
  const mayUseLeases = config.INFERENCE_DURABLE === 'off'
  const meter = observeMeter(
    createMeter({
      ledger,
      calls,
      rules: parts.plugins.rules,
      keyRates: running.keyRates,
      clock,
      mayUseLeases,
      submitJob: (hold, input) => running.jobs.submit(parts.responses.job, hold, input),
    }),
    context.telemetry,
  )
  const chat = reading.llm.createChat(meter)
  addModelDoors(server, context, { ...parts, meter })
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
  addBrowserRoutes(server, { ...parts.browsers, access, connect: parts.neighbours.passing.connect })
  addLlmRoutes(server, {
    ...reading.llm,
    chat,
    messages: parts.responses.openMessages(chat),
    measures: reading.llm,
    ownNamespace: config.OWN_NS,
    keyless: running.keyless,
  })
  addResponsesRoutes(server, {
    responses: parts.responses.open(chat),
    models: reading.llm.models,
    keyless: running.keyless,
  })
}
