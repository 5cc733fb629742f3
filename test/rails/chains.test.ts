// The rails on real chains fulfil the contract of rails. test/payments tests the particulars of each.
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
