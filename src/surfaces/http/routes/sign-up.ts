// Accounts without a human: an agent signs itself up, and a person may take the account over by its claim link.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Once } from '#runner/once.ts'
import { addRoute } from '../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { page } from '../../doors/page.ts'
import { sourceOf } from '../../doors/rate-limit.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, object, text } from '../../doors/shapes.ts'
import { answerOnce } from './once.ts'

const hourSeconds = 3_600
const idempotencyKeyCharactersMin = 16
const agent = z.strictObject({ name: z.string().max(100).optional() })
const claim = z.strictObject({ email: z.email().max(254) })

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
export const claimForm = defineRoute({
  method: 'get',
  path: '/claim/{token}',
  summary: 'A page to claim an account.',
  type: html,
  errors: ['not_found'],
})
export const claimAccount = defineRoute({
  method: 'post',
  path: '/claim/{token}',
  summary: 'Claim an account.',
  body: claim,
  answer: object({ account_id: text, owner_email: text }),
  errors: ['bad_request', 'not_found'],
})

export function addSignUpRoutes(
  server: FastifyInstance,
  dependencies: {
    accounts: Accounts
    keys: Keys
    ledger: Ledger
    once: Once
    signupsPerHour: number
    creditCents: number
    baseUrl: () => string
  },
) {
  const { accounts, keys, ledger, once, signupsPerHour, creditCents, baseUrl } = dependencies
  const perSource = new RateLimiterMemory({ points: signupsPerHour, duration: hourSeconds })

  async function admit(address: string, reply: FastifyReply) {
    if (signupsPerHour === 0) {
      throw fail('forbidden', {
        message: 'Sign-up is closed on this gateway. Ask its operator for an API key.',
      })
    }
    await perSource.consume(sourceOf(address)).catch((rejected: unknown) => {
      if (!(rejected instanceof RateLimiterRes)) throw rejected
      const retryAfterSeconds = Math.max(1, Math.ceil(rejected.msBeforeNext / 1_000))
      reply.header('ratelimit-policy', `${signupsPerHour};w=${hourSeconds}`)
      throw fail('rate_limited', {
        retryAfterSeconds,
        message: `At most ${signupsPerHour} sign-ups an hour come from one address. Try again in ${retryAfterSeconds} seconds.`,
      })
    })
  }

  addRoute(server, signUp, async ({ request, body: { name } }, reply) => {
    refuseGuessable(idempotencyKeyOf(request))
    return await answerOnce({ once, sender: 'sign-up' }, request, reply, async (client) => {
      await admit(request.ip, reply)
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

  addRoute(server, claimForm, async ({ params }, reply) => {
    const account = await accounts.findClaimable(params.token)
    if (account === undefined)
      throw fail('not_found', { message: 'This claim link was used before, or never existed.' })
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(claimPage(account.accountId))
  })

  addRoute(server, claimAccount, async ({ params, body: { email } }) => {
    const claimed = await accounts.claim(params.token, email)
    if (claimed === undefined)
      throw fail('not_found', { message: 'This claim link was used before, or never existed.' })
    return { account_id: claimed.accountId, owner_email: email }
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

function claimPage(accountId: string): string {
  return page(
    'Claim this account',
    `<p>An agent opened account <code>${accountId}</code>. Enter your e-mail address to become its owner.</p>
    <p>You then sign in with the account's API key, which the agent has. Once signed in, <a href="/sign-in/methods">add a passkey or an
      e-mail address</a>, so that you need no key again.</p>
    <form><label>E-mail <input name="email" type="email" required autocomplete="email"></label> <button>Claim</button></form>
    <p role="status"></p>
    <script type="module">
      const [form, status] = [document.querySelector('form'), document.querySelector('[role=status]')]
      form.addEventListener('submit', async (event) => {
        event.preventDefault()
        const reply = await fetch(location.href, { method: 'POST', body: JSON.stringify(Object.fromEntries(new FormData(form))) })
        const body = await reply.json()
        status.textContent = reply.ok ? 'The account is yours.' : body.message
        if (reply.ok) form.remove()
      })
    </script>`,
  )
}
