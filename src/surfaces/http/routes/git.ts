// The addresses that `git clone`, `fetch` and `push` use. The password in the address of a repository admits them.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAccess } from '#core/access/open-access.ts'
import { type CallError, fail } from '#core/errors.ts'
import { passwordOf } from '#features/machines/repositories/access-tokens.ts'
import type { GitService } from '#features/machines/repositories/git-requests.ts'
import type { Admitted, Repositories } from '#features/machines/repositories/repositories.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'

interface AskedOfRepository {
  readonly request: FastifyRequest
  readonly params: { readonly repository: string }
}

type Dependencies = Pick<Repositories, 'answer' | 'admit'> & {
  readonly access: Pick<OpenAccess, 'enter'>
  readonly repositoryBytesMax: number
}

const services: readonly GitService[] = ['git-upload-pack', 'git-receive-pack']
/** Git itself refuses a pack that is too large, with its own message. */
const bodyBytesOverPack = 10_000_000

const passwordNote = 'The password in the clone_url of `ns_repo/repo-get` admits to it.'

export const listRefs = defineRoute({
  method: 'get',
  path: '/git/{repository}/info/refs',
  summary: `List the branches and tags of a repository to a Git client. ${passwordNote}`,
  type: 'application/x-git-upload-pack-advertisement',
  textErrors: true,
  errors: ['bad_request', 'not_found', 'forbidden'],
})
export const uploadPack = defineRoute({
  method: 'post',
  path: '/git/{repository}/git-upload-pack',
  summary: `Send objects to a Git client that clones or fetches. ${passwordNote}`,
  bytes: true,
  type: 'application/x-git-upload-pack-result',
  textErrors: true,
  errors: ['bad_request', 'not_found'],
})
export const receivePack = defineRoute({
  method: 'post',
  path: '/git/{repository}/git-receive-pack',
  summary: `Take the objects that a Git client pushes. ${passwordNote}`,
  bytes: true,
  type: 'application/x-git-receive-pack-result',
  textErrors: true,
  errors: ['bad_request', 'not_found', 'forbidden'],
})
export const oldProtocol = defineRoute({
  method: 'get',
  path: '/git/{repository}/{path}',
  summary: 'Refuse Git clients that fetch single files.',
  type: 'text/plain',
  textErrors: true,
  errors: ['not_found'],
})
export const readLfs = defineRoute({
  method: 'get',
  path: '/git/{repository}/info/lfs/{path}',
  summary: 'Refuse Git LFS with a message that Git shows.',
  errors: ['bad_request'],
})
export const writeLfs = defineRoute({
  method: 'post',
  path: '/git/{repository}/info/lfs/{path}',
  summary: 'Refuse Git LFS with a message that Git shows.',
  errors: ['bad_request'],
})

export function addGitRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { repositoryBytesMax } = dependencies
  const config = {
    credentialOfItsOwn: true,
    textErrors: true,
    passesOn: true,
    door: 'repository',
  } as const

  const list: Handler<typeof listRefs> = async (asked, reply) => {
    const { request } = asked
    const { service: wanted } = request.query as { service?: string }
    const service = services.find((each) => each === wanted)
    const admitted = await admit(dependencies, asked, reply, service)
    if (admitted === undefined) return reply
    if (service === undefined) throw fail('bad_request', { message: askFor(wanted) })
    return await send(dependencies, { ...admitted, service }, request, reply)
  }
  addRoute(server, listRefs, list, { config })

  // A plugin of its own, because its bodies are streams of bytes and not JSON.
  server.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, body, done) => done(null, body))
    const options = {
      bodyLimit: repositoryBytesMax + bodyBytesOverPack,
      config: { ...config, streamsBody: true, takesEncodings: true },
    }
    const answerTo =
      (service: GitService): Handler<typeof uploadPack | typeof receivePack> =>
      async (asked, reply) => {
        const admitted = await admit(dependencies, asked, reply, service)
        if (admitted === undefined) return reply
        refuseOtherBodies(asked.request, service)
        return await send(dependencies, { ...admitted, service }, asked.request, reply)
      }
    addRoute(door, uploadPack, answerTo('git-upload-pack'), options)
    addRoute(door, receivePack, answerTo('git-receive-pack'), options)
  })

  // What clients of the older protocol without a server ask for.
  const refuseOld: Handler<typeof oldProtocol> = async (asked, reply) => {
    if ((await admit(dependencies, asked, reply, undefined)) === undefined) return reply
    throw fail('not_found', { message: 'Files of a repository are fetched by git clone only.' })
  }
  addRoute(server, oldProtocol, refuseOld, { config })

  const jsonErrors = { ...config, textErrors: false, errorBody: messageOnly }
  for (const route of [readLfs, writeLfs])
    addRoute(
      server,
      route,
      () => {
        throw fail('bad_request', {
          message:
            'This server does not store files of Git LFS. Push with "git lfs uninstall --local" and without LFS, or keep large files with files/upload.',
        })
      },
      { config: jsonErrors },
    )
}

