// The OpenAPI document in a browser: Swagger UI, served by the gateway itself. It only shows, because a call may cost
// money.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import { addRoute } from '../doors/add-route.ts'
import { defineRoute } from '../doors/route.ts'
import { html } from '../doors/shapes.ts'
import { type StoredAnswer, sendStored, storeBytes } from '../doors/stored-answer.ts'

/** In a clone the files are those of the package. `npm pack` copies them beside this file. */
const packed = path.join(import.meta.dirname, 'viewer')
const folder = existsSync(packed)
  ? packed
  : path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
})
`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const viewerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Tollway</title>
<link rel="stylesheet" href="/docs/viewer/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<nav class="swagger-ui"><div class="wrapper"><p>
<a href="/docs/use">Calling a gateway</a> · <a href="/docs/actions">Actions</a> ·
<a href="/docs/reference/errors">Errors</a> · <a href="/docs/">All documents</a> · <a href="/llms.txt">llms.txt</a>
</p></div></nav>
<main id="viewer"></main>
<script src="/docs/viewer/swagger-ui-bundle.js"></script>
<script src="/docs/viewer/start.js"></script>
</body>
</html>
`

const cacheSeconds = 3_600

const script = 'text/javascript; charset=utf-8'
const packaged = (name: string, type: string) => ({
  type,
  read: () => readFileSync(path.join(folder, name)),
})

/** They are compressed when they are first requested, because that takes longer than most of a start. */
const files = new Map([
  ['start.js', { type: script, read: () => Buffer.from(start) }],
  ['swagger-ui-bundle.js', packaged('swagger-ui-bundle.js', script)],
  ['swagger-ui.css', packaged('swagger-ui.css', 'text/css; charset=utf-8')],
])

export const viewer = defineRoute({
  method: 'get',
  path: '/docs',
  summary: 'This document as a page.',
  type: html,
})
export const viewerFile = defineRoute({
  method: 'get',
  path: '/docs/viewer/{file}',
  summary: 'A file of that page.',
  type: 'text/javascript',
  errors: ['not_found'],
})

export function addViewerRoutes(server: FastifyInstance): void {
  const stored = new Map<string, StoredAnswer>()
  addRoute(server, viewer, (_asked, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
      .send(viewerPage),
  )
  addRoute(server, viewerFile, ({ request, params: { file: name } }, reply) => {
    const file = files.get(name)
    if (file === undefined) throw fail('not_found', { message: 'There is no such document.' })
    const answer = stored.get(name) ?? storeBytes(file.read(), file.type)
    stored.set(name, answer)
    reply.headers({
      'cache-control': `public, max-age=${cacheSeconds}`,
      'x-content-type-options': 'nosniff',
    })
    return sendStored(request, reply, answer)
  })
}
