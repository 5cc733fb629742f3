// The routes that show or change accounts, keys and balances, the operator's among them.
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '#core/catalog.ts'
import { namesOf } from '#features/models/llm/describe-models.ts'
import { installedFonts } from '#features/studio/films/fonts/installed.ts'
import { createCosts } from '#money/costs/costs.ts'
import { createMonthlyStatements } from '#money/ledger/monthly-statements.ts'
import { createHealthReport } from '#runner/history/health.ts'
import { createJobList } from '#runner/history/job-list.ts'
import { withKnownCosts } from '#runner/history/known-costs.ts'
import { createOperatorActions } from '#runner/history/operator-actions.ts'
import { createStatement } from '#runner/history/statement.ts'
import { createUsageSums } from '#runner/history/usage.ts'
import type { NavigationGroup } from '#surfaces/docs/site/shell.ts'
import type { ReadJobStatus } from '#surfaces/doors/reading.ts'
import { addAdminRoutes } from '#surfaces/http/admin/admin.ts'
import { showPressure } from '#surfaces/http/admin/sessions.ts'
import { addAccountRoutes, createAccountDescription } from '#surfaces/http/routes/account.ts'
import { addHealthRoute } from '#surfaces/http/routes/health.ts'
import { createPolicyReader } from '#surfaces/http/routes/key-policy.ts'
import { addKeyRoutes } from '#surfaces/http/routes/keys.ts'
import { addLlmBookRoutes } from '#surfaces/http/routes/models/books.ts'
import { addSavedPlanRoutes } from '#surfaces/http/routes/saved-plans.ts'
import { addSignUpRoutes } from '#surfaces/http/routes/sign-up/sign-up.ts'
import { addStatementRoutes } from '#surfaces/http/routes/statements/statements.ts'
import { addTransactionSums } from '#surfaces/http/routes/statements/transaction-sums.ts'
import { addStatusRoutes } from '#surfaces/http/routes/status.ts'
import { addTopUpRoutes } from '#surfaces/http/routes/top-ups.ts'
import { addUsageRoutes } from '#surfaces/http/routes/usage.ts'
import type { OperatorCheck } from '#surfaces/http/sign-in/operator-check.ts'
import { addMcpRoute } from '#surfaces/mcp/door.ts'
import { describeOperatorApi } from '#surfaces/openapi/document.ts'
import type { AppContext } from './context.ts'
import type { DoorParts } from './doors.ts'
import type { ReadingRoom } from './reading.ts'

export const readPolicyOf = (
  { config }: Pick<AppContext, 'config'>,
  catalog: Catalog,
  { llm }: Pick<ReadingRoom, 'llm'>,
) => createPolicyReader(catalog, () => namesOf(llm.models.current(), config.OWN_NS))

export function addBookRoutes(
  server: FastifyInstance,
  { config, version, clock, baseUrl, log, requestLog, metrics, onClose }: AppContext,
  parts: DoorParts & {
    operatorCheck: OperatorCheck
    operatorUrl: () => string
    readStatus: ReadJobStatus
    navigation: readonly NavigationGroup[]
  },
) {
  const { store, money, reading, calls, catalog, running, operatorUrl, navigation } = parts
  const { database, accounts, keys, signIns, ready } = store
  const { ledger, rails, refunds, treasury } = money
  const { keyless, once, purchases, misfits, sessions } = running
  const statement = createStatement({ database, ledger })
  const monthly = createMonthlyStatements({ database, ledger })
  const statements = { accounts, monthly, otherFonts: installedFonts }
  const usage = createUsageSums({ database, ledger, log })
  onClose(usage.close)
  const readPolicy = readPolicyOf({ config }, catalog, reading)
  const books = { accounts, keys, ledger, calls, statement, once, readPolicy }
  addKeyRoutes(server, books)
  addSavedPlanRoutes(server, { ...parts, once })
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
  addTransactionSums(server, books)
  addAccountRoutes(server, { ...books, describeAccount, payments: money.payments })
  addStatementRoutes(server, { ...statements, baseUrl })
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
  addLlmBookRoutes(server, {
    ...books,
    usage,
    clock,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
  })
  const report = createHealthReport({ catalog, usage, clock })
  addHealthRoute(server, { report })
  addStatusRoutes(server, { report, catalog, ready, clock, navigation })
  addSignUpRoutes(server, {
    ...books,
    attempts: store.attempts,
    baseUrl,
    signupsPerHour: config.SIGNUPS_PER_HOUR,
    creditCents: config.SIGNUP_CREDIT_CENTS,
  })
  addTopUpRoutes(server, { accounts, keyless, service: parts.ownService })
  addAdminRoutes(server, {
    ...books,
    ...statements,
    confirmAboveCents: config.CONFIRM_ABOVE_CENTS,
    catalog,
    rails,
    refunds,
    treasury,
    channels: money.channels,
    purchases,
    misfits,
    sessions,
    usage: withKnownCosts(usage, money.margins, clock),
    report,
    operatorCheck: parts.operatorCheck,
    operators: store.operators,
    signIns,
    payments: money.payments,
    baseUrl: operatorUrl,
    openApi: () => describeOperatorApi({ version, baseUrl: operatorUrl() }),
    operatorActions: createOperatorActions({ database, clock }),
    quotas: parts.files.quotas,
    browsers: parts.browsers,
    mail: parts.mail,
    models: reading.llm.models,
    measures: reading.llm,
    prices: parts.prices,
    groupPrices: parts.groupPrices,
    priceGroups: store.priceGroups,
    costs: createCosts({ database, clock }),
    clock,
    margins: money.margins,
    selling: parts.selling,
    savedPlans: parts.savedPlans,
    providers: parts.selling.providers,
    canaries: parts.canaries,
    followOffers: parts.followOffers,
    vendorQuotas: parts.vendorQuotas,
    backups: parts.backups,
    metrics,
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
