import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { figure, rowsUpTo, text, usState } from '../../source-fields.ts'

const fields = 'CERT,NAME,ACTIVE,ADDRESS,CITY,STALP,ZIP,WEBADDR,ASSET,DEP,ROA,ESTYMD,REPDTE'
const thousand = 1_000

export const usBanks = defineSource({
  summary:
    'Banks insured by the FDIC: certificate, place, assets, deposits and whether they exist.',
  synonyms: ['fdic bank lookup', 'is my bank insured', 'bank assets', 'us bank directory'],
  source: 'FDIC BankFind',
  host: 'api.fdic.gov',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .min(2)
      .max(100)
      .regex(/^[\p{L}\p{N} .,'&-]+$/u, 'must be the words of a name')
      .optional(),
    certificate: z.int().min(1).max(999_999).optional().describe('FDIC certificate number.'),
    state: usState.optional(),
    is_active: z.boolean().default(true).describe('Only banks that exist today.'),
    limit: rowsUpTo(100, 20),
    offset: z.int().min(0).max(100_000).default(0),
  }),
  anyOf: ['name', 'certificate', 'state'],
  row: z.object({
    certificate: z.int().describe('FDIC certificate number.'),
    name: text.describe('Name of the bank.'),
    is_active: z.boolean().describe('Whether it exists today.'),
    address: text.describe('Street of the main office.'),
    city: text.describe('City.'),
    state: text.describe('State.'),
    postal_code: text.describe('ZIP code.'),
    website: text.describe('Web address.'),
    assets_usd: figure.describe('All assets at the last report.'),
    deposits_usd: figure.describe('All deposits at the last report.'),
    return_on_assets_percent: figure.describe('Return on assets of the year, in percent.'),
    founded: text.describe('Day of the foundation, month first.'),
    reported: text.describe('Day of the last report, month first.'),
  }),
  example: { name: 'Example Savings Bank', state: 'MA', limit: 2 },
  async read({ input, ask }) {
    const { name, certificate, state, is_active: isActive, limit, offset } = input
    const filters = [
      ...(isActive ? ['ACTIVE:1'] : []),
      ...(certificate === undefined ? [] : [`CERT:${certificate}`]),
      ...(state === undefined ? [] : [`STALP:"${state}"`]),
    ]
    const body = await ask.get('/banks/institutions', {
      filters: filters.length === 0 ? undefined : filters.join(' AND '),
      search: name === undefined ? undefined : `NAME:${name}`,
      fields,
      sort_by: 'ASSET',
      sort_order: 'DESC',
      limit,
      offset,
      format: 'json',
    })
    return {
      total: body?.meta?.total ?? null,
      items: mapList(body?.data, ({ data: bank }) => ({
        certificate: bank.CERT,
        name: bank.NAME,
        is_active: bank.ACTIVE === 1,
        address: bank.ADDRESS,
        city: bank.CITY,
        state: bank.STALP,
        postal_code: bank.ZIP,
        website: bank.WEBADDR,
        assets_usd: inUsd(bank.ASSET),
        deposits_usd: inUsd(bank.DEP),
        return_on_assets_percent: bank.ROA,
        founded: bank.ESTYMD,
        reported: bank.REPDTE,
      })),
    }
  },
})

/** Amounts are in thousands of dollars. */
const inUsd = (amount: unknown) => (typeof amount === 'number' ? amount * thousand : null)
