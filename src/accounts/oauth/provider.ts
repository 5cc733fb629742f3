// How `oidc-provider` is set: authorization codes with PKCE for public clients, opaque tokens for this gateway, and
// nothing of OpenID Connect.
import { generateKeyPairSync } from 'node:crypto'
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { AuthorizationServerDependencies } from './authorization-server.ts'
import type { ClientDocuments } from './documents.ts'
import { connectionDays, endpoints, originOf } from './endpoints.ts'

const daySeconds = 86_400
const lifetimeSeconds = {
  AccessToken: 3_600,
  AuthorizationCode: 60,
  /** Until a person has decided. */
  Interaction: 900,
  Grant: connectionDays * daySeconds,
  /** A client that does not come back for so long must ask again. */
  RefreshToken: 30 * daySeconds,
  Session: 900,
} as const
const tokenBits = 256
const clientIdBytes = 16

interface Dependencies extends AuthorizationServerDependencies {
  readonly documents: ClientDocuments
  readonly base: string
}

export function createProvider(dependencies: Dependencies): Provider {
  const { base, log } = dependencies
  const provider = new Provider(originOf(base), configure(dependencies))
  // Says that requests arrived over TLS where the address of the gateway does.
  provider.proxy = true
  provider.silent = true
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'OAuth failed.'))
  return provider
}

function configure(dependencies: Dependencies): Configuration {
  const { records, documents, cookieSecret, scope } = dependencies
  const { authorization, token, registration, revocation, consent } = endpoints
  return {
    adapter: records.adapterOf,
    routes: { authorization, token, registration, revocation },
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    jwks: { keys: [unusedSigningKey()] },
    cookies: {
      keys: [cookieSecret],
      names: {
        session: 'tollway_oauth_session',
        interaction: 'tollway_oauth',
        resume: 'tollway_oauth_resume',
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: lifetimeSeconds,
    formats: { bitsOfOpaqueRandomness: tokenBits },
    rotateRefreshToken: checkBeforeUse,
    expiresWithSession: () => false,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    // The library looks for the key, and finds none once it is revoked or has expired.
    findAccount: (_context, keyId) => ({ accountId: keyId, claims: () => ({ sub: keyId }) }),
    // Each consent makes a grant of its own; an earlier one says nothing about the next request.
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId)
    },
    interactions: {
      policy: askEveryTime(),
      url: (_context, { uid }) => `${consent}/${uid}`,
    },
    fetch: documents.fetch as NonNullable<Configuration['fetch']>,
    renderError(context, { error, error_description: description }) {
      context.type = 'application/json'
      context.body = JSON.stringify({ error, error_description: description })
    },
    features: featuresOf(dependencies, scope),
  }
}

function featuresOf({ base }: Dependencies, scope: string): Configuration['features'] {
  const own = originOf(base)
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
    },
    registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: newClientId },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => own,
      useGrantedResource: () => true,
      getResourceServerInfo(_context, resource) {
        if (URL.parse(resource)?.origin !== own)
          throw new errors.InvalidTarget(`this server issues tokens for ${own} only`)
        return { scope, audience: own, accessTokenFormat: 'opaque' }
      },
    },
  }
}

/**
 * The library uses a refresh token up before it looks at the resource. A refused request must leave the token as it
 * was.
 */
function checkBeforeUse({ oidc }: KoaContextWithOIDC): true {
  const wanted = oidc.params?.resource
  const granted = oidc.entities.RefreshToken?.resourceIndicators
  if (wanted !== undefined && (typeof wanted !== 'string' || !granted?.has(wanted)))
    throw new errors.InvalidTarget('this resource was not granted')
  return true
}

/** A person decides about each request. No request is answered by an earlier decision or sign-in. */
function askEveryTime() {
  const { Prompt, Check } = interactionPolicy
  const check = new Check(
    'decision',
    'A person must decide.',
    'interaction_required',
    ({ oidc }) =>
      oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  )
  const policy = interactionPolicy.base()
  policy.clear()
  policy.add(new Prompt({ name: 'login', requestable: true }))
  policy.add(new Prompt({ name: 'consent', requestable: true }, check))
  return policy
}

const newClientId = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(clientIdBytes))).toString('base64url')

/** The library wants a key for ID tokens. None are issued, since no scope of OpenID Connect exists here. */
function unusedSigningKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
}
