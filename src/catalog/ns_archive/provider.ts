import { defineProvider } from '#core/provider.ts'
import { available } from './available.ts'
import { fetch } from './fetch.ts'
import { isMemento } from './lib/memento.ts'
import { snapshots } from './snapshots.ts'

export const archive = defineProvider({
  id: 'ns_archive',
  title: 'Internet Archive',
  docs: 'https://archive.org/help/wayback_api.php',
  upstream: {
    baseUrl: 'https://{host}',
    hosts: ['archive.org', 'web.archive.org'],
    timeoutMs: 45_000,
    responseBytesMax: 18_000_000,
    pacing: [
      { requests: 2, windowMs: 1_000, host: 'web.archive.org' },
      { requests: 5, windowMs: 1_000, host: 'archive.org' },
    ],
    failure({ status, headers, body }) {
      // Failed pages were archived too. Their status is the answer, not a failure of the archive.
      if (isMemento(headers)) return 200
      const reason = `${headers['x-archive-wayback-runtime-error'] ?? ''} ${typeof body === 'string' ? body : ''}`
      if (status !== 403 || !/AccessControlException|Blocked Site/i.test(reason)) return undefined
      return {
        code: 'not_found',
        message: 'The archive keeps this site from view, as its owner asked. Nothing was charged.',
      }
    },
  },
  actions: [snapshots, available, fetch],
})
