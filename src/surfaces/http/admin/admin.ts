// /api/v1/admin: the operator's routes, behind ADMIN_TOKEN.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { fail } from '#core/errors.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Misfits } from '#runner/execute/misfits.ts'
import type { Revenue } from '#runner/history/revenue.ts'
import type { Once } from '#runner/once.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { bearerToken } from '../admission.ts'
import { methods } from '../methods.ts'
import { nothingHere } from '../server.ts'
import { addAdminAccountRoutes } from './accounts.ts'
import { addAdminBooksRoutes } from './books.ts'
import { type AdminBrowsers, addAdminBrowserRoutes } from './browsers.ts'
import { addAdminCatalogRoutes, type CatalogRoutesDependencies } from './catalog.ts'
import { addAdminFileRoutes, type FileQuotas } from './files.ts'
import { type AdminMail, addAdminMailRoutes } from './mail.ts'
import { addMisfitRoutes } from './misfits.ts'
import { addAdminPaymentRoutes, type PaymentRoutesDependencies } from './payments.ts'
import { addAdminSessionRoutes } from './sessions.ts'

interface Dependencies extends CatalogRoutesDependencies, PaymentRoutesDependencies {
  adminToken: string
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  once: Once
  revenue: Revenue
  misfits: Misfits
  sessions: Sessions
  quotas: FileQuotas
  browsers: AdminBrowsers
  mail: AdminMail
  health: () => Promise<object>
}

export function addAdminRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { ledger, adminToken, misfits, health } = dependencies
  const prefix = '/api/v1/admin'

  server.register(async (admin) => {
    admin.addHook('onRoute', (route) => {
      route.config = { ...route.config, operator: true }
    })
    admin.addHook('preParsing', async (request) => requireOperator(request, adminToken))
    addAdminAccountRoutes(admin, prefix, dependencies)
    addAdminFileRoutes(admin, prefix, dependencies)
    addAdminBrowserRoutes(admin, prefix, dependencies)
    addAdminMailRoutes(admin, prefix, dependencies)
    addAdminBooksRoutes(admin, prefix, dependencies)
    addAdminPaymentRoutes(admin, prefix, dependencies)
    addAdminCatalogRoutes(admin, prefix, dependencies)
    addAdminSessionRoutes(admin, prefix, dependencies)
    addMisfitRoutes(admin, prefix, misfits)
    admin.get(`${prefix}/ledger/verify`, () => ledger.verify())
    admin.get(`${prefix}/health`, health)
    // An unknown address asks for the token first: only the operator learns that it is unknown.
    for (const url of [prefix, `${prefix}/*`]) {
      admin.route({ url, method: [...methods], handler: nothingHere })
    }
  })
}

function requireOperator(request: FastifyRequest, adminToken: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(bearerToken(request) ?? ''), digest(adminToken))) {
    throw fail('invalid_token', {
      message: 'This address requires the operator’s ADMIN_TOKEN as bearer token.',
    })
  }
}
