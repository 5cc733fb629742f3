// Follows the redirects of one fetch. Each target is checked, cookies are kept between requests, and time and size are
// limited.
import type { Readable } from 'node:stream'
import { CallError } from '#core/errors.ts'
import { decodeBody, type PageBytes, readBody, tooLarge } from './body.ts'
import { createCookieJar } from './cookies.ts'
import { FetchFailure, isTimeout, isTlsError } from './failure.ts'
import type { EgressReply, EgressRequest, StreamedReply, StreamRequest } from './fetcher.ts'
import { EgressRefusal } from './guard.ts'

/** The reply to one request, with its body still unread. */
export interface SentReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookie: string | readonly string[] | undefined
  /** Undefined if the body is already decompressed. */
  readonly contentEncoding: string | undefined
  readonly body: Readable
}

/** Sends one request without following redirects. It must ask the guard about the address. */
export type SendRequest = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<SentReply>

const redirectsMax = 5

/**
 * Throws EgressRefusal, FetchFailure, the reason of the signal, or a CallError that the request's own functions throw.
 */
export async function fetchWhole(ask: EgressRequest, send: SendRequest): Promise<EgressReply> {
  const { signal, explained } = limitTime(ask)
  return await explained(async () => {
    const { url, reply } = await followRedirects(ask, send, signal)
    const { status, headers } = reply
    const { bytes: body, cut } = await readReply(reply, ask)
    ask.signal?.throwIfAborted()
    return { url, status, headers, body, ...(cut === undefined ? {} : { cut }) }
  })
}

/** The same with a body that is read piece by piece. Its loop throws as `fetchWhole` does. */
export async function fetchStream(ask: StreamRequest, send: SendRequest): Promise<StreamedReply> {
  const { signal, explained } = limitTime(ask)
  const { url, reply } = await explained(() => followRedirects(ask, send, signal))
  const { status, headers, contentEncoding } = reply
  refuseLargeReply(reply, ask)
  const pieces = decodeBody(reply.body, {
    contentEncoding,
    bytesMax: ask.bytesMax,
    beyond: 'refuse',
  })
  const next = pieces[Symbol.asyncIterator]()
  return {
    url,
    status,
    headers,
    body: {
      [Symbol.asyncIterator]: () => ({
        next: () => explained(() => next.next()),
        async return() {
          abandon(reply)
          return { done: true, value: undefined }
        },
      }),
    },
  }
}

/** The time limit of a request, and a wrapper that turns what it throws into the errors of this module. */
function limitTime(ask: Pick<EgressRequest, 'url' | 'timeoutMs' | 'signal'>) {
  const timeout = AbortSignal.timeout(ask.timeoutMs)
  const signal = ask.signal ? AbortSignal.any([ask.signal, timeout]) : timeout
  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (thrown) {
      ask.signal?.throwIfAborted()
      throw explain(timeout.aborted ? timeout.reason : thrown, ask.url)
    }
  }
  return { signal, explained }
}

/** The reply where the redirects end. */
async function followRedirects(
  ask: StreamRequest & Pick<EgressRequest, 'ownHeaders' | 'admitRedirect'>,
  send: SendRequest,
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly reply: SentReply }> {
  const cookies = createCookieJar()
  let url = withoutFragment(new URL(ask.url))
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const own = isHome(url, new URL(ask.url)) ? ask.ownHeaders : undefined
    const cookie = [cookies.headerFor(url), own?.cookie].filter(Boolean).join('; ')
    const headersOfAsk = { ...ask.headers, ...own, ...(cookie ? { cookie } : {}) }
    const reply = await send(url, headersOfAsk, signal).catch((thrown) => {
      throw redirects > 0 && thrown instanceof EgressRefusal ? thrown.ofRedirect() : thrown
    })
    cookies.keep(url, reply.setCookie)
    const next = redirectTarget(reply.status, reply.headers.location, url)
    if (next === undefined) return { url: url.href, reply }
    abandon(reply)
    await ask.admitRedirect?.(next.href)
    url = next
  }
  throw new FetchFailure('redirects', `${ask.url} redirects more than ${redirectsMax} times.`)
}

function abandon({ body }: SentReply): void {
  body.on('error', () => {}).destroy()
}

/**
 * Whether a redirect is still at the host that the caller named. Nothing of the caller's goes from TLS to plain text.
 */
function isHome(url: URL, start: URL): boolean {
  const isUpgrade = start.protocol === 'http:' && url.protocol === 'https:'
  return url.origin === start.origin || (isUpgrade && url.hostname === start.hostname)
}

async function readReply(reply: SentReply, ask: EgressRequest): Promise<PageBytes> {
  const { bytesMax, beyond = 'refuse', bodyTimeoutMs, admitReply, hold, thin } = ask
  const { headers, contentEncoding, body } = reply
  try {
    admitReply?.(headers)
  } catch (thrown) {
    abandon(reply)
    throw thrown
  }
  if (beyond === 'refuse') refuseLargeReply(reply, ask)
  const stop = () =>
    void body.destroy(new FetchFailure('timeout', `${ask.url} did not end in time.`))
  const timer = bodyTimeoutMs === undefined ? undefined : setTimeout(stop, bodyTimeoutMs)
  try {
    return await readBody(body, { contentEncoding, bytesMax, beyond, hold, thin: thin?.(headers) })
  } finally {
    clearTimeout(timer)
  }
}

/** By the announced length: a compressed body only grows. Throws FetchFailure `too_large`. */
function refuseLargeReply(reply: SentReply, { bytesMax }: { readonly bytesMax: number }): void {
  if (Number(reply.headers['content-length'] ?? 0) <= bytesMax) return
  abandon(reply)
  throw tooLarge(bytesMax)
}

function redirectTarget(status: number, location: string | undefined, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  // Header bytes come as latin1; many servers send UTF-8 in Location.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  const target = URL.parse(text, from.href) ?? undefined
  return target && withoutFragment(target)
}

/** Also drops credentials, which are not passed on with a redirect. */
function withoutFragment(url: URL): URL {
  url.hash = ''
  url.username = ''
  url.password = ''
  return url
}

function explain(thrown: unknown, url: string): Error {
  if (thrown instanceof EgressRefusal || thrown instanceof FetchFailure) return thrown
  if (thrown instanceof CallError) return thrown
  if (isTimeout(thrown))
    return new FetchFailure('timeout', `${url} did not answer in time.`, thrown)
  if (isTlsError(thrown))
    return new FetchFailure(
      'tls',
      `${url} could not be fetched: the certificate or the encryption of the site is not valid.`,
      thrown,
    )
  return new FetchFailure(
    'connection',
    `${url} could not be fetched: the connection failed.`,
    thrown,
  )
}
