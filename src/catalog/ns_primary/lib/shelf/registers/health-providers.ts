import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { defineSource, mapList } from '../../source.ts'
import { needed, rowsUpTo, text, texts, usState, words } from '../../source-fields.ts'

export const healthProviders = defineSource({
  summary:
    'Doctors, clinics and pharmacies in the US by their NPI: specialty, address and license.',
  synonyms: [
    'npi lookup',
    'doctor license',
    'physician directory',
    'health care provider',
    'nppes',
  ],
  source: 'CMS, NPPES NPI Registry',
  host: 'npiregistry.cms.hhs.gov',
  pacing: [{ requests: 5, windowMs: 1_000 }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    npi: z
      .string()
      .trim()
      .regex(/^\d{10}$/, 'must be ten digits')
      .optional()
      .describe('National Provider Identifier, ten digits.'),
    first_name: words.optional().describe('First name.'),
    last_name: words.optional().describe('Last name.'),
    organization: words.optional().describe('Name of a clinic, pharmacy or hospital.'),
    specialty: words.optional().describe('Specialty: Cardiology, Pharmacy.'),
    city: words.optional().describe('City.'),
    state: usState.optional(),
    limit: rowsUpTo(200, 20),
    offset: z.int().min(0).max(1_000).default(0),
  }),
  /** The registry refuses a search by state alone. */
  anyOf: ['npi', 'first_name', 'last_name', 'organization', 'specialty', 'city'],
  row: z.object({
    npi: needed.describe('National Provider Identifier.'),
    kind: text.describe('NPI-1 is a person, NPI-2 an organization.'),
    name: needed.describe('Name of the person or organization.'),
    credential: text.describe('Degree: MD, DO, NP.'),
    status: text.describe('A while the identifier is active.'),
    specialties: texts.describe('Specialties, the primary one first.'),
    licenses: texts.describe('State and number of each license.'),
    address: text.describe('Where patients are seen.'),
    city: text.describe('City.'),
    state: text.describe('State.'),
    postal_code: text.describe('ZIP code.'),
    phone: text.describe('Phone of the practice.'),
    since: text.describe('Day on which the identifier was given.'),
    updated: text.describe('Day of the last change.'),
  }),
  example: { last_name: 'Example', specialty: 'Cardiology', state: 'TX', limit: 2 },
  async read({ input, ask }) {
    const body = await ask.get('/api/', {
      version: '2.1',
      number: input.npi,
      first_name: input.first_name,
      last_name: input.last_name,
      organization_name: input.organization,
      taxonomy_description: input.specialty,
      city: input.city,
      state: input.state,
      limit: input.limit,
      skip: input.offset,
    })
    // The registry refuses parameters with the status 200.
    if (Array.isArray(body?.Errors)) {
      const told = body.Errors.map((row: { description?: unknown }) => String(row?.description))
      throw fail('bad_request', {
        message: 'The registry refused these parameters. data.provider_message quotes it.',
        data: { provider_message: told.join(' ').slice(0, 300) },
      })
    }
    return { items: mapList(body?.results, describeProvider) }
  },
})

function describeProvider(row: UntypedJson) {
  const { basic } = row
  const addresses: Record<string, string>[] = row.addresses ?? []
  const place = addresses.find((address) => address.address_purpose === 'LOCATION')
  const taxonomies: { desc?: string; primary?: boolean; state?: string; license?: string }[] =
    row.taxonomies ?? []
  const primaryFirst = taxonomies.toSorted(
    (one, other) => Number(other.primary ?? false) - Number(one.primary ?? false),
  )
  return {
    npi: String(row.number ?? ''),
    kind: row.enumeration_type,
    name:
      basic.organization_name ??
      [basic.first_name, basic.middle_name, basic.last_name].filter(Boolean).join(' '),
    credential: basic.credential,
    status: basic.status,
    specialties: [...new Set(primaryFirst.map(({ desc }) => desc))],
    licenses: [
      ...new Set(
        primaryFirst.flatMap(({ state, license }) =>
          license ? [[state, license].filter(Boolean).join(' ')] : [],
        ),
      ),
    ],
    address: [place?.address_1, place?.address_2].filter(Boolean).join(', '),
    city: place?.city,
    state: place?.state,
    postal_code: place?.postal_code,
    phone: place?.telephone_number,
    since: basic.enumeration_date,
    updated: basic.last_updated,
  }
}
