// The rails on real chains keep the contract of rails. What is peculiar to each is tested in test/payments.
import { describe } from 'vitest'
import { paymentRails } from '#money/rails/rails.ts'
import {
  type ChainRail,
  payments,
  shareChains,
  sharePaidGateway,
} from '../payments/paid-gateway.ts'
import { answer } from '../payments/payers.ts'
import { contractSettings, testRail } from './contract.ts'

describe.skipIf(!payments.ok)(`rails on chains ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains, { env: contractSettings })

  for (const definition of paymentRails) {
    testRail(definition.title, () => ({
      definition,
      gateway: gateway(),
      pay: (challenged) =>
        answer(chains(), definition.id as ChainRail, challenged, chains().wallets.payer),
    }))
  }
})
