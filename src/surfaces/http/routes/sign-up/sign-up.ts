// Accounts without a human: an agent signs itself up.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ClientBase } from 'pg'
import type { Accounts } from '#accounts/accounts.ts'
import type { AttemptCounter, AttemptLimit } from '#accounts/attempts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Once } from '#runner/once.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../../doors/input.ts'
import { sourceOf } from '../../../doors/rate-limit.ts'
import { defineRoute } from '../../../doors/route.ts'
import { object, text } from '../../../doors/shapes.ts'
import { answerOnce } from '../once.ts'

const hourSeconds = 3_600
const idempotencyKeyCharactersMin = 16
const agent = z.strictObject({ name: z.string().max(100).optional() })

export const signUp = defineRoute({
  method: 'post',
  path: '/api/v1/agents',
  summary: 'Open an account. Only this answer has its API key.',
  body: agent,
  once: true,
  status: 201,
  answer: object({ account_id: text, api_key: text, claim_url: text }),
  errors: ['bad_request', 'forbidden'],
})
export function addSignUpRoutes(
  server: FastifyInstance,
  dependencies: {
    accounts: Accounts
    attempts: AttemptCounter
    keys: Keys
    ledger: Ledger
    once: Once
    signupsPerHour: number
    creditCents: number
    baseUrl: () => string
  },
) {
  const { accounts, attempts, keys, ledger, once, signupsPerHour, creditCents, baseUrl } =
    dependencies
  const perSource: AttemptLimit = {
    name: 'sign-ups of a source',
    attemptsMax: signupsPerHour,
    windowSeconds: hourSeconds,
    message: `At most ${signupsPerHour} sign-ups an hour come from one address.`,
  }

  async function admit(address: string, reply: FastifyReply, client: ClientBase) {
    if (signupsPerHour === 0) {
      throw fail('forbidden', {
        message: 'Sign-up is closed on this gateway. Ask its operator for an API key.',
      })
    }
    await attempts.count(perSource, sourceOf(address), client).catch((refusal: unknown) => {
      reply.header('ratelimit-policy', `${signupsPerHour};w=${hourSeconds}`)
      throw refusal
    })
  }

  addRoute(server, signUp, async ({ request, body: { name } }, reply) => {
    refuseGuessable(idempotencyKeyOf(request))
    return await answerOnce({ once, sender: 'sign-up' }, request, reply, async (client) => {
      await admit(request.ip, reply, client)
      const { accountId, claimToken } = await accounts.create({ name }, client)
      if (creditCents > 0)
        await ledger.credit(accountId, centsToMicros(creditCents), 'Sign-up credit', client)
      const { secret } = await keys.create({ accountId }, {}, client)
      return {
        account_id: accountId,
        api_key: secret,
        claim_url: `${baseUrl()}/claim/${claimToken}`,
      }
    })
  })
}

/**
 * An agent has no credential yet, so a repetition with the same Idempotency-Key alone returns the answer and its API
 * key.
 */
function refuseGuessable(idempotencyKey: string | undefined) {
  if (idempotencyKey === undefined || idempotencyKey.length >= idempotencyKeyCharactersMin) return
  throw fail('bad_request', {
    message: `For a sign-up, Idempotency-Key must have at least ${idempotencyKeyCharactersMin} characters that cannot be guessed, a UUID for example: its answer carries an API key.`,
  })
}
