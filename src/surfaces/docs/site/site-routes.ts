// The files of the documents' pages: their style, their scripts, and the index of the search.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'
import { type StoredAnswer, sendStored, storeBytes } from '../../doors/stored-answer.ts'
import type { DocumentSearch } from '../document-search.ts'

const script = 'text/javascript; charset=utf-8'
const types: ReadonlyMap<string, string> = new Map([
  ['docs.css', 'text/css; charset=utf-8'],
  ['docs.js', script],
  ['search.js', script],
])
const indexFile = 'index.json'

export const siteFile = defineRoute({
  method: 'get',
  path: '/docs/site/{file}',
  summary: 'A file of the pages of documents.',
  type: 'text/javascript',
  errors: ['not_found'],
})

export function addSiteRoutes(server: FastifyInstance, { search }: { search: DocumentSearch }) {
  const stored = new Map<string, StoredAnswer>()
  function read(name: string): StoredAnswer {
    const type = types.get(name)
    if (type === undefined) throw fail('not_found', { message: 'There is no such document.' })
    const known =
      stored.get(name) ?? storeBytes(readFileSync(path.join(import.meta.dirname, name)), type)
    stored.set(name, known)
    return known
  }
  addRoute(server, siteFile, ({ request, params: { file } }, reply) => {
    reply.headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    return sendStored(request, reply, file === indexFile ? search.stored() : read(file))
  })
}
