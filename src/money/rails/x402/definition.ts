import { defineRail } from '../definition.ts'
import { x402Settings } from './settings.ts'

export const x402 = defineRail({
  id: 'x402',
  title: 'x402',
  settings: x402Settings,
  requires: ['X402_RPC_URL', 'X402_PAY_TO'],
  payments: [{ name: 'payment-signature' }, { name: 'sign-in-with-x', signIn: true }],
  requestHeaders: ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'SIGN-IN-WITH-X'],
  responseHeaders: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
  notSellableCode: 'x402_not_sellable',
  async open(dependencies) {
    const { openX402 } = await import('./open.ts')
    return await openX402(dependencies)
  },
  buying: {
    requires: [],
    async open(dependencies) {
      const { openX402PayingWallet } = await import('./paying-wallet.ts')
      return openX402PayingWallet(dependencies)
    },
  },
})
