// POST /api/v1/topups: a wallet pays into the balance of an account. Any wallet may top up any account.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import { defineAction, z } from '#core/action.ts'
import type { CatalogEntry, Service } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import { addRoute } from '../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'

const amountCentsMin = 10
const amountCentsMax = 100_000

/**
 * A top-up is a call whose price is the amount that it adds. It is challenged, settled, receipted and repeated like
 * others.
 */
const topUp = defineAction('topups', {
  summary: 'Add to the balance of an account.',
  input: z.strictObject({
    account_id: z.uuid(),
    amount_cents: z.int().min(amountCentsMin).max(amountCentsMax),
  }),
  output: z.object({ account_id: z.string(), amount_cents: z.int() }),
  price: {
    cents: 1,
    per: ({ amount_cents }) => amount_cents,
    unit: 'cent',
    atLeast: amountCentsMin,
    atMost: amountCentsMax,
  },
  example: {
    input: { account_id: '01970000-0000-7000-8000-000000000000', amount_cents: 500 },
    cents: 500,
  },
  run: ({ input }) => input,
})

export const payIn = defineRoute({
  method: 'post',
  path: '/api/v1/topups',
  checksInput: true,
  summary: 'Pay into the balance of an account from a wallet.',
  body: topUp.input,
  once: true,
  answer: { $ref: '#/components/schemas/Envelope' },
  errors: ['bad_request', 'payment_required', 'not_found'],
})

export function addTopUpRoutes(
  server: FastifyInstance,
  dependencies: { accounts: Accounts; keyless: Keyless; service: Service },
) {
  const entry: CatalogEntry = {
    id: 'topups',
    action: topUp,
    service: dependencies.service,
    mode: 'embedded',
  }

  addRoute(server, payIn, async ({ request }, reply) => {
    if (dependencies.keyless.rails.length === 0) {
      throw fail('unavailable', {
        message: 'This gateway does not accept payments from wallets. Ask its operator for credit.',
      })
    }
    if (request.caller !== undefined) {
      throw fail('bad_request', {
        message: `Send {"account_id": "${request.caller.accountId}", "amount_cents": …} without the API key. The payment authorizes the request.`,
      })
    }
    const input = topUp.input.safeParse(request.body)
    const accountId = input.success ? (input.data as { account_id: string }).account_id : undefined
    if (accountId !== undefined && !(await dependencies.accounts.isCaller(accountId))) {
      throw fail('not_found', { message: 'There is no account with this account_id.' })
    }
    const { body, headers, replayed } = await dependencies.keyless.run({
      entry,
      path: payIn.path,
      body: request.body ?? {},
      bodyText: request.bodyText,
      idempotencyKey: readIdempotencyKey(idempotencyKeyOf(request)),
      payment: server.paymentHeaders.read(request),
      topUpAccountId: accountId,
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return reply
      .headers(headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(body)
  })
}
