import { defineRail } from '../definition.ts'
import { mppSettings } from './settings.ts'

export const mpp = defineRail({
  id: 'mpp',
  title: 'MPP',
  settings: mppSettings,
  requires: ['MPP_RPC_URL', 'MPP_RECIPIENT'],
  payments: [{ name: 'authorization', scheme: 'payment' }],
  requestHeaders: ['Accept-Payment', 'Payment-Session'],
  responseHeaders: [
    'Payment-Receipt',
    'Payment-Session',
    'Payment-Session-Snapshot',
    'WWW-Authenticate',
  ],
  async open(dependencies) {
    const { openMpp } = await import('./open.ts')
    return await openMpp(dependencies)
  },
  buying: {
    requires: ['MPP_RPC_URL'],
    async open(dependencies) {
      const { openMppPayingWallet } = await import('./paying-wallet.ts')
      return openMppPayingWallet(dependencies)
    },
  },
})
