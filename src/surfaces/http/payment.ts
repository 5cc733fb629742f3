// How a payment comes in, and what a challenge looks like going out. Both protocols share one 402.
import type { FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import type { PresentedPayment } from '#runner/keyless/request.ts'
import { sourceOf } from './rate-limit.ts'

/** A payment is a few kilobytes; more is no payment. */
const paymentCharactersMax = 12_000

const paymentScheme = /^payment +/i

/** Whether the Authorization header carries a payment, and not a credential of an account. */
export function isPaymentAuthorization(header: string | undefined): boolean {
  return header !== undefined && paymentScheme.test(header)
}

/** Whether a payment came with a request, as far as its headers go. */
export function hasPayment({ headers }: FastifyRequest): boolean {
  return (
    headers['payment-signature'] !== undefined ||
    headers['sign-in-with-x'] !== undefined ||
    isPaymentAuthorization(headers.authorization)
  )
}

/** The payment that came with a request. Throws `bad_request` where it is not clear which, or too long to be one. */
export function readPayment(request: FastifyRequest): PresentedPayment | undefined {
  const { headersDistinct } = request.raw
  const payments = [
    ...(headersDistinct['payment-signature'] ?? []).map((header) => ({ rail: 'x402', header })),
    ...(headersDistinct['sign-in-with-x'] ?? []).map((header) => ({
      rail: 'x402',
      header,
      signIn: true,
    })),
    ...(headersDistinct.authorization ?? [])
      .filter(isPaymentAuthorization)
      .map((header) => ({ rail: 'mpp', header })),
  ] as Omit<PresentedPayment, 'source'>[]
  const credentials = (headersDistinct.authorization ?? []).length
  const [payment] = payments
  if (payment === undefined) return undefined
  if (payments.length > 1 || (payment.rail === 'x402' ? credentials > 0 : credentials > 1)) {
    throw fail('bad_request', {
      message: 'Send one payment or one API key, not both: it must be clear who pays.',
    })
  }
  if (payment.header.length > paymentCharactersMax) {
    throw fail('bad_request', {
      message: `A payment header has at most ${paymentCharactersMax} characters.`,
    })
  }
  return { ...payment, source: sourceOf(request.ip) }
}
