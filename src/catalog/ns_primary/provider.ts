import { defineProvider } from '#core/provider.ts'
import { createFetch } from './fetch.ts'
import type { AddedEndpoint } from './lib/added.ts'
import { shelfHosts, shelfPacing } from './lib/shelf/shelf.ts'

export const primary = (added: Readonly<Record<string, AddedEndpoint>> = {}) =>
  defineProvider({
    id: 'ns_primary',
    title: 'Primary sources',
    docs: 'https://www.weather.gov/documentation/services-web-api',
    upstream: {
      baseUrl: 'https://{host}',
      contactRequiredBy: 'MET Norway',
      hosts: [...new Set(['api.weather.gov', 'api.met.no', ...shelfHosts])],
      headers: { accept: 'application/geo+json, application/json' },
      pacing: [
        { requests: 5, windowMs: 1_000, host: 'api.weather.gov' },
        { requests: 10, windowMs: 1_000, host: 'api.met.no' },
        ...shelfPacing,
      ],
    },
    actions: [createFetch(added)],
  })
