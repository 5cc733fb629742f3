// Requests between gateways are signed with a secret that only the gateways of a database know. A signature is good for
// one request, at one gateway, for a minute.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#core/ports.ts'

/** In this header, as JSON. */
export const signatureHeader = 'tollway-gateway'
/** In this header the other gateway shows that it knows the secret, too. */
export const proofHeader = 'tollway-gateway-proof'

/** The clocks of two machines may differ by this. */
const skewMsMax = 60_000
const nonceBytes = 18
/** Further requests are refused until earlier ones are too old to be repeated. */
const noncesMax = 200_000

export interface SignedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Undefined for a body that is a stream: its receiver authenticates the caller who sends it. */
  readonly body: string | undefined
}

interface Envelope {
  readonly from: number
  readonly to: number
  readonly atMs: number
  readonly nonce: string
}

const digest = (text: string | undefined) =>
  text === undefined ? 'stream' : createHash('sha256').update(text).digest('base64url')

function mac(secret: string, purpose: 'request' | 'answer', parts: readonly unknown[]): string {
  const text = JSON.stringify([purpose, ...parts])
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function macOf(secret: string, { from, to, atMs, nonce }: Envelope, request: SignedRequest) {
  const { method, path, body } = request
  return mac(secret, 'request', [from, to, atMs, nonce, method, path, digest(body)])
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What a gateway sends with a request, and how the answer proves itself. */
export function signRequest(
  secret: string,
  { from, to, nowMs }: { readonly from: number; readonly to: number; readonly nowMs: number },
  request: SignedRequest,
): { readonly header: string; readonly isProof: (sent: unknown) => boolean } {
  const nonce = randomBytes(nonceBytes).toString('base64url')
  const envelope = { from, to, atMs: nowMs, nonce }
  const proof = mac(secret, 'answer', [to, nonce])
  return {
    header: JSON.stringify({ ...envelope, mac: macOf(secret, envelope, request) }),
    isProof: (sent) => typeof sent === 'string' && equal(sent, proof),
  }
}

/** Checks requests. Resolves to the proof for the answer, or to undefined for a request that is not good. */
export function createRequestCheck({
  secret,
  gatewayNumber,
  clock,
}: {
  readonly secret: string
  readonly gatewayNumber: number
  readonly clock: Clock
}) {
  /** When each may be forgotten, the oldest first. */
  const seen = new Map<string, number>()

  function isNew(nonce: string): boolean {
    const nowMs = clock.now()
    for (const [old, untilMs] of seen) {
      if (untilMs > nowMs) break
      seen.delete(old)
    }
    if (seen.has(nonce) || seen.size >= noncesMax) return false
    seen.set(nonce, nowMs + 2 * skewMsMax)
    return true
  }

  return (header: unknown, request: SignedRequest): string | undefined => {
    const sent = read(header)
    if (sent === undefined || sent.to !== gatewayNumber) return undefined
    if (!equal(sent.mac, macOf(secret, sent, request))) return undefined
    if (Math.abs(clock.now() - sent.atMs) > skewMsMax || !isNew(sent.nonce)) return undefined
    return mac(secret, 'answer', [gatewayNumber, sent.nonce])
  }
}

function read(header: unknown): (Envelope & { readonly mac: string }) | undefined {
  if (typeof header !== 'string') return undefined
  try {
    const { from, to, atMs, nonce, mac } = JSON.parse(header)
    const isWhole =
      [from, to, atMs].every(Number.isSafeInteger) &&
      typeof nonce === 'string' &&
      typeof mac === 'string'
    return isWhole ? { from, to, atMs, nonce, mac } : undefined
  } catch {
    return undefined
  }
}
