import { defineProvider } from '#core/provider.ts'
import { fetch } from './fetch.ts'

export const primary = defineProvider({
  id: 'ns_primary',
  title: 'Primary sources',
  docs: 'https://www.weather.gov/documentation/services-web-api',
  upstream: {
    baseUrl: 'https://{host}',
    hosts: ['api.weather.gov'],
    headers: { accept: 'application/geo+json, application/json' },
    courtesy: [{ requests: 5, windowMs: 1_000 }],
  },
  actions: [fetch],
})
