import { privateKeyToAccount } from 'viem/accounts'
import { type Hex, lowerCase } from './chain.ts'
import { authorizationTypes, type SignedAuthorization } from './dollar.ts'

/** How long a refund's authorization is valid. After that it is signed again with the same nonce. */
const refundValidS = 3_600

export interface RefundWallet {
  readonly address: Hex
  authorize(refund: {
    to: Hex
    amount: bigint
    nonce: Hex
    headS: number
  }): Promise<SignedAuthorization>
}

export function createRefundWallet(options: {
  refundKey?: Hex | undefined
  chainId: number
  asset: Hex
  assetName: string
  assetVersion: string
}): RefundWallet | undefined {
  if (options.refundKey === undefined) return undefined
  const account = privateKeyToAccount(options.refundKey)
  const address = lowerCase(account.address)
  return {
    address,
    async authorize({ to, amount, nonce, headS }) {
      const authorization = {
        from: address,
        to: lowerCase(to),
        value: amount,
        validAfter: 0n,
        validBefore: BigInt(headS + refundValidS),
        nonce,
      }
      const signature = await account.signTypedData({
        domain: {
          name: options.assetName,
          version: options.assetVersion,
          chainId: options.chainId,
          verifyingContract: options.asset,
        },
        types: authorizationTypes,
        primaryType: 'TransferWithAuthorization',
        message: authorization,
      })
      return { authorization, signature }
    },
  }
}
