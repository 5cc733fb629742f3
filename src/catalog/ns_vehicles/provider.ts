import { defineProvider } from '#core/provider.ts'
import { get } from './get.ts'
import { search } from './search.ts'

export const vehicles = defineProvider({
  id: 'ns_vehicles',
  title: 'NHTSA vPIC and fueleconomy.gov',
  docs: 'https://vpic.nhtsa.dot.gov/api/',
  upstream: {
    baseUrl: 'https://{host}',
    wallet: 'elsewhere',
    hosts: ['vpic.nhtsa.dot.gov', 'www.fueleconomy.gov'],
    pacing: [
      { requests: 5, windowMs: 1_000, host: 'vpic.nhtsa.dot.gov' },
      { requests: 5, windowMs: 1_000, host: 'www.fueleconomy.gov' },
    ],
  },
  actions: [search, get],
})
