// The vendor's REST API. A repository is named by the claim `repo` of the token, not by the path. All repositories of
// the gateway belong to one organization of the vendor, so the gateway knows which are the caller's. Source: the
// vendor's SDK, @pierre/storage 1.17.1, and the reference of its HTTP API.
import { type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { uuidv7, uuidv7Ms } from '#core/id.ts'

interface Access {
  readonly access: 'read' | 'write'
  readonly expires_in_seconds: number
}
type Context<Input> = Pick<RunContext<Input>, 'input' | 'http' | 'clock'>
type Tools = Pick<Context<unknown>, 'http' | 'clock'>

/** For the gateway's own requests. */
const requestTokenSeconds = 300

function grant({ http, clock }: Tools, repo: string, scopes: readonly string[], seconds: number) {
  const iat = Math.floor(clock.now() / 1_000)
  return http.sign({ sub: '@pierre/storage', repo, scopes, iat, exp: iat + seconds })
}

function authorize(tools: Tools, repo: string, scope: string) {
  const { issuer, token } = grant(tools, repo, [scope], requestTokenSeconds)
  return { host: { organization: issuer }, headers: { authorization: `Bearer ${token}` } }
}

function withAddress(tools: Tools, id: string, { access, expires_in_seconds }: Access) {
  const scopes = access === 'write' ? ['git:write', 'git:read'] : ['git:read']
  const { issuer, token } = grant(tools, id, scopes, expires_in_seconds)
  return {
    repo_id: id,
    clone_url: `https://t:${token}@${issuer}.code.storage/${id}.git`,
    access,
    expires_at: new Date(tools.clock.now() + expires_in_seconds * 1_000).toISOString(),
  }
}

/** The vendor keeps no names. */
export async function createAtVendor(context: Context<Access & { name?: string | undefined }>) {
  const { input, http, clock } = context
  const id = uuidv7(clock.now())
  await http.post('/repos', { default_branch: 'main' }, authorize(context, id, 'repo:write'))
  return { ...withAddress(context, id, input), name: input.name ?? null }
}

const foundRepository = z.looseObject({ created_at: z.string().optional() })

export async function getAtVendor(context: Context<Access & { repo_id: string }>) {
  const { input, http } = context
  const reply = await http.get('/repo', authorize(context, input.repo_id, 'git:read'))
  const found = foundRepository.safeParse(reply)
  if (!found.success) throw fail('upstream_error', { cause: found.error })
  return { ...withAddress(context, input.repo_id, input), created_at: found.data.created_at }
}

/** Without asking the vendor, whose list is that of all callers. */
export async function listIssued({ issued }: Pick<RunContext<unknown>, 'issued'>) {
  const ids = await issued('repository')
  return {
    repositories: ids.map((id) => ({
      repo_id: id,
      created_at: new Date(uuidv7Ms(id)).toISOString(),
    })),
  }
}

export async function deleteAtVendor(context: Context<{ repo_id: string }>) {
  const { repo_id } = context.input
  const { status } = await context.http.send({
    method: 'DELETE',
    path: '/repos/delete',
    accept: [404, 409],
    ...authorize(context, repo_id, 'repo:write'),
  })
  if (status === 404 || status === 409) throw fail('not_found', { message: alreadyGone })
  return { repo_id, deleted: true }
}

const alreadyGone = 'This repository was deleted already. Nothing was charged.'
