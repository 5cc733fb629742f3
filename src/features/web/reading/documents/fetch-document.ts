// The document at a caller's address, within limits.
import { fail } from '#core/errors.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import type { EgressFetcher } from '#platform/egress/fetcher.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import { browserHeaders } from '../ladder/fetch.ts'

export interface FetchedDocument {
  readonly bytes: Buffer
  readonly contentType: string
  readonly fileName: string
  readonly finalUrl: string
}

export const documentBytesMax = 30_000_000
const fetchTimeoutMs = 30_000
const charactersShown = 300

export function tooLarge(cause?: unknown) {
  return fail('document_too_large', {
    message: `The document is larger than ${documentBytesMax / 1_000_000} MB. Split it and send the parts.`,
    cause,
  })
}

/**
 * Throws CallError `document_unavailable`, `document_too_large`, `document_unreadable`, or the reason of the signal.
 */
export async function fetchDocument(
  url: string,
  signal: AbortSignal,
  fetch: EgressFetcher['fetch'],
): Promise<FetchedDocument> {
  const shown = url.slice(0, charactersShown)
  const reply = await fetch({
    url,
    signal,
    bytesMax: documentBytesMax,
    timeoutMs: fetchTimeoutMs,
    headers: { ...browserHeaders, accept: '*/*' },
  }).catch((thrown) => {
    if (thrown instanceof FetchFailure && thrown.reason === 'too_large') throw tooLarge(thrown)
    if (thrown instanceof FetchFailure || thrown instanceof EgressRefusal)
      throw fail('document_unavailable', {
        message: `${shown} could not be fetched: ${thrown.message} Nothing was charged.`,
        cause: thrown,
      })
    throw thrown
  })
  if (reply.status < 200 || reply.status > 299)
    throw fail('document_unavailable', {
      message: `${shown} answered with status ${reply.status}. Check the address; nothing was charged.`,
    })
  return {
    bytes: reply.body,
    contentType: reply.headers['content-type'] ?? '',
    fileName: new URL(reply.url).pathname.split('/').at(-1) ?? '',
    finalUrl: reply.url,
  }
}
