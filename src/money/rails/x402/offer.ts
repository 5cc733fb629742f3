// Writes x402 challenges. A caller may request any number of them without paying, so the demand of an action is written
// once, and challenges differ only by their id. The payer echoes the id in `accepted`, and it never reaches the chain:
// a caller that presents an id received it from this gateway.
import { randomUUID } from 'node:crypto'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import {
  declarePaymentIdentifierExtension,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { membersOf } from '#core/input/members.ts'
import type { RailTerms } from '#core/pricing/describe-price.ts'
import type { Demand, Offer } from '../rail.ts'
import { encodePaymentRequired, type PaymentRequirements, paymentRequiredBody } from './payment.ts'

/** Node's fetch reads 16 KB of headers in all. */
const headerCharactersMax = 3_000
const offersMax = 2_000
/** Placeholder for the id in a challenge that is written once. It is as long as every id. */
const placeholder = '00000000-0000-4000-8000-000000000000'

const withUpto =
  'By x402, wallets pay it with the scheme `upto` alone, once they have approved Permit2 for the token: clients that know only `exact` cannot.'
const withoutUpto =
  'The scheme `exact` of x402 pays an amount that is known before. `upto` needs X402_GAS_KEY in place of a facilitator, and a chain with Permit2 and the contract of the scheme.'

/** Without the scheme upto a payment is for one amount, so it is for a price that is known before the call. */
export const termsWith = (hasUpto: boolean): RailTerms => ({
  id: 'x402',
  ...(hasUpto ? { aboutCaps: withUpto } : { exactOnly: true, aboutCaps: withoutUpto }),
  inPrice: {},
  inCap: { scheme: 'upto' },
  inOpenApi: {},
  offer: { method: 'x402', intent: 'charge', currency: 'USDC' },
})

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
    // A demand that does not fit into the headers that clients read is only in the body.
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
    // The challenges for one action at one price differ only by their id.
    const name = `${demand.path} ${demand.micros} ${demand.isCap === true}`
    const known = written.get(name)
    if (known !== undefined) return known()
    const write = describe(demand, { ...identifier, ...discoveryOf(demand) })
    if (written.size >= offersMax) written.clear()
    written.set(name, write)
    return write()
  }
}

/** Tells clients that they may send an id of their request. */
const identifier = { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension() }

/** Bazaars list the resources that they see being paid for. */
function discoveryOf({ discovery }: Demand): Record<string, unknown> {
  if (discovery === undefined) return {}
  const { example, inputSchema } = discovery
  const config = { method: 'POST', bodyType: 'json', input: example, inputSchema } as const
  return membersOf(declareDiscoveryExtension(config as never))
}

const resourceOf = ({ path, description }: Demand, baseUrl: string) => ({
  url: baseUrl + path,
  description,
  mimeType: 'application/json',
})

/** The description of a sale that a facilitator's catalog can list. */
export const describeSale = (demand: Demand, baseUrl: string) => ({
  resource: resourceOf(demand, baseUrl),
  extensions: discoveryOf(demand),
})

/** Puts an id in place of the placeholder inside base64, by rewriting the groups of four characters that it touches. */
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
 * A challenge that every client can read and none can pay. Clients reject a 402 without a challenge as malformed, and
 * the protocol requires an entry in `accepts`. Its scheme is unknown to all clients, so they quote the entry in their
 * own error.
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
