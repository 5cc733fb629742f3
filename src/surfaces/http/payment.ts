// The headers in which payments arrive, and those that browsers must be able to send and read. Each payment rail
// declares its own.
import type { FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import type { PaymentHeader, RailDefinition } from '#money/rails/definition.ts'
import type { PresentedPayment } from '#runner/keyless/request.ts'
import { sourceOf } from '../doors/rate-limit.ts'

/** A payment is a few kilobytes. */
const paymentCharactersMax = 12_000

export interface PaymentHeaders {
  /** Whether the Authorization header carries a payment, and not a credential of an account. */
  isPaymentAuthorization(header: string | undefined): boolean
  /** Whether the headers of the request carry a payment. */
  isPresent(request: FastifyRequest): boolean
  /** The payment of the request. Throws `bad_request` where it is ambiguous or too long. */
  read(request: FastifyRequest): PresentedPayment | undefined
  /** Request headers that pages of other origins may send, and response headers that they may read. */
  readonly crossOrigin: {
    readonly request: readonly string[]
    readonly response: readonly string[]
  }
}

export function createPaymentHeaders(rails: readonly RailDefinition[]): PaymentHeaders {
  const accepted = rails.flatMap(({ id, payments }) =>
    payments.map((header) => ({ rail: id, header })),
  )
  const authorizations = accepted.filter(({ header }) => header.name === 'authorization')

  return {
    isPaymentAuthorization: (text) =>
      text !== undefined && authorizations.some(({ header }) => carriesPayment(header, text)),
    isPresent: ({ headers }) =>
      accepted.some(({ header }) => {
        const text = headers[header.name]
        return text !== undefined && carriesPayment(header, String(text))
      }),
    read({ raw: { headersDistinct }, ip }) {
      const payments = accepted.flatMap(({ rail, header }) =>
        (headersDistinct[header.name] ?? [])
          .filter((text) => carriesPayment(header, text))
          .map((text) => ({ rail, header, text })),
      )
      const [payment] = payments
      if (payment === undefined) return undefined
      const credentials = headersDistinct.authorization?.length ?? 0
      const ownCredentials = payment.header.name === 'authorization' ? 1 : 0
      if (payments.length > 1 || credentials > ownCredentials) {
        throw fail('bad_request', {
          message: 'Send one payment or one API key, not both: it must be clear who pays.',
        })
      }
      if (payment.text.length > paymentCharactersMax) {
        throw fail('bad_request', {
          message: `A payment header has at most ${paymentCharactersMax} characters.`,
        })
      }
      const { rail, header, text } = payment
      const signIn = header.signIn === undefined ? {} : { signIn: header.signIn }
      return { rail, header: text, ...signIn, source: sourceOf(ip) }
    },
    crossOrigin: {
      request: rails.flatMap(({ requestHeaders }) => requestHeaders),
      response: rails.flatMap(({ responseHeaders }) => responseHeaders),
    },
  }
}

const carriesPayment = ({ scheme }: PaymentHeader, text: string) =>
  scheme === undefined || text.toLowerCase().startsWith(`${scheme} `)
