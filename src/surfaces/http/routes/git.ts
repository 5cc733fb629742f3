// The addresses that `git clone`, `fetch` and `push` use. The password in the address of a repository admits them.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAccess } from '#core/access/open-access.ts'
import { fail } from '#core/errors.ts'
import { passwordOf } from '#features/machines/repositories/access-tokens.ts'
import type { GitService } from '#features/machines/repositories/git-requests.ts'
import type { Admitted, Repositories } from '#features/machines/repositories/repositories.ts'

interface GitRoute {
  Params: { repository: string }
  Querystring: { service?: string }
}

type Dependencies = Pick<Repositories, 'answer' | 'admit'> & {
  readonly access: Pick<OpenAccess, 'enter'>
  readonly repositoryBytesMax: number
}

const services: readonly GitService[] = ['git-upload-pack', 'git-receive-pack']
const at = '/git/:repository'
/** Git itself refuses a pack that is too large, with its own message. */
const bodyBytesOverPack = 10_000_000

export function addGitRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { repositoryBytesMax } = dependencies
  const config = { credentialOfItsOwn: true, textErrors: true, door: 'repository' } as const

  server.get<GitRoute>(`${at}/info/refs`, { config }, async (request, reply) => {
    const service = services.find((each) => each === request.query.service)
    const admitted = await admit(dependencies, request, reply, service)
    if (admitted === undefined) return reply
    if (service === undefined) throw fail('bad_request', { message: askFor(request.query) })
    return await send(dependencies, { ...admitted, service }, request, reply)
  })

  // A plugin of its own, because its bodies are streams of bytes and not JSON.
  server.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, body, done) => done(null, body))
    for (const service of services)
      door.post<GitRoute>(
        `${at}/${service}`,
        {
          bodyLimit: repositoryBytesMax + bodyBytesOverPack,
          config: { ...config, streamsBody: true },
        },
        async (request, reply) => {
          const admitted = await admit(dependencies, request, reply, service)
          if (admitted === undefined) return reply
          refuseOtherBodies(request, service)
          return await send(dependencies, { ...admitted, service }, request, reply)
        },
      )
  })

  // What clients of the older protocol without a server ask for.
  server.get<GitRoute>(`${at}/*`, { config }, async (request, reply) => {
    if ((await admit(dependencies, request, reply, undefined)) === undefined) return reply
    throw fail('not_found', { message: 'Files of a repository are fetched by git clone only.' })
  })

  server.route<GitRoute>({
    method: ['GET', 'POST'],
    url: `${at}/info/lfs/*`,
    config: { ...config, textErrors: false, errorBody: ({ message }) => ({ message }) },
    handler: async () => {
      throw fail('bad_request', {
        message:
          'This server does not store files of Git LFS. Push with "git lfs uninstall --local" and without LFS, or keep large files with files/upload.',
      })
    },
  })
}

/** What to do instead of asking for another service, or for none, as Git before 1.6.6 does. */
const askFor = ({ service }: GitRoute['Querystring']) =>
  service === undefined
    ? 'This Git is too old for this server. Use Git 1.6.6 or newer.'
    : `This server answers the services ${services.join(' and ')} only.`

/**
 * Undefined when the client was asked for the password: Git sends it only then. A wrong or expired token reads the same
 * as an unknown repository. Throws `not_found`, and `forbidden` for a push with a token for reading.
 */
async function admit(
  repositories: Dependencies,
  request: FastifyRequest<GitRoute>,
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
  const id = request.params.repository.replace(/\.git$/, '')
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
