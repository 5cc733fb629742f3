// The page of an address at which there is nothing, for browsers. Programs read the error as JSON.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallError } from '#core/errors.ts'
import { varyBy } from '../../doors/compression.ts'
import { escapeHtml } from '../../doors/escape-html.ts'
import { sendDocument } from '../../doors/frame.ts'
import { page } from '../../doors/page.ts'

/** Whether a person has opened the address of a page that does not exist. */
export function isMissingPage({ code }: CallError, request: FastifyRequest): boolean {
  const { method, url, headers, is404 } = request
  const opens = method === 'GET' && (headers.accept ?? '').startsWith('text/html')
  const isPage = url.startsWith('/docs/') || (is404 && !url.startsWith('/api/'))
  return code === 'not_found' && opens && isPage
}

export function sendMissingPage(reply: FastifyReply, { url }: FastifyRequest): FastifyReply {
  varyBy(reply, 'Accept')
  const html = page(
    'There is no such page',
    `<p>Nothing is at <code>${escapeHtml(url)}</code>. The address may be mistyped, or lead to a page of another version.</p>
    <p>Search the documents with the field above, or go to <a href="/docs">the first of them</a>, to
    <a href="/docs/actions">all actions</a>, or to <a href="/console">the console</a>.</p>`,
  )
  return sendDocument(reply.code(404), html)
}