const messageOnly = ({ message }: CallError) => ({ message })

/** Says what to do instead of asking for another service, or for none, as Git before 1.6.6 does. */
const askFor = (service: string | undefined) =>
  service === undefined
    ? 'This Git is too old for this server. Use Git 1.6.6 or newer.'
    : `This server answers the services ${services.join(' and ')} only.`

/**
 * Undefined when the client was asked for the password: Git sends it only then. A wrong or expired token reads the same
 * as an unknown repository. Throws `not_found`, and `forbidden` for a push with a token for reading.
 */
async function admit(
  repositories: Dependencies,
  { request, params }: AskedOfRepository,
  reply: FastifyReply,
  service: GitService | undefined,
): Promise<Admitted | undefined> {
  const { authorization } = request.headers
  if (authorization === undefined) {
    reply.code(401).header('www-authenticate', 'Basic realm="Git"')
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.send('Use the whole clone_url, with its password.\n')
    return undefined
  }
  const id = params.repository.replace(/\.git$/, '')
  const admitted = await repositories.admit(id, passwordOf(authorization) ?? '')
  if (admitted === undefined)
    throw fail('not_found', {
      message:
        'There is no repository at this address, or its password no longer works. ns_repo/repo-get gives a fresh clone_url.',
    })
  if (service === 'git-receive-pack' && admitted.scope === 'read')
    throw fail('forbidden', {
      message: 'This clone_url is for reading. ns_repo/repo-get with access "write" gives another.',
    })
  return admitted
}

/**
 * Throws `bad_request` for a body that is not of Git, and for a push that is compressed as a whole: no Git sends one.
 */
function refuseOtherBodies({ headers }: FastifyRequest, service: GitService) {
  const encoding = headers['content-encoding']
  const isPlain = encoding === undefined || encoding === 'identity'
  const isTaken = isPlain || (encoding === 'gzip' && service === 'git-upload-pack')
  if (headers['content-type'] === `application/x-${service}-request` && isTaken) return
  throw fail('bad_request', { message: 'This address takes the requests of Git only.' })
}

async function send(
  { answer, access }: Dependencies,
  { repository, right, scope, service }: Admitted & { service: GitService },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const leaving = new AbortController()
  const leave = access.enter('repository', right, () => reply.raw.destroy())
  reply.raw.once('close', () => {
    leave()
    leaving.abort(new Error('The client has gone.'))
  })
  const { headers } = request
  const protocol = String(headers['git-protocol'] ?? '')
  const answered = await answer({
    repository,
    scope,
    service,
    body: request.method === 'POST' ? (request.body as Readable) : undefined,
    contentType: headers['content-type'],
    contentEncoding: headers['content-encoding'],
    protocol: /^version=[012]$/.test(protocol) ? protocol : undefined,
    signal: leaving.signal,
  })
  reply.code(answered.status).headers(answered.headers)
  return reply.send(answered.body)
}
