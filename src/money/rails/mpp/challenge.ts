// Writes MPP challenges that equal those of the protocol's library byte for byte, at a fraction of the cost, because
// anyone may request any number of them without paying. `npm run bench challenges` measures it; a test compares it with
// the library.
import { createHmac, randomUUID } from 'node:crypto'
import { Challenge } from 'mppx'
import { Methods } from 'mppx/tempo'
import { type Micros, microsToUsd } from '#core/money.ts'
import type { RailTerms } from '#core/price.ts'
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

export interface ChallengeTerms {
  readonly realm: string
  /** The request as the library's method expects it. */
  readonly request: Parameters<typeof Challenge.fromMethod<typeof Methods.charge>>[1]['request']
  readonly action: string
  readonly bodyDigest: string
  readonly expiresAtMs: number
}

export type ChallengeWriter = (terms: ChallengeTerms) => string

/** Requests have few forms, and the library writes each once. */
const requestsMax = 2_000

export function createChallengeWriter(secretKey: string): ChallengeWriter {
  const written = new Map<string, string>()

  /** The request as it stands in a challenge: base64url of canonical JSON. */
  function writeRequest(request: ChallengeTerms['request']): string {
    const name = JSON.stringify(request)
    const known = written.get(name)
    if (known !== undefined) return known
    const challenge = Challenge.fromMethod(Methods.charge, { realm: '', secretKey, request })
    const encoded = /request="([^"]*)"/.exec(Challenge.serialize(challenge))?.[1]
    if (encoded === undefined) throw new Error('The library wrote a challenge without a request.')
    if (written.size >= requestsMax) written.clear()
    written.set(name, encoded)
    return encoded
  }

  return ({ realm, request: terms, action, bodyDigest, expiresAtMs }) => {
    const request = writeRequest(terms)
    const expires = new Date(expiresAtMs).toISOString()
    // The number tells challenges of one millisecond apart. The fields are in the order of canonical JSON.
    const opaque = Buffer.from(JSON.stringify({ action, n: randomUUID() })).toString('base64url')
    const id = createHmac('sha256', secretKey)
      .update([realm, 'tempo', 'charge', request, expires, bodyDigest, opaque].join('|'))
      .digest('base64url')
    return `Payment id="${id}", realm="${quote(realm)}", method="tempo", intent="charge", request="${request}", digest="${quote(bodyDigest)}", expires="${expires}", opaque="${opaque}"`
  }
}

const quote = (value: string) => value.replace(/["\\]/g, '\\$&')
