// Signs payments like a payer's wallet, with the usual library instead of the code under test.
import { randomBytes } from 'node:crypto'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../chains/chain.ts'
import { type Authorization, authorizationTypes } from '../../chains/dollar.ts'
import type { PaymentRequirements } from './payment.ts'

/** The header that a stock client would send. Everything can be changed before and after the signature. */
export interface WrittenPayment {
  x402Version: number
  accepted: Record<string, unknown>
  payload: { signature: Hex; authorization: Record<string, string> }
  [name: string]: unknown
}

export async function signPayment(options: {
  key: Hex
  requirements: PaymentRequirements
  nowS: number
  authorization?: Partial<Authorization>
  domain?: { name?: string; version?: string; chainId?: number; verifyingContract?: Hex }
}): Promise<WrittenPayment> {
  const { requirements, nowS } = options
  const account = privateKeyToAccount(options.key)
  const message = {
    from: account.address,
    to: requirements.payTo,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    validBefore: BigInt(nowS + requirements.maxTimeoutSeconds),
    nonce: toHex(randomBytes(32)),
    ...options.authorization,
  }
  const signature = await account.signTypedData({
    domain: {
      ...requirements.extra,
      chainId: Number(requirements.network.slice('eip155:'.length)),
      verifyingContract: requirements.asset,
      ...options.domain,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  return {
    x402Version: 2,
    accepted: structuredClone(requirements) as unknown as Record<string, unknown>,
    payload: {
      signature,
      authorization: {
        ...message,
        value: String(message.value),
        validAfter: String(message.validAfter),
        validBefore: String(message.validBefore),
      },
    },
  }
}

export const toHeader = (payment: unknown): string => encodePaymentSignatureHeader(payment as never)
