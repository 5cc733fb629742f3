import { defineProvider } from '#core/provider.ts'
import { productDetail } from './product-detail.ts'
import { productSearch } from './product-search.ts'
import { salesHistory } from './sales-history.ts'

export const sneakers = defineProvider({
  id: 'ns_sneakers',
  title: 'KicksDB',
  docs: 'https://docs.kicks.dev',
  upstream: {
    baseUrl: 'https://api.kicks.dev/v3',
    credential: {
      aliases: ['KICKSDB_API_KEY', 'KICKS_API_KEY'],
      attach: (key) => ({ headers: { authorization: key } }),
    },
    wallet: { rail: 'mpp', baseUrl: 'https://kicksdb.mpp.tempo.xyz/v3' },
  },
  actions: [productSearch, productDetail, salesHistory],
})
