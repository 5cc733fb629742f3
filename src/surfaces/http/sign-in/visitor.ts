// The person in front of a page that changes the account.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import type { AccountCaller } from '#core/caller.ts'
import { CallError, fail } from '#core/errors.ts'
import { csrfTokenOf, isCsrfToken, readCookie } from './cookie.ts'
import type { ShowSignIn } from './page.ts'

export interface Visitor {
  readonly token: string
  readonly caller: AccountCaller
  readonly accountName: string
}

interface Dependencies {
  signIns: SignIns
  authenticate: Authenticate
  accounts: Accounts
  showSignIn: ShowSignIn
}

/**
 * Finds the account of the person, who must be signed in with an unlimited key. Otherwise it resolves to undefined, and
 * the reply is sent: the page to sign in, with `refusal` where the key has limits.
 */
export function createVisitorCheck(
  { signIns, authenticate, accounts, showSignIn }: Dependencies,
  refusal: string,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Visitor | undefined> => {
    const token = readCookie(request)
    const signIn = token === undefined ? undefined : await signIns.find(token)
    const caller =
      signIn?.keyHash === undefined
        ? undefined
        : await authenticate(signIn.keyHash).catch(undefinedIfRevoked)
    if (token === undefined || caller === undefined) {
      await reply.redirect(`/sign-in?next=${encodeURIComponent(pathOf(request))}`, 303)
      return undefined
    }
    if (caller.isLimited) {
      await showSignIn(request, reply.code(403), { next: pathOf(request), problem: refusal })
      return undefined
    }
    const account = await accounts.find(caller.accountId)
    return { token, caller, accountName: account?.name ?? caller.accountId }
  }
}

/** The end of a key ends the sign-ins to it. */
function undefinedIfRevoked(thrown: unknown): undefined {
  if (!(thrown instanceof CallError) || thrown.code !== 'invalid_token') throw thrown
}

/** A form leads back to its page. A page is opened again with its query. */
function pathOf({ method, url }: FastifyRequest): string {
  const [path = ''] = url.split('?')
  return method === 'GET' ? url : path
}

/** Throws `forbidden` for a form that does not come from a page that this visitor has opened. */
export function requireCsrfToken({ token }: Visitor, sent: unknown): void {
  if (typeof sent === 'string' && isCsrfToken(token, sent)) return
  throw fail('forbidden', { message: 'This form is out of date. Open the page again.' })
}

/** The hidden field that `requireCsrfToken` reads. */
export const csrfField = ({ token }: Visitor) =>
  `<input type="hidden" name="csrf" value="${csrfTokenOf(token)}">`
