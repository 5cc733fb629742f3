// Access that a person gives this command in a browser: OAuth 2.1 for a native program (RFC 8252), with PKCE and a
// redirect to a server on this machine that answers once.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { TollwayError } from '@tollway/client'
import { asSentence } from './own-words.ts'

/** Tokens of a gateway, which stand for a key with the limits that a person has chosen. */
export interface BrowserAccess {
  readonly clientId: string
  readonly accessToken: string
  /** Works once. A second use ends the access. */
  readonly refreshToken: string
  /** When the access token ends, in milliseconds since 1970. */
  readonly expiresAtMs: number
}

/** How long a gateway waits for a person. */
const decisionMs = 900_000
const requestMs = 30_000
const secretBytes = 32

interface ServerMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string
  readonly revocation_endpoint: string
}

/**
 * Calls `show` with the page to open in a browser, and resolves when the person has decided there. Throws TollwayError.
 */
export async function askInBrowser(
  baseUrl: string,
  { signal, show }: { readonly signal: AbortSignal; readonly show: (page: string) => void },
): Promise<BrowserAccess> {
  const server = await readMetadata(baseUrl)
  const answer = await listenForAnswer(AbortSignal.any([signal, AbortSignal.timeout(decisionMs)]))
  try {
    const clientId = await register(server, answer.redirectUri)
    const [verifier, state] = [newSecret(), newSecret()]
    const page = new URL(server.authorization_endpoint)
    page.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: answer.redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: server.issuer,
      state,
    }).toString()
    show(page.href)
    const code = await answer.wait({ state, issuer: server.issuer })
    return await readTokens(server, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: answer.redirectUri,
      code_verifier: verifier,
      code,
    })
  } finally {
    answer.close()
  }
}

/** Throws TollwayError: `invalid_token` when the access has ended. */
export async function refreshAccess(
  baseUrl: string,
  { clientId, refreshToken }: BrowserAccess,
): Promise<BrowserAccess> {
  return await readTokens(await readMetadata(baseUrl), {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
  })
}

/** Ends the access, with all its tokens. Throws TollwayError. */
export async function revokeAccess(
  baseUrl: string,
  { clientId, refreshToken }: BrowserAccess,
): Promise<void> {
  const { revocation_endpoint: endpoint } = await readMetadata(baseUrl)
  const body = new URLSearchParams({ client_id: clientId, token: refreshToken })
  await send(endpoint, { method: 'POST', body })
}

const newSecret = () => randomBytes(secretBytes).toString('base64url')

async function readMetadata(baseUrl: string): Promise<ServerMetadata> {
  const { origin } = new URL(baseUrl)
  const server = await send<ServerMetadata>(`${origin}/.well-known/oauth-authorization-server`)
  if (server.issuer === origin) return server
  // Tokens count at the public address only, and another server must not receive them.
  throw new TollwayError('bad_request', {
    status: 400,
    message: `The gateway at ${origin} has the public address ${server.issuer}. Run \`tollway login ${server.issuer} --browser\`.`,
  })
}

async function register(server: ServerMetadata, redirectUri: string): Promise<string> {
  const metadata = {
    client_name: `tollway command on ${os.hostname()}`,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  }
  const { client_id: clientId } = await send<{ client_id: string }>(server.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return clientId
}

async function readTokens(
  { token_endpoint: endpoint }: ServerMetadata,
  fields: Readonly<Record<string, string>>,
): Promise<BrowserAccess> {
  const askedAtMs = Date.now()
  const tokens = await send<{ access_token: string; refresh_token: string; expires_in: number }>(
    endpoint,
    { method: 'POST', body: new URLSearchParams(fields) },
  )
  return {
    clientId: fields.client_id ?? '',
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAtMs: askedAtMs + tokens.expires_in * 1_000,
  }
}

/** No request is repeated: a code or a refresh token that comes twice ends the access. */
async function send<Answer>(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(requestMs)
  const reply = await fetch(url, { ...init, redirect: 'error', signal }).catch((cause: unknown) => {
    const message = `The gateway at ${new URL(url).origin} could not be reached.`
    throw new TollwayError('connection_failed', { message, cause })
  })
  const text = await reply.text()
  if (reply.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer
  throw refusalOf(reply.status, text)
}

function refusalOf(status: number, text: string): TollwayError {
  const { error, error_description: description, message } = parse(text)
  if (error === 'invalid_grant')
    return new TollwayError('invalid_token', {
      status: 401,
      message: 'The access that you gave in the browser has ended.',
    })
  return new TollwayError(status === 429 ? 'rate_limited' : 'bad_request', {
    status,
    message: asSentence(
      `The gateway refused the sign-in: ${message ?? description ?? `HTTP ${status}`}`,
    ),
  })
}

function parse(text: string): Readonly<Record<string, string | undefined>> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A server on this machine to which the browser comes back. */
async function listenForAnswer(signal: AbortSignal) {
  const arrived = Promise.withResolvers<URLSearchParams>()
  let expectedState: string | undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    // Other programs on this machine may ask too.
    const isAnswer =
      pathname === '/callback' &&
      expectedState !== undefined &&
      searchParams.get('state') === expectedState
    response.writeHead(isAnswer ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      connection: 'close',
    })
    response.end(isAnswer ? pageOf(searchParams.has('code')) : undefined, () => {
      if (isAnswer) arrived.resolve(searchParams)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => arrived.reject(reasonToStop(signal))
  signal.addEventListener('abort', stop, { once: true })
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    /** Resolves to the code. Throws TollwayError, or the reason of `signal`. */
    async wait({ state, issuer }: { state: string; issuer: string }): Promise<string> {
      expectedState = state
      if (signal.aborted) stop()
      const answer = await arrived.promise
      const code = answer.get('code')
      if (answer.get('iss') !== issuer || code === null)
        throw new TollwayError('forbidden', {
          status: 403,
          message: `The access was not given: ${answer.get('error_description') ?? 'the answer is not of this gateway'}`,
        })
      return code
    },
    close() {
      signal.removeEventListener('abort', stop)
      server.close()
      server.closeAllConnections()
    },
  }
}

function reasonToStop({ reason }: AbortSignal): unknown {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError'
  return isLate
    ? new TollwayError('forbidden', { status: 403, message: 'No decision was made in 15 minutes.' })
    : reason
}

const pageOf = (isAllowed: boolean) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>tollway</title>
<p>${isAllowed ? 'The tollway command has access.' : 'The tollway command has no access.'} You can close this page.</p></html>`
