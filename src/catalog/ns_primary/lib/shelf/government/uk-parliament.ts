import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { flag, rowsUpTo, text, words } from '../../source-fields.ts'

const houses = { commons: 1, lords: 2 } as const

export const ukParliament = defineSource({
  summary: 'Members of the UK Parliament: party, constituency, and since when they sit.',
  synonyms: ['member of parliament', 'mp lookup', 'house of lords', 'who is the mp'],
  source: 'UK Parliament',
  attribution: 'Contains Parliamentary information, Open Parliament Licence v3.0.',
  host: 'members-api.parliament.uk',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    name: words.optional(),
    house: z.enum(['commons', 'lords']).optional().describe('House of the UK Parliament.'),
    is_current: z.boolean().default(true).describe('Only those who sit now.'),
    limit: rowsUpTo(20, 20),
    offset: z.int().min(0).max(20_000).default(0),
  }),
  anyOf: ['name', 'house'],
  row: z.object({
    id: z.int().describe('Number of the member.'),
    name: text.describe('Name as displayed.'),
    full_title: text.describe('Name with all titles.'),
    party: text.describe('Party.'),
    house: text.describe('commons or lords.'),
    seat: text.describe('Constituency, or kind of peerage.'),
    since: text.describe('First day of the membership.'),
    until: text.describe('Last day of the membership; null while it lasts.'),
    is_active: flag.describe('Whether the member sits now.'),
  }),
  example: { name: 'Ada Example', limit: 2 },
  async read({ input: { name, house, is_current: isCurrent, limit, offset }, ask }) {
    const body = await ask.get('/api/Members/Search', {
      Name: name,
      House: house && houses[house],
      IsCurrentMember: isCurrent || undefined,
      skip: offset,
      take: limit,
    })
    return {
      total: body?.totalResults ?? null,
      items: mapList(body?.items, ({ value: member }) => {
        const seat = member.latestHouseMembership
        return {
          id: member.id,
          name: member.nameDisplayAs,
          full_title: member.nameFullTitle,
          party: member.latestParty?.name,
          house: { 1: 'commons', 2: 'lords' }[String(seat?.house)],
          seat: seat?.membershipFrom,
          since: seat?.membershipStartDate?.slice(0, 10),
          until: seat?.membershipEndDate?.slice(0, 10),
          is_active: seat?.membershipStatus?.statusIsActive,
        }
      }),
    }
  },
})
