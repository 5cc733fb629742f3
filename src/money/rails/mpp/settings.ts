import { z } from 'zod'
import { type SettingValues, wholeNumber } from '#core/settings.ts'
import { address, privateKey } from '../../chains/settings.ts'

export const mppSettings = {
  MPP_RPC_URL: z
    .url()
    .optional()
    .describe('JSON-RPC endpoint of Tempo. Without it nothing is sold over MPP.'),
  MPP_CHAIN_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .default(4217)
    .describe('Tempo’s chain id: 4217 is the main network, 42431 the test network.'),
  MPP_CURRENCY: address
    .default('0x20c000000000000000000000b9537d11c60e8b50')
    .describe('TIP-20 token to be paid with. The default is USDC.e.'),
  MPP_RECIPIENT: address
    .optional()
    .describe('Address that receives MPP payments. The gateway does not need its key.'),
  MPP_SECRET_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Signs MPP challenges. Unset: generated at the first start, and kept in the database for all its gateways.',
    ),
  MPP_SECRET_KEY_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe('The previous secret, still accepted during a rotation.'),
  MPP_REFUND_KEY: privateKey
    .optional()
    .describe('Private key of a small wallet that pays MPP refunds.'),
  MPP_ESCROW: address
    .optional()
    .describe(
      'Escrow of payment channels on Tempo (TIP-1034): 0x4d50500000000000000000000000000000000000. With it and MPP_SESSION_KEY, wallets may pay language models by an MPP session.',
    ),
  MPP_SESSION_KEY: privateKey
    .optional()
    .describe(
      'Private key of a small wallet that closes payment channels and pays the fees of that. What is captured goes to MPP_RECIPIENT.',
    ),
  MPP_SESSION_DEPOSIT: wholeNumber(10, 100_000)
    .default(100)
    .describe('Cents that an MPP session is advised to deposit.'),
  MPP_SESSION_IDLE: wholeNumber(60, 2_592_000)
    .default(3_600)
    .describe('Seconds without a call after which the gateway closes an MPP session.'),
  MPP_REALM: z
    .string()
    .optional()
    .describe('Name of this gateway in MPP challenges. Unset: the host of its public address.'),
  MPP_CHALLENGE_TTL: wholeNumber(30, 86_400)
    .default(300)
    .describe('Seconds for which an MPP challenge can be answered.'),
  MPP_FINAL_AFTER_BLOCKS: wholeNumber(1, 1_000_000)
    .optional()
    .describe(
      'Blocks after which an MPP payment is final. Unset: the node’s `finalized` block decides.',
    ),
}

export type MppSettings = SettingValues<typeof mppSettings>
