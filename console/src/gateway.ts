// The gateway that serves this page, called through the typed client with the cookie of the person who is signed in.
import { createTollway, type Routes, TollwayError } from '@tollway/client'

/** Whether the gateway could be reached lately, and after how many seconds it is asked the next time if not. */
export type Connection = 'up' | { readonly nextTrySeconds: number }

const firstPauseSeconds = 2
const pauseSecondsMax = 30

const watchers = new Set<(connection: Connection) => void>()
let connection: Connection = 'up'
let nextTry: ReturnType<typeof setTimeout> | undefined
let csrfToken = ''

/** Calls `watch` with each change until the returned function is called. */
export function watchConnection(watch: (connection: Connection) => void): () => void {
  watchers.add(watch)
  return () => void watchers.delete(watch)
}

/** Seconds until the next try. They double from one to the next. */
export const pauseAfter = (tries: number) =>
  Math.min(firstPauseSeconds * 2 ** tries, pauseSecondsMax)

function tell(now: Connection) {
  if (now === connection) return
  connection = now
  for (const watch of [...watchers]) watch(now)
}

function tellUp() {
  clearTimeout(nextTry)
  tell('up')
}

/** Asks whether the gateway answers, again and again until it does. */
export function askWhetherUp(tries = 0) {
  clearTimeout(nextTry)
  fetch('/healthz', { cache: 'no-store' })
    .then(({ ok }) => ok)
    .catch(() => false)
    .then((isUp) => (isUp ? tellUp() : tellDown(tries)))
}

function tellDown(tries = 0) {
  if (tries === 0 && connection !== 'up') return
  const nextTrySeconds = pauseAfter(tries)
  clearTimeout(nextTry)
  nextTry = setTimeout(askWhetherUp, 1_000 * nextTrySeconds, tries + 1)
  tell({ nextTrySeconds })
}

addEventListener('online', () => connection === 'up' || askWhetherUp(1))

/** The token proves that a request comes from this page; the cookie alone does not count. */
export function proveRequestsBy(token: string) {
  csrfToken = token
}

let fileStore: string | null = null

/** The address below which the gateway keeps files, if it is not its own. */
export function readFilesFrom(address: string | null) {
  fileStore = address
}

const isInFileStore = (address: string) =>
  fileStore !== null && URL.parse(address)?.href.startsWith(fileStore) === true

/** Whether a file at this address is one of the gateway, which the policy of the page lets it load. */
export const isOwnFile = (address: string) =>
  isInFileStore(address) || onThisOrigin(address) !== address

/**
 * Signed addresses of files begin with the public address of the gateway, which need not be the one in the address bar.
 * The policy of the page allows its own origin and the store of files.
 */
export function onThisOrigin(address: string): string {
  if (isInFileStore(address)) return address
  const { pathname, search } = new URL(address, location.origin)
  return pathname.startsWith('/api/') ? pathname + search : address
}

/** Sends a request with the proof that it comes from this page. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (csrfToken !== '') headers.set('x-csrf-token', csrfToken)
  try {
    const response = await fetch(onThisOrigin(address), { ...init, headers })
    if (isOfProxy(response)) tellDown()
    else tellUp()
    return response
  } catch (error) {
    if (!init.signal?.aborted) tellDown()
    throw error
  }
}

/** A proxy answers so, without JSON, while the gateway behind it does not. */
const isOfProxy = ({ status, headers }: Response) =>
  status >= 502 && status <= 504 && !headers.get('content-type')?.includes('json')

/** A person waits for the answer, so a page gives up sooner than a program. */
const retry = { failuresMax: 5, giveUpAfterMs: 20_000 }

export const tollway = createTollway({ baseUrl: location.origin, fetch: send, retry })

/** What a route answers. */
export type AnswerOf<Route extends keyof Routes> = Routes[Route]['answer']

/** For actions whose names are known only when the page runs. */
export const untyped = tollway as unknown as {
  run(
    action: string,
    input: object,
    options?: {
      idempotencyKey?: string
      signal?: AbortSignal
      onProgress?: (progress: { phase: string; percent: number }) => void
    },
  ): ReturnType<typeof tollway.run>
  quote(
    action: string,
    input: object,
    options?: { signal?: AbortSignal },
  ): ReturnType<typeof tollway.quote>
}

/** The person has switched accounts in another tab: what this page does would not be theirs whom it shows. */
export const isSignInChanged = (error: unknown) =>
  error instanceof TollwayError &&
  (error.data as { reason?: string } | null | undefined)?.reason === 'sign_in_changed'

export const isSignedOut = (error: unknown) =>
  error instanceof TollwayError && error.code === 'invalid_token' && !isSignInChanged(error)

export const isMissing = (error: unknown) => error instanceof TollwayError && error.status === 404

/** No answer of the gateway itself has come. */
export const isUnreached = (error: unknown) =>
  error instanceof TollwayError &&
  (error.code === 'connection_failed' ||
    (error.code === 'unreadable_answer' && (error.status ?? 0) >= 502))

/** Whether the same request may succeed later without the person: the gateway is down, or overloaded. */
export const mayPass = (error: unknown) =>
  error instanceof TollwayError &&
  (isUnreached(error) ||
    error.status === 429 ||
    ((error.status ?? 0) >= 500 && error.code !== 'unavailable'))

/** A sentence for the person. */
export const sentenceOf = (error: unknown): string => {
  if (isUnreached(error)) return 'The gateway cannot be reached. Check your network and try again.'
  return error instanceof Error ? error.message : String(error)
}
