// How people sign in with a browser, and clients that act for an account once a person has let them.
import type { FastifyInstance } from 'fastify'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import { createAuthorizationServer } from '#accounts/oauth/authorization-server.ts'
import type { MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import { addOAuthRoutes } from '#surfaces/http/oauth/routes.ts'
import type { OperatorDoor } from '#surfaces/http/operator-door.ts'
import type { ReadPolicy } from '#surfaces/http/routes/key-policy.ts'
import { addMailedLinkRoutes } from '#surfaces/http/routes/mailed-links.ts'
import { addPasskeyRoutes } from '#surfaces/http/routes/passkeys.ts'
import { addSignInRoutes } from '#surfaces/http/routes/sign-in.ts'
import { addSignInMethodsPage } from '#surfaces/http/routes/sign-in-methods.ts'
import { addClaimRoutes } from '#surfaces/http/routes/sign-up/claim.ts'
import { createSignInDesk } from '#surfaces/http/sign-in/credentials.ts'
import type { HeldSignIns } from '#surfaces/http/sign-in/held.ts'
import type { ShowSignIn } from '#surfaces/http/sign-in/page.ts'
import type { AppContext } from './context.ts'
import { fileStoreOf } from './files.ts'
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
    held: HeldSignIns
    showSignIn: ShowSignIn
    readPolicy: ReadPolicy
  },
) {
  const { store, reading, authenticate, held, showSignIn, readPolicy } = parts
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
    held,
    showSignIn,
    baseUrl,
    server: authorization,
    readPolicy,
    now: clock.now,
  })
}

/** The routes by which people sign in with a browser. */
export function addPeopleRoutes(
  server: FastifyInstance,
  { config }: AppContext,
  parts: {
    store: Store
    adminToken: string
    authenticate: Authenticate
    mailedLinks: MailedLinks
    held: HeldSignIns
    showSignIn: ShowSignIn
    operatorUrl: () => string
    mayOperate: OperatorDoor['mayOperate']
    startPath: string
  },
) {
  const { store, ...doors } = parts
  const desk = createSignInDesk({ ...store, ...doors })
  const fileStore = fileStoreOf(config)
  addSignInRoutes(server, { ...store, ...doors, desk, fileStore })
  addPasskeyRoutes(server, store)
  addMailedLinkRoutes(server, { ...store, ...doors })
  addClaimRoutes(server, { ...store, ...doors })
  addSignInMethodsPage(server, { ...store, ...doors })
}
