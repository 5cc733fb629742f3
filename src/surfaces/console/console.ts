// /console: the pages of the web console, which console/ builds. They call the public API with the cookie of a person
// who is signed in.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fail } from '#core/errors.ts'
import { addRoute } from '../doors/add-route.ts'
import { defineRoute } from '../doors/route.ts'
import { html } from '../doors/shapes.ts'
import { sendStored } from '../doors/stored-answer.ts'
import type { BuiltConsole, BuiltFile } from './built.ts'

/**
 * Everything comes from this gateway, except files that it keeps in a bucket. Scripts and styles are files, and no
 * script may turn text into HTML. Pictures may also be made by the page, from answers that hold their bytes.
 */
const policyOf = (fileStore = '') =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${fileStore}`,
    `media-src 'self' blob: ${fileStore}`,
    `connect-src 'self' ${fileStore}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
    .map((directive) => directive.trim())
    .join('; ')

const yearSeconds = 31_536_000
const notBuilt =
  'The console of this gateway is not built. In a clone, run `npm ci` and start the gateway again.'

interface Dependencies {
  /** Undefined if the console is not built. */
  readonly built: BuiltConsole | undefined
  /** The address below which files are kept, if it is not the gateway's own. It ends with a slash. */
  readonly fileStore: string | undefined
}

export const consolePage = defineRoute({
  method: 'get',
  path: '/console',
  summary: 'The web console.',
  type: html,
  errors: ['unavailable'],
})
export const consoleFile = defineRoute({
  method: 'get',
  path: '/console/{path}',
  summary: 'The pages of the console, and their files.',
  type: html,
  errors: ['not_found', 'unavailable'],
})

export function addConsoleRoutes(server: FastifyInstance, { built, fileStore }: Dependencies) {
  const headers = {
    'content-security-policy': policyOf(fileStore),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  }

  function showPage(reply: FastifyReply): BuiltFile {
    if (built === undefined) throw fail('unavailable', { message: notBuilt })
    reply.headers({ ...headers, 'cache-control': 'no-cache' })
    return built.page
  }

  addRoute(server, consolePage, ({ request }, reply) => sendStored(request, reply, showPage(reply)))

  addRoute(server, consoleFile, ({ request, params }, reply) => {
    const file = built?.files.get(params.path)
    if (file !== undefined) {
      const lifetime = file.isHashed ? `max-age=${yearSeconds}, immutable` : 'max-age=3600'
      reply.headers({ ...headers, 'cache-control': `public, ${lifetime}` })
      return sendStored(request, reply, file)
    }
    // The addresses of pages are read by the page itself.
    if (/\.\w+$/.test(params.path))
      throw fail('not_found', { message: 'There is no such file in the console.' })
    return sendStored(request, reply, showPage(reply))
  })
}
