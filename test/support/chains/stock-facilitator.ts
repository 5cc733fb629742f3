// The protocol's own x402 facilitator on the local chain.
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, nonceManager, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import type { DollarChain } from './dollar-chain.ts'
import type { Wallet } from './local-chain.ts'

/** Verifies payments, and settles them with the gas of this wallet. */
export function createStockFacilitator(
  chain: Pick<DollarChain, 'rpcUrl' | 'chainId'>,
  { privateKey }: Pick<Wallet, 'privateKey'>,
) {
  const client = createWalletClient({
    account: privateKeyToAccount(privateKey, { nonceManager }),
    chain: baseSepolia,
    transport: http(chain.rpcUrl),
    pollingInterval: 25,
  }).extend(publicActions)
  const signer = { ...client, address: client.account.address }
  return new x402Facilitator().register(
    `eip155:${chain.chainId}`,
    // The library expects a signer with fewer parameters than viem's client has.
    new ExactEvmScheme(
      toFacilitatorEvmSigner(signer as unknown as Parameters<typeof toFacilitatorEvmSigner>[0]),
    ),
  )
}
