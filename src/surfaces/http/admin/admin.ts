// /api/v1/admin: the operator's routes, behind ADMIN_TOKEN.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import { fail } from '#core/errors.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Misfits } from '#runner/execute/misfits.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { bearerToken } from '../admission.ts'
import { methods } from '../methods.ts'
import type { ReadPolicy } from '../routes/key-policy.ts'
import { nothingHere } from '../server.ts'
import { readProvenCookie } from '../sign-in/cookie.ts'
import { isAdminToken } from '../sign-in/credentials.ts'
import { addAdminAccountRoutes } from './accounts.ts'
import { addAdminBooksRoutes } from './books.ts'
import { type AdminBrowsers, addAdminBrowserRoutes } from './browsers.ts'
import { addAdminCatalogRoutes, type CatalogRoutesDependencies } from './catalog.ts'
import { addAdminFileRoutes, type FileQuotas } from './files.ts'
import { addLedgerRoutes } from './ledger.ts'
import { type AdminMail, addAdminMailRoutes } from './mail.ts'
import { addMisfitRoutes } from './misfits.ts'
import { addAuditRoute, createOperations, type OperationsDependencies } from './operations.ts'
import { addAdminPaymentRoutes, type PaymentRoutesDependencies } from './payments.ts'
import { addPriceOverrideRoutes, type PriceRoutesDependencies } from './price-overrides.ts'
import { addAdminSessionRoutes } from './sessions.ts'
import { addSignInLinkRoute } from './sign-in-links.ts'

interface Dependencies
  extends CatalogRoutesDependencies,
    PaymentRoutesDependencies,
    PriceRoutesDependencies,
    OperationsDependencies {
  adminToken: string
  signIns: SignIns
  baseUrl: () => string
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  readPolicy: ReadPolicy
  misfits: Misfits
  sessions: Sessions
  quotas: FileQuotas
  browsers: AdminBrowsers
  mail: AdminMail
  health: () => Promise<object>
  /** The description of these routes. */
  openApi: () => object
}

export function addAdminRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { misfits, health, openApi } = dependencies
  const prefix = '/api/v1/admin'

  server.register(async (admin) => {
    admin.addHook('onRoute', (route) => {
      route.config = { ...route.config, operator: true }
    })
    admin.addHook('preParsing', async (request) => requireOperator(request, dependencies))
    const parts = { ...dependencies, operations: createOperations(dependencies) }
    addAdminAccountRoutes(admin, prefix, parts)
    addAdminFileRoutes(admin, prefix, parts)
    addAdminBrowserRoutes(admin, prefix, parts)
    addAdminMailRoutes(admin, prefix, dependencies)
    addAdminBooksRoutes(admin, prefix, dependencies)
    addAdminPaymentRoutes(admin, prefix, parts)
    addAdminCatalogRoutes(admin, prefix, parts)
    addPriceOverrideRoutes(admin, prefix, parts)
    addAdminSessionRoutes(admin, prefix, parts)
    addMisfitRoutes(admin, prefix, misfits)
    addSignInLinkRoute(admin, prefix, parts)
    addAuditRoute(admin, prefix, dependencies)
    addLedgerRoutes(admin, prefix, parts)
    admin.get(`${prefix}/health`, health)
    admin.get(`${prefix}/openapi.json`, async () => openApi())
    // An unknown address asks for the token first: only the operator learns that it is unknown.
    for (const url of [prefix, `${prefix}/*`]) {
      admin.route({ url, method: [...methods], handler: nothingHere })
    }
  })
}

/** The operator sends ADMIN_TOKEN, or is signed in with a browser. */
async function requireOperator(
  request: FastifyRequest,
  { adminToken, signIns }: Pick<Dependencies, 'adminToken' | 'signIns'>,
) {
  if (isAdminToken(bearerToken(request) ?? '', adminToken)) return
  const cookie = readProvenCookie(request)
  if (cookie !== undefined && (await signIns.find(cookie))?.isOperator) return
  throw fail('invalid_token', {
    message: 'This address requires the operator’s ADMIN_TOKEN as bearer token.',
  })
}
