// What the routes of OAuth share: the parts that they need, and a request as the authorization server reads it.
import type { FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { AttemptCounter } from '#accounts/attempts.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { AuthorizationServer, OAuthRequest } from '#accounts/oauth/authorization-server.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import type { ReadPolicy } from '../routes/key-policy.ts'
import type { HeldSignIns } from '../sign-in/held.ts'
import type { ShowSignIn } from '../sign-in/page.ts'

export interface OAuthDependencies {
  server: AuthorizationServer
  attempts: AttemptCounter
  scope: string
  signIns: SignIns
  authenticate: Authenticate
  accounts: Accounts
  held: Pick<HeldSignIns, 'read'>
  showSignIn: ShowSignIn
  readPolicy: ReadPolicy
  now: () => number
  baseUrl: () => string
}

export const oauthRequestOf = (request: FastifyRequest): OAuthRequest => ({
  method: request.method === 'POST' ? 'POST' : 'GET',
  path: request.url,
  headers: request.headers as OAuthRequest['headers'],
  ...(request.method === 'POST' ? { body: request.bodyText } : {}),
})
