// /api/v1/admin: the operator's routes.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import type { Operators } from '#accounts/operators/operators.ts'
import { includes } from '#accounts/operators/role.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import { fail } from '#core/errors.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Misfits } from '#runner/execute/misfits.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { addRoute, operatorsOnly } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { anyObject } from '../../doors/shapes.ts'
import { bearerToken } from '../admission.ts'
import { methods } from '../methods.ts'
import type { ReadPolicy } from '../routes/key-policy.ts'
import type { SavedPlanDependencies } from '../routes/saved-plans.ts'
import type { StatementDependencies } from '../routes/statements/statements.ts'
import { nothingHere } from '../server.ts'
import { isOfEarlierSignIn, readProvenCookie, signInChanged } from '../sign-in/cookie.ts'
import type { OperatorCheck } from '../sign-in/operator-check.ts'
import { addAdminAccountRoutes } from './accounts.ts'
import { addBackupRoutes, type BackupRoutesDependencies } from './backups.ts'
import { addAdminBooksRoutes } from './books.ts'
import { type AdminBrowsers, addAdminBrowserRoutes } from './browsers.ts'
import { addCanaryRoutes, type CanaryRoutesDependencies } from './canaries.ts'
import { addAdminCatalogRoutes, type CatalogRoutesDependencies } from './catalog.ts'
import { addCostRoutes, type CostRoutesDependencies } from './economics/costs.ts'
import { addMarginRoutes, type MarginRoutesDependencies } from './economics/margins.ts'
import { addPriceGroupRoutes, type PriceGroupDependencies } from './economics/price-groups.ts'
import { addAdminFileRoutes, type FileQuotas } from './files.ts'
import { addLedgerRoutes } from './ledger.ts'
import { type AdminMail, addAdminMailRoutes } from './mail.ts'
import { addMetricsRoute, type ShownMetrics } from './metrics.ts'
import { addMisfitRoutes } from './misfits.ts'
import { addModelRouteList, type ModelRouteDependencies } from './model-routes.ts'
import { addAuditRoute, createOperations, type OperationsDependencies } from './operations.ts'
import { addOperatorRoutes } from './operators.ts'
import {
  addPaymentSessionRoutes,
  type PaymentSessionDependencies,
} from './payments/payment-sessions.ts'
import { addAdminPaymentRoutes, type PaymentRoutesDependencies } from './payments/payments.ts'
import { addPriceOverrideRoutes, type PriceRoutesDependencies } from './price-overrides.ts'
import { addProviderKeyRoutes, type ProviderKeyRoutesDependencies } from './provider-keys.ts'
import { addPublishedPlanRoutes } from './published-plans.ts'
import { addAdminSessionRoutes } from './sessions.ts'
import { addSignInLinkRoute } from './sign-in-links.ts'
import { addSoldApiRoutes, type SoldApiRoutesDependencies } from './sold-apis.ts'
import { addAdminStatementRoutes } from './statements.ts'

interface Dependencies
  extends CatalogRoutesDependencies,
    Pick<ModelRouteDependencies, 'measures'>,
    PaymentRoutesDependencies,
    PaymentSessionDependencies,
    PriceRoutesDependencies,
    PriceGroupDependencies,
    CostRoutesDependencies,
    MarginRoutesDependencies,
    StatementDependencies,
    ProviderKeyRoutesDependencies,
    CanaryRoutesDependencies,
    SoldApiRoutesDependencies,
    BackupRoutesDependencies,
    SavedPlanDependencies,
    OperationsDependencies {
  operatorCheck: OperatorCheck
  operators: Operators
  signIns: SignIns
  baseUrl: () => string
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  readPolicy: ReadPolicy
  confirmAboveCents: number
  misfits: Misfits
  sessions: Sessions
  quotas: FileQuotas
  browsers: AdminBrowsers
  mail: AdminMail
  health: () => Promise<object>
  metrics: ShownMetrics | undefined
  /** The description of these routes. */
  openApi: () => object
}

export const readGatewayHealth = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/health`,
  who: 'operator',
  summary: 'The health of this gateway.',
  answer: anyObject,
})
export const describeOperatorRoutes = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/openapi.json`,
  who: 'operator',
  summary: 'This document.',
  answer: anyObject,
})

export function addAdminRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { misfits, health, openApi } = dependencies

  server.register(async (admin) => {
    admin.addHook('onRoute', (route) => {
      route.config = { ...route.config, operator: true }
    })
    admin.addHook('preParsing', async (request) => requireOperator(request, dependencies))
    admin.decorate(operatorsOnly, true)
    const parts = { ...dependencies, operations: createOperations(dependencies) }
    addAdminAccountRoutes(admin, parts)
    addAdminFileRoutes(admin, parts)
    addAdminBrowserRoutes(admin, parts)
    addAdminMailRoutes(admin, dependencies)
    addAdminBooksRoutes(admin, dependencies)
    addAdminStatementRoutes(admin, dependencies)
    addAdminPaymentRoutes(admin, parts)
    addPaymentSessionRoutes(admin, parts)
    addAdminCatalogRoutes(admin, parts)
    addModelRouteList(admin, parts)
    addPriceOverrideRoutes(admin, parts)
    addPriceGroupRoutes(admin, parts)
    addCostRoutes(admin, parts)
    addMarginRoutes(admin, parts)
    addSoldApiRoutes(admin, parts)
    addPublishedPlanRoutes(admin, parts)
    addProviderKeyRoutes(admin, parts)
    addCanaryRoutes(admin, parts)
    addAdminSessionRoutes(admin, parts)
    addMisfitRoutes(admin, misfits)
    addSignInLinkRoute(admin, parts)
    addOperatorRoutes(admin, parts)
    addAuditRoute(admin, dependencies)
    addLedgerRoutes(admin, parts)
    addBackupRoutes(admin, parts)
    addMetricsRoute(admin, parts)
    addRoute(admin, readGatewayHealth, health)
    addRoute(admin, describeOperatorRoutes, openApi)
    // An unknown address asks for the token first: only the operator learns that it is unknown.
    for (const url of [operatorPrefix, `${operatorPrefix}/*`]) {
      admin.route({ url, method: [...methods], handler: nothingHere })
    }
  })
}

/** Throws `invalid_token` for a request of others, and `forbidden` where the role of the operator is too low. */
async function requireOperator(
  request: FastifyRequest,
  { operatorCheck }: Pick<Dependencies, 'operatorCheck'>,
) {
  const token = bearerToken(request)
  const cookie = token === undefined ? readProvenCookie(request) : undefined
  const operator = await operatorCheck.find({ token, cookie })
  if (operator === undefined && isOfEarlierSignIn(request)) throw signInChanged()
  if (operator === undefined)
    throw fail('invalid_token', {
      message: 'This address requires ADMIN_TOKEN or the token of an operator as bearer token.',
    })
  request.operator = operator
  const { role: least = request.method === 'GET' ? 'viewer' : 'owner' } =
    request.routeOptions.config
  if (!includes(operator.role, least))
    throw fail('forbidden', {
      message: `You operate this gateway as ${operator.role}. This needs the role ${least}: ask an owner to do it, or to change your role.`,
    })
}
