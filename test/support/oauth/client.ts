// An OAuth client as RFC 6749, 7636, 7591 and 8707 describe it, and the person in whose browser it asks.
import { createHash, randomBytes } from 'node:crypto'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import {
  type CookieBrowser,
  createCookieBrowser,
  type Visit,
} from '#test/browsers/cookie-browser.ts'

export const redirectUri = 'https://app.example/callback'

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
  readonly token_type: string
}

type Answer = { readonly status: number; readonly body: UntypedJson }

export interface OAuthTestClient {
  readonly clientId: string
  readonly verifier: string
  /** Where the browser goes first. */
  authorizeUrl(changes?: Record<string, string | undefined>): string
  /** A person signs in, allows the client, and comes back to it. Resolves to what the redirect carries. */
  ask(key: string, fields?: Record<string, string>): Promise<URLSearchParams>
  exchange(code: string | null, changes?: Record<string, string>): Promise<Answer>
  refresh(token: string, changes?: Record<string, string>): Promise<Answer>
  revoke(token: string): Promise<Answer>
  /** `ask` and `exchange`. */
  connect(key: string, fields?: Record<string, string>): Promise<Tokens>
}

export async function registerClient(
  origin: string,
  metadata: Record<string, unknown> = {},
): Promise<Answer> {
  const reply = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ client_name: 'Test app', redirect_uris: [redirectUri], ...metadata }),
  })
  return { status: reply.status, body: await reply.json() }
}

export async function createOAuthTestClient(origin: string): Promise<OAuthTestClient> {
  const { body } = await registerClient(origin)
  return oauthTestClient(origin, body.client_id)
}

/** A client that has registered. `origin` is the gateway that its requests arrive at. */
export function oauthTestClient(
  origin: string,
  clientId: string,
  verifier = randomBytes(32).toString('base64url'),
): OAuthTestClient {
  const post = async (path: string, fields: Record<string, string>): Promise<Answer> => {
    const body = new URLSearchParams({ client_id: clientId, ...fields })
    const reply = await fetch(origin + path, { method: 'POST', body })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  const client: OAuthTestClient = {
    clientId,
    verifier,
    authorizeUrl(changes = {}) {
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'tollway:pay',
        state: 'state-of-the-client',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource: `${origin}/mcp`,
        ...changes,
      }
      const set = Object.entries(parameters).filter(([, value]) => value !== undefined)
      return `${origin}/oauth/authorize?${new URLSearchParams(set as [string, string][])}`
    },
    async ask(key, fields) {
      const { browser, page } = await openConsent(origin, key, client.authorizeUrl())
      const landed = await browser.submit(page, fields, 'allow')
      return new URL(landed.url).searchParams
    },
    exchange: (code, changes = {}) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...changes,
      }),
    refresh: (token, changes = {}) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...changes }),
    revoke: (token) => post('/oauth/revoke', { token }),
    async connect(key, fields) {
      const { status, body } = await client.exchange((await client.ask(key, fields)).get('code'))
      if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`)
      return body
    },
  }
  return client
}

/** The consent page, in a browser that has signed in with the key. */
export async function openConsent(
  origin: string,
  key: string,
  url: string,
): Promise<{ browser: CookieBrowser; page: Visit }> {
  const browser = createCookieBrowser(origin)
  const signIn = await browser.visit(url)
  const page = await browser.submit(signIn, { secret: key })
  return { browser, page }
}
