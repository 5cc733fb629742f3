// Clients that act for an account once a person has let them.
import type { FastifyInstance } from 'fastify'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import { createAuthorizationServer } from '#accounts/oauth/authorization-server.ts'
import { addOAuthRoutes } from '#surfaces/http/oauth/routes.ts'
import type { ReadPolicy } from '#surfaces/http/routes/key-policy.ts'
import type { ShowSignIn } from '#surfaces/http/sign-in/page.ts'
import type { AppContext } from './context.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

export const oauthScopeOf = ({ OWN_NS }: AppContext['config']) => `${OWN_NS}:pay`

export async function addOAuth(
  server: FastifyInstance,
  { config, clock, log, baseUrl, onClose }: AppContext,
  parts: {
    store: Store
    reading: ReadingRoom
    authenticate: Authenticate
    showSignIn: ShowSignIn
    readPolicy: ReadPolicy
  },
) {
  const { store, reading, authenticate, showSignIn, readPolicy } = parts
  const { accounts, attempts, keys, signIns, oauthRecords: records } = store
  const scope = oauthScopeOf(config)
  const authorization = createAuthorizationServer({
    records,
    keys,
    log,
    scope,
    baseUrl,
    guard: reading.guard,
    cookieSecret: await store.secret('oauth-cookies'),
  })
  onClose(authorization.close)
  addOAuthRoutes(server, {
    scope,
    signIns,
    authenticate,
    accounts,
    attempts,
    showSignIn,
    baseUrl,
    server: authorization,
    readPolicy,
    now: clock.now,
  })
}
