// The vendor's own client and our actions send the same requests, to a vendor that refuses as its documentation says.
import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { GitStorage } from '#oracles/code-storage.ts'
import { portOf } from '#platform/http/port.ts'
import { runAction, testCredential } from '#test/run-action.ts'
import { repo } from '../provider.ts'

const [organization = '', pem = ''] = testCredential(repo).split(/:(.*)/s)
const publicKey = createPublicKey(createPrivateKey(pem))
const repo_id = '01970000-0000-7000-8000-000000000000'
const createdAt = '2026-09-01T08:30:00Z'

interface Claims {
  readonly iss: string
  readonly sub: string
  readonly repo: string
  readonly scopes: readonly string[]
  readonly iat: number
  readonly exp: number
}

/** The claims of a token that the organization's key has signed and that has not expired. */
function readToken(token: string): Claims | undefined {
  const [head = '', body = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const claims: Claims = read(body)
  const isCurrent = claims.exp > Date.now() / 1_000 && claims.iat <= Date.now() / 1_000
  return isSigned && read(head).alg === 'ES256' && isCurrent ? claims : undefined
}

interface Asked {
  readonly request: string
  readonly body: unknown
  readonly claims: Pick<Claims, 'iss' | 'sub' | 'repo' | 'scopes'>
}

let asked: Asked[] = []
let kept = new Map<string, 'kept' | 'deleted'>()
let failing: number | undefined

/** Source: the reference of the vendor's HTTP API, and what its client makes of each status. */
const routes: Readonly<
  Record<string, { scope: string; answer: (claims: Claims) => [number, object] }>
> = {
  'POST /api/v1/repos': {
    scope: 'repo:write',
    answer({ repo: id }) {
      if (kept.has(id)) return [409, { error: 'repository already exists' }]
      kept.set(id, 'kept')
      const http_url = `https://${organization}.code.storage/${id}.git`
      return [201, { repo_id: id, http_url, message: 'repository created' }]
    },
  },
  'GET /api/v1/repo': {
    scope: 'git:read',
    answer: ({ repo: id }) =>
      kept.get(id) === 'kept'
        ? [200, { default_branch: 'main', created_at: createdAt }]
        : [404, { error: 'repository not found' }],
  },
  'DELETE /api/v1/repos/delete': {
    scope: 'repo:write',
    answer({ repo: id }) {
      if (!kept.has(id)) return [404, { error: 'repository not found' }]
      if (kept.get(id) === 'deleted') return [409, { error: 'repository already deleted' }]
      kept.set(id, 'deleted')
      return [200, { repo_id: id, message: `Repository ${id} deletion initiated.` }]
    },
  },
}

const server = createServer(async (request, response) => {
  const sent = await text(request)
  const name = `${request.method} ${request.url}`
  const claims = readToken(request.headers.authorization?.replace('Bearer ', '') ?? '')
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (failing !== undefined) return answer(failing, { error: 'documented failure' })
  if (claims === undefined || claims.iss !== organization)
    return answer(401, { error: 'invalid token' })
  const { iss, sub, repo: id, scopes } = claims
  const body = sent === '' ? undefined : JSON.parse(sent)
  asked.push({ request: name, body, claims: { iss, sub, repo: id, scopes } })
  const route = routes[name]
  if (route === undefined) return answer(404, { error: 'no such route' })
  if (!scopes.includes(route.scope)) return answer(403, { error: 'missing scope' })
  answer(...route.answer(claims))
})
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${portOf(server)}`
})
beforeEach(() => {
  asked = []
  kept = new Map()
  failing = undefined
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const client = () => new GitStorage({ name: organization, key: pem, apiBaseUrl: url })
const run = (action: string, input: object) =>
  runAction(repo, action, { input, baseUrl: `${url}/api/v1` })
const ask = async (action: string, input: object = { repo_id }) =>
  await run(action, input).catch(({ code }) => code)

test('creating, finding and deleting ask as the vendor’s client does', async () => {
  const made = await run('repo-create', { name: 'website' })
  const { repo_id: id } = made
  expect(await run('repo-get', { repo_id: id })).toMatchObject({ created_at: createdAt })
  expect(await run('repo-delete', { repo_id: id })).toMatchObject({ deleted: true })
  const ours = asked
  asked = []
  kept.clear()
  await client().createRepo({ id })
  await client().findOne({ id })
  await client().deleteRepo({ id })
  expect(ours).toEqual(asked)
})

test.each([
  ['read', ['git:read']],
  ['write', ['git:write', 'git:read']],
] as const)('an address for %s is that of the vendor’s client', async (access, permissions) => {
  await client().createRepo({ id: repo_id })
  const { clone_url } = await run('repo-get', { repo_id, access, expires_in_seconds: 600 })
  const theirs = await client()
    .repo({ id: repo_id })
    .getRemoteURL({ permissions: [...permissions], ttl: 600 })
  const read = (address: string) => {
    const { password, host, pathname, protocol, username } = new URL(address)
    const { iat = 0, exp = 0, ...claims } = readToken(password) ?? {}
    return { host, pathname, protocol, username, ...claims, seconds: exp - iat }
  }
  expect(read(clone_url)).toEqual(read(theirs))
})

test('what the vendor does not have is not found, and a second deletion too', async () => {
  expect(await ask('repo-get')).toBe('not_found')
  expect(await ask('repo-delete')).toBe('not_found')
  await client().createRepo({ id: repo_id })
  await run('repo-delete', { repo_id })
  await expect(client().deleteRepo({ id: repo_id })).rejects.toThrow('already deleted')
  expect(await ask('repo-delete')).toBe('not_found')
  expect(await ask('repo-get')).toBe('not_found')
})

test.each([400, 401, 403, 422, 500, 502, 503, 504])(
  'status %i of the vendor is never the caller’s mistake',
  async (status) => {
    failing = status
    for (const action of ['repo-create', 'repo-get']) {
      const input = action === 'repo-get' ? { repo_id } : {}
      const error = await run(action, input).catch((thrown) => thrown)
      expect(error.status, error.message).toBeGreaterThanOrEqual(500)
    }
  },
)

test('the vendor’s limit of requests is told as such', async () => {
  failing = 429
  expect(await ask('repo-get')).toBe('rate_limited')
})
