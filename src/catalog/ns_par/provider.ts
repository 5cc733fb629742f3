import { defineProvider } from '#core/provider.ts'
import { extract } from './extract.ts'
import { search } from './search.ts'
import { task } from './task.ts'
import { taskStatus } from './task-status.ts'

export const par = defineProvider({
  id: 'ns_par',
  title: 'Parallel',
  docs: 'https://docs.parallel.ai/api-reference',
  upstream: {
    baseUrl: 'https://api.parallel.ai',
    credential: {
      aliases: ['PARALLEL_API_KEY'],
      attach: (key) => ({ headers: { 'x-api-key': key } }),
    },
    timeoutMs: 60_000,
    pacing: [{ requests: 600, windowMs: 60_000 }],
  },
  actions: [search, extract, task, taskStatus],
})
