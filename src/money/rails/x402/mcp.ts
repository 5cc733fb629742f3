// x402 in messages of the Model Context Protocol: the objects of the HTTP headers, unencoded. Source: x402, "Transport:
// MCP".
import type { McpBinding } from '../rail.ts'

export const x402InMcp: McpBinding = {
  payment: 'x402/payment',
  headerOf: (payment) => Buffer.from(JSON.stringify(payment)).toString('base64'),
  challenge(headers) {
    const required = decode(headers['payment-required'])
    return required === undefined ? {} : { body: required }
  },
  receipt(headers) {
    const response = decode(headers['payment-response'])
    return response === undefined ? {} : { 'x402/payment-response': response }
  },
}

function decode(header: string | undefined): object | undefined {
  return header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64').toString())
}
