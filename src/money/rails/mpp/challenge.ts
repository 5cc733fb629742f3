// Writes MPP challenges that equal those of the protocol's library byte for byte, at a fraction of the cost, because
// anyone may request any number of them without paying. `npm run bench unpaid-calls` measures it; a test compares it
// with the library.
import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { Challenge } from 'mppx'
import { Methods } from 'mppx/tempo'
import { type Micros, microsToUsd } from '#core/money.ts'
import type { RailTerms } from '#core/pricing/describe-price.ts'
import type { TempoChain } from '../../chains/tempo.ts'

export function termsIn(currency: string): RailTerms {
  const method = { method: 'tempo', intent: 'charge' } as const
  const offer = { ...method, currency }
  return { id: 'mpp', inPrice: method, inOpenApi: offer, offer }
}

export const decimals = 6

/** What a challenge asks for. */
export const requestOf = (
  micros: Micros,
  { chainId, currency }: Pick<TempoChain, 'chainId' | 'currency'>,
  recipient: string,
) => ({
  amount: microsToUsd(micros),
  decimals,
  currency,
  recipient,
  chainId,
  supportedModes: ['pull' as const],
})

/** The request of one intent, as the library's method expects it. */
export type RequestOf<Intent extends 'charge' | 'session'> = Parameters<
  typeof Challenge.fromMethod<(typeof Methods)[Intent]>
>[1]['request']

export interface ChallengeTerms<Intent extends 'charge' | 'session' = 'charge'> {
  readonly realm: string
  readonly request: RequestOf<Intent>
  readonly action: string
  /** Undefined: it may be answered with any body. */
  readonly bodyDigest: string | undefined
  readonly expiresAtMs: number
}

export type ChallengeWriter<Intent extends 'charge' | 'session' = 'charge'> = (
  terms: ChallengeTerms<Intent>,
) => string

/** Requests differ by their price only. */
const requestsMax = 2_000

/** What a challenge at a price asks for, the same object each time. */
export function createRequests(chain: TempoChain, recipient: string) {
  const known = new Map<Micros, ReturnType<typeof requestOf>>()
  return (micros: Micros) => {
    const request = known.get(micros)
    if (request !== undefined) return request
    const made = requestOf(micros, chain, recipient)
    if (known.size >= requestsMax) known.clear()
    known.set(micros, made)
    return made
  }
}

export function createChallengeWriter(secretKey: string): ChallengeWriter
export function createChallengeWriter<Intent extends 'charge' | 'session'>(
  secretKey: string,
  intent: Intent,
): ChallengeWriter<Intent>
export function createChallengeWriter(
  secretKey: string,
  intent: 'charge' | 'session' = 'charge',
): ChallengeWriter<never> {
  const key = createSecretKey(Buffer.from(secretKey))
  /** The library writes each request once. */
  const written = new WeakMap<object, string>()

  /** The request as it stands in a challenge: base64url of canonical JSON. */
  function writeRequest(request: never): string {
    const known = written.get(request)
    if (known !== undefined) return known
    const challenge = Challenge.fromMethod(Methods[intent] as typeof Methods.charge, {
      realm: '',
      secretKey,
      request,
    })
    const encoded = /request="([^"]*)"/.exec(Challenge.serialize(challenge))?.[1]
    if (encoded === undefined) throw new Error('The library wrote a challenge without a request.')
    written.set(request, encoded)
    return encoded
  }

  return ({ realm, request: terms, action, bodyDigest, expiresAtMs }) => {
    const request = writeRequest(terms)
    const expires = new Date(expiresAtMs).toISOString()
    // The number tells challenges of one millisecond apart. The fields are in the order of canonical JSON.
    const opaque = Buffer.from(JSON.stringify({ action, n: randomUUID() })).toString('base64url')
    const digest = bodyDigest === undefined ? '' : ` digest="${quote(bodyDigest)}",`
    const id = createHmac('sha256', key)
      .update([realm, 'tempo', intent, request, expires, bodyDigest ?? '', opaque].join('|'))
      .digest('base64url')
    return `Payment id="${id}", realm="${quote(realm)}", method="tempo", intent="${intent}", request="${request}",${digest} expires="${expires}", opaque="${opaque}"`
  }
}

const quote = (value: string) => value.replace(/["\\]/g, '\\$&')
