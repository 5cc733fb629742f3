import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { day, flag, needed, rowsUpTo, text } from '../../source-fields.ts'

export const ukElections = defineSource({
  summary: 'Elections in the United Kingdom, coming and past: what is elected, where and when.',
  synonyms: [
    'uk election dates',
    'next election',
    'local elections',
    'by-elections',
    'polling day',
  ],
  source: 'Democracy Club, Every Election',
  attribution: 'Contains data of Democracy Club, CC BY 4.0.',
  host: 'elections.democracyclub.org.uk',
  pacing: [{ requests: 1, windowMs: 1_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({
    postcode: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, 'must be a UK postcode: SW1A 1AA')
      .optional()
      .describe('UK postcode: SW1A 1AA.'),
    from: day.optional().describe('First day.'),
    to: day.optional().describe('Last day.'),
    kind: z
      .enum(['election', 'organisation', 'ballot'])
      .default('ballot')
      .describe('A ballot is one vote in one area; its groups are an organisation or an election.'),
    limit: rowsUpTo(100, 50),
  }),
  anyOf: ['postcode', 'from', 'to'],
  row: z.object({
    id: needed.describe('Identifier of the election.'),
    title: text.describe('Name of the election.'),
    day: needed.describe('Polling day.'),
    type: text.describe('Kind of election: local, parl, mayor.'),
    organisation: text.describe('The body that is elected.'),
    role: text.describe('The office.'),
    seats: z.int().nullish().describe('Seats to be filled.'),
    division: text.describe('The area that votes.'),
    voting_system: text.describe('How votes become seats.'),
    cancelled: flag.describe('Whether it was cancelled.'),
    requires_voter_id: text.describe('The law that asks voters for identification.'),
  }),
  example: { from: '2026-05-07', to: '2026-05-07', limit: 2 },
  async read({ input: { postcode, from, to, kind, limit }, ask }) {
    const body = await ask.get('/api/elections/', {
      format: 'json',
      postcode,
      poll_open_date__gte: from,
      poll_open_date__lte: to,
      identifier_type: kind,
      limit,
    })
    return {
      total: body?.count ?? null,
      items: mapList(body?.results, (row) => ({
        id: row.election_id,
        title: row.election_title,
        day: row.poll_open_date,
        type: row.election_type?.election_type,
        organisation: row.organisation?.official_name,
        role: row.elected_role,
        seats: row.seats_contested,
        division: row.division?.name,
        voting_system: row.voting_system?.name,
        cancelled: row.cancelled,
        requires_voter_id: row.requires_voter_id,
      })),
    }
  },
})
