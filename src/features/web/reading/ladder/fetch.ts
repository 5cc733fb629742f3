// Fetches a page with GET, and tells it from documents and other files.

import { decodeText, documentKind, type PageFrame, type PageKind } from '@tollway/reader'
import { acceptEncoding, type BodyFilter } from '#platform/egress/body.ts'
import type { EgressFetcher, EgressReply } from '#platform/egress/fetcher.ts'
import { documentRefusal } from '../actions/intake.ts'
import { type FetchedFrame, fetchFrames } from './fetch-frames.ts'
import type { RungReply, RungRequest } from './rungs.ts'
import { sourceBytesMax, thinHtml } from './thin-html.ts'
import { headersOfVisit, ownHeadersOf } from './visit.ts'

export const pageBytesMax = 5_000_000
const fetchTimeoutMs = 12_000
/** Enough for an honest page. A stream without an end is cut after this time. */
const bodyTimeoutMs = 8_000
/** For each frame. All frames are fetched at the same time. */
const frameTimeoutMs = 5_000

/** The first headers of a desktop browser. Servers that choose by them then send the page for people. */
export const browserHeaders: Readonly<Record<string, string>> = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': acceptEncoding,
  'upgrade-insecure-requests': '1',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
}

type PageRequest = Pick<RungRequest, 'url' | 'signal' | 'admitRedirect' | 'hold' | 'visit'>

interface FetchTerms {
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** Throws CallError `onescrape_document`; EgressRefusal and FetchFailure where there was no reply. */
export async function fetchPage(
  request: PageRequest,
  fetch: EgressFetcher['fetch'],
  { headers = {}, timeoutMs = fetchTimeoutMs }: FetchTerms = {},
): Promise<RungReply> {
  const { url, signal, admitRedirect, hold, visit } = request
  const reply = await fetch({
    url,
    headers: { ...headers, ...headersOfVisit(visit) },
    ownHeaders: ownHeadersOf(visit),
    bytesMax: pageBytesMax,
    thin: thinPage,
    beyond: 'salvage',
    timeoutMs,
    bodyTimeoutMs,
    signal,
    admitRedirect,
    hold,
    admitReply: (headers) => refuseDocument(url, headers, Buffer.alloc(0)),
  })
  refuseDocument(url, reply.headers, reply.body)
  const { url: finalUrl, status } = reply
  const kind = kindOf(reply)
  const body = kind === 'other' ? '' : textOf(reply)
  const frames = kind === 'html' ? await readFrames(body, finalUrl, request, fetch, headers) : []
  return { kind, body, frames, truncated: reply.cut, finalUrl, status, headers: reply.headers }
}

/** Text and data are read to the letter, so only pages lose their pictures. */
function thinPage(headers: EgressReply['headers']): BodyFilter | undefined {
  const isPage = /^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType(headers['content-type']))
  return isPage ? { sourceBytesMax, filter: thinHtml } : undefined
}

/** Without NUL, which the reader would remove: the places of frames in the text must stay valid. */
function textOf({ body, headers }: EgressReply): string {
  return decodeText(body, headers['content-type']).text.replaceAll('\0', '')
}

/** Together with the page, they are at most as long as one page may be. */
async function readFrames(
  html: string,
  finalUrl: string,
  { url: pageUrl, signal, admitRedirect, hold, visit }: PageRequest,
  fetch: EgressFetcher['fetch'],
  headers: FetchTerms['headers'],
): Promise<readonly PageFrame[]> {
  let length = html.length
  const fetchFrame = async (url: string): Promise<FetchedFrame | undefined> => {
    await admitRedirect?.(url)
    const reply = await fetch({
      url,
      signal,
      admitRedirect,
      headers: {
        ...headers,
        referer: finalUrl,
        'sec-fetch-dest': 'iframe',
        ...headersOfVisit(visit),
      },
      ownHeaders: new URL(url).origin === new URL(pageUrl).origin ? ownHeadersOf(visit) : {},
      bytesMax: pageBytesMax - length,
      timeoutMs: frameTimeoutMs,
    })
    if (reply.status >= 400 || kindOf(reply) !== 'html') return undefined
    length += reply.body.length
    if (length > pageBytesMax) return undefined
    await hold?.(length)
    return { html: textOf(reply), finalUrl: reply.url }
  }
  return await fetchFrames({ html, finalUrl }, fetchFrame, signal)
}

function refuseDocument(url: string, headers: EgressReply['headers'], body: Buffer): void {
  const document = documentKind(headers['content-type'], body)
  if (document !== undefined) throw documentRefusal(url, document)
}

const sniffedBytesMax = 1_024

function kindOf({ headers, body }: EgressReply): PageKind {
  const type = mediaType(headers['content-type'])
  const root = rootElement(body)
  if (feedRoots.has(root) && (type === '' || type.startsWith('text/'))) return 'xml'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) {
    if (type === 'image/svg+xml') return 'other'
    // A feed has titles too, so only the root element decides.
    return root === 'html' ? 'html' : 'xml'
  }
  if (type === 'text/markdown') return 'markdown'
  if (type.startsWith('text/') || type === 'application/javascript') return 'text'
  if (type !== '') return 'other'
  if (looksLikeHtml(body)) return 'html'
  return body.subarray(0, sniffedBytesMax).includes(0) ? 'other' : 'text'
}

/** Feeds that servers send as text/html or text/plain. */
const feedRoots: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf:rdf'])

/** The first element after comments and declarations. Empty if the text begins otherwise. */
function rootElement(body: Buffer): string {
  const start = body.subarray(0, sniffedBytesMax).toString('latin1')
  const root = /^[^<]{0,16}(?:<[!?][^>]*>[^<]*)*<([a-z][\w:-]*)[\s>/]/i.exec(start)
  return root?.[1]?.toLowerCase() ?? ''
}

/** A repeated header arrives as one, with its values separated by commas. */
function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? ''
}

function looksLikeHtml(body: Buffer): boolean {
  const start = body.subarray(0, sniffedBytesMax).toString('latin1')
  return /<(?:!doctype html|html|head|body|title|h1|div|p|table|script)[\s>]/i.test(start)
}
