import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { factObject } from './lib/fact-object.ts'
import { cik } from './lib/identifiers.ts'

/** Tried in this order. Foreign filers use the second. */
const taxonomies = ['us-gaap', 'ifrs-full'] as const

export const concept = defineAction('concept', {
  summary: 'Get every value that an SEC registrant has reported for one financial concept.',
  notes:
    'For revenue try RevenueFromContractWithCustomerExcludingAssessedTax first, then Revenues; also NetIncomeLoss, Assets. Companies change tags over the years: compare both. A value that was reported again in a later filing appears again; those with a frame are one per period. Looks in us-gaap, then in ifrs-full for foreign filers. Find the CIK with ns_filings/entities.',
  synonyms: [
    'xbrl',
    'revenue history',
    'financial data',
    'net income',
    'fundamentals',
    'earnings',
    'profit',
    'how much money a company makes',
  ],
  questions: [
    'what was the revenue of Apple in each year?',
    'how large are the assets of this company?',
    'is its net income growing?',
  ],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({
    cik,
    concept: z
      .string()
      .trim()
      .regex(/^[A-Za-z][A-Za-z0-9]{0,254}$/, 'must be an XBRL tag such as NetIncomeLoss')
      .describe('XBRL tag, spelled exactly: Assets, NetIncomeLoss, Revenues.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    cik: z.string(),
    entity: z.string().nullable(),
    taxonomy: z.string(),
    concept: z.string(),
    label: z.string().nullable(),
    description: z.string().nullable(),
    units: z.record(z.string(), z.array(factObject)),
  }),
  price: { cents: 1 },
  example: { input: { cik: '1744489', concept: 'AccountsPayableCurrent' }, cents: 1 },
  takes: { CIK: { place: 1, fills: (cik) => ({ cik, concept: 'Revenues' }) } },
  async run({ input, http }) {
    for (const taxonomy of taxonomies) {
      const { status, body } = await http.send({
        method: 'GET',
        path: path`/api/xbrl/companyconcept/${`CIK${input.cik}`}/${taxonomy}/${`${input.concept}.json`}`,
        host: { host: 'data' },
        accept: [404],
      })
      if (status === 404) continue
      return {
        provider: 'SEC EDGAR',
        cik: input.cik,
        entity: body.entityName ?? null,
        taxonomy,
        concept: body.tag ?? input.concept,
        label: body.label ?? null,
        description: body.description ?? null,
        units: body.units,
      }
    }
    throw fail('not_found', {
      message: `CIK ${input.cik} has never reported ${input.concept}, in ${taxonomies.join(' or ')}. Try another tag.`,
    })
  },
})
