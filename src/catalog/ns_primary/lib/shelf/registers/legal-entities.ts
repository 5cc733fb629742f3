import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { code, needed, pageNumber, rowsUpTo, text, texts, words } from '../../source-fields.ts'

export const legalEntities = defineSource({
  summary: 'Companies and funds by their LEI: legal name, address, register number and status.',
  synonyms: ['lei lookup', 'legal entity identifier', 'company register', 'gleif', 'kyc company'],
  source: 'GLEIF',
  host: 'api.gleif.org',
  pacing: [{ requests: 60, windowMs: 60_000 }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    lei: code(/^[A-Z0-9]{18}\d{2}$/, 'the twenty characters of an LEI')
      .optional()
      .describe('Legal Entity Identifier, twenty characters.'),
    name: words.optional(),
    country: code(/^[A-Z]{2,3}$/, 'the two or three letters of a country: DE')
      .optional()
      .describe('Country, by its ISO code: DE or DEU.'),
    page: pageNumber,
    limit: rowsUpTo(100, 10),
  }),
  anyOf: ['lei', 'name'],
  row: z.object({
    lei: needed.describe('Legal Entity Identifier.'),
    name: needed.describe('Legal name.'),
    status: text.describe('ACTIVE or INACTIVE.'),
    category: text.describe('GENERAL, FUND, BRANCH and so on.'),
    jurisdiction: text.describe('Law under which it exists.'),
    register_number: text.describe('Number in the business register.'),
    address: texts.describe('Lines of the legal address.'),
    city: text.describe('City of the legal address.'),
    postal_code: text.describe('Postal code of the legal address.'),
    country: text.describe('Country of the legal address.'),
    headquarters_city: text.describe('City of the headquarters.'),
    headquarters_country: text.describe('Country of the headquarters.'),
    created: text.describe('When it was founded.'),
    lei_status: text.describe('ISSUED, LAPSED and so on.'),
    lei_renewal: text.describe('When the LEI must be renewed.'),
  }),
  example: { name: 'Example Holding', country: 'DE', limit: 2 },
  async read({ input: { lei, name, country, page, limit }, ask }) {
    const body = await ask.get(
      '/api/v1/lei-records',
      {
        'filter[lei]': lei,
        'filter[entity.legalName]': name,
        'filter[entity.legalAddress.country]': country,
        'page[number]': page,
        'page[size]': limit,
      },
      { headers: { accept: 'application/vnd.api+json' } },
    )
    const { total = null, lastPage = page } = body?.meta?.pagination ?? {}
    return {
      total,
      next_page: page < lastPage ? page + 1 : null,
      items: mapList(body?.data, ({ attributes: { lei: own, entity, registration } }) => ({
        lei: own,
        name: entity.legalName.name,
        status: entity.status,
        category: entity.category,
        jurisdiction: entity.jurisdiction,
        register_number: entity.registeredAs,
        address: entity.legalAddress?.addressLines,
        city: entity.legalAddress?.city,
        postal_code: entity.legalAddress?.postalCode,
        country: entity.legalAddress?.country,
        headquarters_city: entity.headquartersAddress?.city,
        headquarters_country: entity.headquartersAddress?.country,
        created: entity.creationDate,
        lei_status: registration?.status,
        lei_renewal: registration?.nextRenewalDate,
      })),
    }
  },
})
