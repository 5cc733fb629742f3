// What all payment rails have in common. The settings of one rail stand in its folder.
import { type SettingValues, wholeNumber } from '#core/settings.ts'
import { privateKey } from './chains/settings.ts'

export const moneySettings = {
  UPSTREAM_WALLET_KEY: privateKey
    .optional()
    .describe(
      'Private key of a small wallet that buys from sellers who take payments instead of API keys. It pays with the tokens and networks of the payment rails.',
    ),
  SETTLE_BEFORE_CENTS: wholeNumber(0, 100_000_000)
    .default(50)
    .describe(
      'A wallet’s payment of at least this price is settled before the call runs, and refunded if the call fails.',
    ),
  UNCHARGED_DAY_CENTS_MAX: wholeNumber(0, 100_000_000)
    .default(100)
    .describe(
      'What the calls of one account that end without a charge may cost the operator per day (UTC), in cents, beside a tenth of what the account was charged that day. Further calls are refused with 429.',
    ),
  REFUND_DUST_CENTS: wholeNumber(0, 10_000)
    .default(1)
    .describe('A remainder below this amount is not refunded to a wallet.'),
  CONFIRMATIONS: wholeNumber(1, 1_000)
    .default(1)
    .describe('Blocks, its own included, after which a payment counts as settled.'),
}

export type MoneySettings = SettingValues<typeof moneySettings>

/** What every rail is given besides its own settings. The key of the wallet that buys is not for rails that sell. */
export type SharedByRails = Omit<MoneySettings, 'UPSTREAM_WALLET_KEY'>
