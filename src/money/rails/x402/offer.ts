// Writes x402 challenges. A caller may request any number of them without paying, so the demand of an action is written
// once, and challenges differ only by their id. The payer echoes the id in `accepted`, and it never reaches the chain: a
// caller that presents an id received it from this gateway.
import { randomUUID } from 'node:crypto'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import {
  declarePaymentIdentifierExtension,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import type { RailTerms } from '#core/price.ts'
import type { Demand, Offer } from '../rail.ts'
import { encodePaymentRequired, type PaymentRequirements, paymentRequiredBody } from './payment.ts'

/** Node's fetch reads 16 KB of headers in all. */
const headerCharactersMax = 3_000
const offersMax = 2_000
/** Stands for the id in what is written once. As long as each that takes its place. */
const placeholder = '00000000-0000-4000-8000-000000000000'

/** The protocol authorizes one amount, so it can express only a price that is known before the call. */
export const terms: RailTerms = {
  id: 'x402',
  exactOnly: true,
  inPrice: {},
  inOpenApi: {},
  offer: { method: 'x402', intent: 'charge', currency: 'USDC' },
}

type Write = () => Offer

export function createOffers(dependencies: {
  baseUrl: () => string
  requirementsFor: (demand: Demand) => PaymentRequirements
  /** The extension by which a wallet signs in. */
  signIn: (demand: Demand) => Record<string, unknown>
}): (demand: Demand) => Offer {
  const written = new Map<string, Write>()

  function describe(demand: Demand, extensions: Record<string, unknown>): Write {
    const { extra, ...terms } = dependencies.requirementsFor(demand)
    const accepts = [{ ...terms, extra: { ...extra, challengeId: placeholder } }]
    const resource = resourceOf(demand, dependencies.baseUrl())
    const header = encodePaymentRequired({ resource, accepts, extensions })
    // What does not fit into the headers that clients read stands in the body alone.
    const short = encodePaymentRequired({ resource, accepts })
    const writeHeader = createSplice(header.length > headerCharactersMax ? short : header)
    const body = JSON.stringify(paymentRequiredBody({ resource, accepts, extensions }))
    const written = Buffer.from(body.slice(1, -1))
    const at = written.indexOf(placeholder)
    return () => {
      const challengeId = randomUUID()
      const fields = Buffer.from(written)
      fields.write(challengeId, at, 'latin1')
      return { headers: { 'payment-required': writeHeader(challengeId) }, written: fields }
    }
  }

  return (demand) => {
    if (demand.micros === 0 || demand.readsBack)
      return describe(demand, dependencies.signIn(demand))()
    // The same action at the same price is offered in the same words.
    const name = `${demand.path} ${demand.micros}`
    const known = written.get(name)
    if (known !== undefined) return known()
    const write = describe(demand, { ...identifier, ...discoveryOf(demand) })
    if (written.size >= offersMax) written.clear()
    written.set(name, write)
    return write()
  }
}

/** Clients name their requests where they are told that they may. */
const identifier = { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension() }

/** Bazaars list what they see paid for. */
function discoveryOf({ discovery }: Demand): Record<string, unknown> {
  if (discovery === undefined) return {}
  const { example, inputSchema } = discovery
  const config = { method: 'POST', bodyType: 'json', input: example, inputSchema } as const
  return declareDiscoveryExtension(config as never) as unknown as Record<string, unknown>
}

const resourceOf = ({ path, description }: Demand, baseUrl: string) => ({
  url: baseUrl + path,
  description,
  mimeType: 'application/json',
})

/** What a facilitator is told of a sale, so that its catalog can list it. */
export const describeSale = (demand: Demand, baseUrl: string) => ({
  resource: resourceOf(demand, baseUrl),
  extensions: discoveryOf(demand),
})

/** Puts an id into base64 that holds the placeholder; only the groups of four characters that it touches are written anew. */
function createSplice(base64: string): (id: string) => string {
  const bytes = Buffer.from(base64, 'base64')
  const at = bytes.indexOf(placeholder)
  if (at < 0) throw new Error('A challenge was written without the place of its id.')
  const end = at + placeholder.length
  const first = at - (at % 3)
  const last = Math.min(end + ((3 - (end % 3)) % 3), bytes.length)
  const before = bytes.toString('latin1', first, at)
  const after = bytes.toString('latin1', end, last)
  const head = base64.slice(0, (first / 3) * 4)
  const tail = base64.slice(Math.ceil(last / 3) * 4)
  return (id) => head + Buffer.from(before + id + after, 'latin1').toString('base64') + tail
}

/**
 * A challenge that no client can pay, but each can read: clients refuse a 402 without one as malformed. The protocol wants an
 * entry in `accepts`; its scheme is one that no client knows, and they show it whole in their own error.
 */
export function declineOf(
  demand: Demand,
  { amount, asset, maxTimeoutSeconds, network, payTo }: PaymentRequirements,
  reason: string,
  baseUrl: string,
): Readonly<Record<string, string>> {
  const resource = resourceOf(demand, baseUrl)
  const terms = { network, amount, asset, payTo, maxTimeoutSeconds }
  const accepts = [{ scheme: 'not-sold-over-x402', ...terms, extra: { reason } }]
  return { 'payment-required': encodePaymentRequired({ resource, accepts, error: reason }) }
}
