import { defineProvider } from '#core/provider.ts'
import { resolve } from './resolve.ts'
import { search } from './search.ts'

export const regs = defineProvider({
  id: 'ns_regs',
  title: 'eCFR',
  docs: 'https://www.ecfr.gov/developers/documentation/api/v1',
  upstream: {
    baseUrl: 'https://www.ecfr.gov',
    wallet: 'elsewhere',
    // Whole parts are long.
    responseBytesMax: 18_000_000,
    pacing: [{ requests: 5, windowMs: 1_000 }],
  },
  actions: [search, resolve],
})
