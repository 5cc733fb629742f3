import { z } from 'zod'
import { type SettingValues, wholeNumber } from '#core/settings.ts'
import { address, privateKey } from '../../chains/settings.ts'

export const x402Settings = {
  X402_NETWORK: z
    .string()
    .regex(/^eip155:\d+$/, 'must look like eip155:8453')
    .default('eip155:8453')
    .describe('Chain on which wallets pay by x402, as CAIP-2. The default is Base.'),
  X402_RPC_URL: z
    .url()
    .optional()
    .describe('JSON-RPC endpoint of that chain. Without it nothing is sold over x402.'),
  X402_PAY_TO: address
    .optional()
    .describe('Address that receives x402 payments. The gateway does not need its key.'),
  X402_GAS_KEY: privateKey
    .optional()
    .describe(
      'Private key of the wallet that pays the gas of settlements. Not needed with a facilitator.',
    ),
  X402_REFUND_KEY: privateKey
    .optional()
    .describe('Private key of a small wallet that pays x402 refunds.'),
  X402_FACILITATOR_URL: z
    .url()
    .optional()
    .describe('A facilitator that settles payments instead of X402_GAS_KEY.'),
  X402_FACILITATOR_KEY: z
    .string()
    .optional()
    .describe('Bearer token for the facilitator, if it requires one.'),
  X402_MAX_TIMEOUT_SECONDS: wholeNumber(10, 86_400)
    .optional()
    .describe(
      'How long an x402 payment must stay valid. Unset: the longest time that its action may take, plus one minute.',
    ),
  X402_ASSET: address
    .optional()
    .describe('Token to be paid with. Unset: USDC on Base, or on Base Sepolia for eip155:84532.'),
  X402_ASSET_NAME: z
    .string()
    .optional()
    .describe('The token’s EIP-712 name, if X402_ASSET is set to another token.'),
  X402_ASSET_VERSION: z.string().default('2').describe('The token’s EIP-712 version.'),
  X402_FINAL_AFTER_BLOCKS: wholeNumber(1, 1_000_000)
    .optional()
    .describe(
      'Blocks after which an x402 payment is final. Unset: the node’s `finalized` block decides. Until then the payment is watched, and sent again if a reorganisation removes it.',
    ),
}

export type X402Settings = SettingValues<typeof x402Settings>
