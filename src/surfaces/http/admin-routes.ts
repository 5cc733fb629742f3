// /api/v1/admin: the operator's routes, behind ADMIN_TOKEN.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys.ts'
import { z } from '#core/action.ts'
import { type Catalog, describeCatalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { centsToMicros } from '#core/money.ts'
import { describePrice } from '#core/price.ts'
import type { Memory } from '#features/reading/memory.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { readInput, showAmount } from './input.ts'
import { bearerToken } from './server.ts'

const creditCentsMax = 100_000_000

const newAccount = z.strictObject({
  name: z.string().max(100).optional(),
  balance_cents: z.int().min(0).max(creditCentsMax).default(0),
})
const newCredit = z.strictObject({
  amount_cents: z.int().min(1).max(creditCentsMax),
  reason: z.string().min(1).max(500),
})

export function addAdminRoutes(
  server: FastifyInstance,
  room: {
    adminToken: string
    accounts: Accounts
    keys: Keys
    ledger: Ledger
    catalog: Catalog
    readingMemory: Memory
    health: () => Promise<object>
  },
) {
  const { accounts, keys, ledger, catalog } = room
  const prefix = '/api/v1/admin'
  const config = { operator: true }
  const operatorOnly = async (request: FastifyRequest) => requireOperator(request, room.adminToken)

  server.register(async (admin) => {
    admin.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config }
    })
    admin.addHook('preParsing', operatorOnly)

    admin.post(`${prefix}/accounts`, async (request, reply) => {
      const wanted = readInput(newAccount, request.body)
      const { accountId } = await accounts.create({ name: wanted.name })
      if (wanted.balance_cents > 0)
        await ledger.credit(accountId, centsToMicros(wanted.balance_cents), 'Opening balance')
      const { secret } = await keys.create(accountId)
      reply.code(201).header('cache-control', 'no-store')
      return { account_id: accountId, api_key: secret }
    })

    admin.post<{ Params: { id: string } }>(`${prefix}/accounts/:id/credit`, async (request) => {
      const { amount_cents, reason } = readInput(newCredit, request.body)
      const { id } = request.params
      const available = isUuid(id)
        ? await ledger.credit(id, centsToMicros(amount_cents), reason)
        : null
      if (available === null) throw fail('not_found', { message: 'There is no such account.' })
      return { account_id: id, ...showAmount('available', available, 'down') }
    })

    admin.get(`${prefix}/ledger/verify`, () => ledger.verify())
    admin.get(`${prefix}/providers`, async () => ({ providers: describeCatalog(catalog).services }))
    admin.get(`${prefix}/prices`, async () => ({
      prices: catalog.entries.map(({ id, action }) => ({ id, ...describePrice(action.price) })),
    }))
    admin.get(`${prefix}/reading/hosts`, async () => ({ hosts: await room.readingMemory.recent() }))
    admin.get(`${prefix}/health`, room.health)
  })
}

function requireOperator(request: FastifyRequest, adminToken: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(bearerToken(request) ?? ''), digest(adminToken))) {
    throw fail('invalid_token', {
      message: 'This address takes the operator’s ADMIN_TOKEN as bearer credential.',
    })
  }
}
