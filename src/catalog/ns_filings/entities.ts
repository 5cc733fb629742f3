import { defineAction, z } from '#core/action.ts'
import type { ProviderHttp } from '#core/ports.ts'
import { type Registrant, readCompanyFeed, readCompanyPage } from './lib/company-search.ts'
import { mergeRegistrants } from './lib/registrants.ts'

const entitiesMax = 100
/** EDGAR renews the list of traded companies about once a day. */
const tickersRememberedSeconds = 21_600

async function searchRegistrants(http: ProviderHttp, asked: string): Promise<Registrant[]> {
  // The search reads the beginning of a name: a possessive would find no one, and without it "Macy's" is found too.
  const q = asked.replace(/(?<=\S)['’]s?$/, '')
  const ask = (output: 'atom' | undefined): Promise<string> =>
    http.get('/cgi-bin/browse-edgar', {
      host: { host: 'www' },
      query: { action: 'getcompany', company: q, owner: 'include', count: entitiesMax, output },
      as: 'text',
    })
  const found = readCompanyFeed(await ask('atom'))
  if (found.every(({ name }) => name !== null)) return found
  const names = readCompanyPage(await ask(undefined))
  return found.map((entity) => ({ ...entity, name: entity.name ?? names.get(entity.cik) ?? null }))
}

export const entities = defineAction('entities', {
  summary:
    'Map a company name or ticker to the CIKs of SEC registrants, families of SPVs included.',
  notes:
    'Joins the list of traded companies with the search of all registrants, which finds funds and SPVs by the beginning of their name ("Forge Investments" lists the series). Give the CIK to ns_filings/filings, /concept or /document.',
  synonyms: ['cik lookup', 'company search', 'ticker to cik', 'registrant', 'spv', 'fund family'],
  questions: [
    'what is the CIK of Apple?',
    'which funds belong to this sponsor?',
    'is this company registered with the SEC?',
  ],
  cacheSeconds: 3_600,
  input: z.strictObject({
    q: z.string().trim().min(1).max(150).describe('Name, beginning of a name, or ticker.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    total: z.int(),
    truncated: z.boolean().describe('There are more: ask for a longer name.'),
    entities: z.array(
      z.looseObject({
        cik: z.string().describe('Ten digits.'),
        name: z.string().nullable(),
        tickers: z.array(z.string()),
        state: z.string().nullable(),
        sic: z.string().nullable(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { q: 'Robinhood' }, cents: 1 },
  takes: { ticker: { fills: (q) => ({ q }) } },
  async run({ input, http }) {
    const [tickers, registrants] = await Promise.all([
      http.get('/files/company_tickers.json', {
        host: { host: 'www' },
        rememberSeconds: tickersRememberedSeconds,
      }),
      searchRegistrants(http, input.q),
    ])
    const all = mergeRegistrants(input.q, tickers, registrants)
    return {
      provider: 'SEC EDGAR',
      total: Math.min(all.length, entitiesMax),
      truncated: all.length > entitiesMax || registrants.length >= entitiesMax,
      entities: all.slice(0, entitiesMax),
    }
  },
})
