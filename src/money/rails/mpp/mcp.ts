// MPP in messages of the Model Context Protocol. Source: "Payment Authentication Scheme: JSON-RPC and MCP transport".
import { Challenge, Credential, Mcp, Receipt } from 'mppx'
import type { McpBinding } from '../rail.ts'

export const mppInMcp: McpBinding = {
  payment: Mcp.credentialMetaKey,
  headerOf: (payment) => Credential.serialize(payment as Credential.Credential),
  challenge(headers) {
    const header = headers['www-authenticate']
    if (header === undefined) return {}
    const data = { httpStatus: 402, challenges: Challenge.deserializeList(header) }
    return {
      meta: { [Mcp.paymentRequiredMetaKey]: data },
      error: { code: Mcp.paymentRequiredCode, data },
    }
  },
  receipt(headers, payment) {
    const header = headers['payment-receipt']
    if (header === undefined) return {}
    const { challenge } = payment as Credential.Credential
    const receipt = { ...Receipt.deserialize(header), challengeId: challenge.id }
    return { [Mcp.receiptMetaKey]: receipt }
  },
}
