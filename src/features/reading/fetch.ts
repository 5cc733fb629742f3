// Rung 1: the page as a plain GET returns it, told apart from documents and other files.
import { fail } from '#core/errors.ts'
import { acceptEncoding } from '#platform/egress/body.ts'
import type { EgressFetcher, EgressReply } from '#platform/egress/fetcher.ts'
import { decodeText } from './decode.ts'
import { documentKind } from './document.ts'
import { documentMessage } from './intake.ts'
import type { PageKind, RungReply } from './rungs.ts'

export const pageBytesMax = 5_000_000
const fetchTimeoutMs = 12_000

/** What a desktop browser sends first: servers that choose by these headers choose the page for people. */
const browserHeaders: Readonly<Record<string, string>> = {
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

/** Throws CallError `onescrape_document`; EgressRefusal and FetchFailure where there was no reply. */
export async function fetchPage(
  fetcher: EgressFetcher,
  url: string,
  signal: AbortSignal,
): Promise<RungReply> {
  const reply = await fetcher.fetch({
    url,
    headers: browserHeaders,
    bytesMax: pageBytesMax,
    timeoutMs: fetchTimeoutMs,
    signal,
  })
  const document = documentKind(reply.headers['content-type'], reply.body)
  if (document !== undefined)
    throw fail('onescrape_document', { message: documentMessage(url, document) })
  const { url: finalUrl, status, headers } = reply
  const kind = kindOf(reply)
  const body = kind === 'other' ? '' : decodeText(reply.body, headers['content-type']).text
  return { kind, body, finalUrl, status, headers }
}

const sniffedBytesMax = 1_024

function kindOf({ headers, body }: EgressReply): PageKind {
  const type = mediaType(headers['content-type'])
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) {
    if (type === 'image/svg+xml') return 'other'
    return looksLikeHtml(body) ? 'html' : 'xml'
  }
  if (type === 'text/markdown') return 'markdown'
  if (type.startsWith('text/') || type === 'application/javascript') return 'text'
  if (type !== '') return 'other'
  if (looksLikeHtml(body)) return 'html'
  return body.subarray(0, sniffedBytesMax).includes(0) ? 'other' : 'text'
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function looksLikeHtml(body: Buffer): boolean {
  const start = body.subarray(0, sniffedBytesMax).toString('latin1')
  return /<(?:!doctype html|html|head|body|title|h1|div|p|table|script)[\s>]/i.test(start)
}
