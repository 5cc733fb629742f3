import { defineProvider } from '#core/provider.ts'
import { balance } from './balance.ts'
import { deepResearch } from './deep-research.ts'
import { jobControl } from './job-control.ts'
import { lookalikes } from './lookalikes.ts'
import { lookalikesBulk } from './lookalikes-bulk.ts'
import { lookupCompanies } from './lookup-companies.ts'
import { options } from './options.ts'
import { results } from './results.ts'
import { tamBuild } from './tam-build.ts'
import { techCompanies } from './tech-companies.ts'
import { techIntent } from './tech-intent.ts'

export const companyDiscovery = defineProvider({
  id: 'ns_company',
  title: 'OpenFunnel',
  docs: 'https://docs.openfunnel.dev',
  upstream: {
    baseUrl: 'https://api.openfunnel.dev',
    credential: {
      aliases: ['OPENFUNNEL_API_KEY'],
      attach: (key) => ({ headers: { 'x-api-key': key } }),
    },
    // Deep research runs while the request waits.
    timeoutMs: 120_000,
  },
  actions: [
    lookalikes,
    lookalikesBulk,
    tamBuild,
    techCompanies,
    techIntent,
    deepResearch,
    lookupCompanies,
    options,
    results,
    jobControl,
    balance,
  ],
})
