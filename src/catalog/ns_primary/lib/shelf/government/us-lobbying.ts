import { z } from '#core/action.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { defineSource, mapList } from '../../source.ts'
import { figure, needed, pageNumber, rowsUpTo, text, texts, words } from '../../source-fields.ts'

/** Without a registration a caller may ask fifteen times a minute, and gets at most 25 rows a page. */
export const usLobbying = defineSource({
  summary: 'Who lobbies the US Congress and government: clients, firms, issues and payments.',
  synonyms: [
    'lobbying disclosure',
    'lobbyists',
    'lobbying spending',
    'lda filings',
    'who lobbies for',
  ],
  source: 'US Senate and House, Lobbying Disclosure Act',
  host: 'lda.gov',
  pacing: [{ requests: 15, windowMs: 60_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({
    client: words.optional().describe('Part of the name of who pays for the lobbying.'),
    registrant: words.optional().describe('Part of the name of the lobbying firm.'),
    lobbyist: words.optional().describe('Part of the name of a lobbyist.'),
    issue: words.optional().describe('Words of the lobbied issue: "CHIPS Act", semiconductors.'),
    year: z.int().min(1999).max(2100).optional().describe('Year.'),
    page: pageNumber,
    limit: rowsUpTo(25, 25),
  }),
  anyOf: ['client', 'registrant', 'lobbyist', 'issue'],
  row: z.object({
    id: needed.describe('Identifier of the filing.'),
    type: text.describe('Kind of filing: registration, quarterly report, termination.'),
    year: z.int().nullish().describe('Year that it covers.'),
    period: text.describe('Part of the year that it covers.'),
    client: text.describe('Who pays for the lobbying.'),
    client_description: text.describe('What the client does.'),
    registrant: text.describe('The lobbying firm, or the client itself.'),
    income_usd: figure.describe('What the client paid the firm in the period.'),
    expenses_usd: figure.describe('What the client itself spent in the period.'),
    posted_at: text.describe('When it was published.'),
    issues: texts.describe('General issue areas.'),
    details: texts.describe('What was lobbied for, in the words of the filing.'),
    lobbyists: texts.describe('Names of the lobbyists.'),
    government_entities: texts.describe('Chambers and agencies that were contacted.'),
    url: text.describe('The filing as a document.'),
  }),
  example: { client: 'Example Semiconductors', year: 2026, limit: 2 },
  async read({ input: { client, registrant, lobbyist, issue, year, page, limit }, ask }) {
    const body = await ask.get('/api/v1/filings/', {
      client_name: client,
      registrant_name: registrant,
      lobbyist_name: lobbyist,
      filing_specific_lobbying_issues: issue,
      filing_year: year,
      ordering: '-dt_posted',
      page,
      page_size: limit,
    })
    const hasMore = typeof body?.next === 'string'
    return {
      total: body?.count ?? null,
      next_page: hasMore ? page + 1 : null,
      items: mapList(body?.results, describeFiling),
    }
  },
})

interface Activity {
  readonly general_issue_code_display?: string
  readonly description?: string
  readonly lobbyists?: readonly {
    readonly lobbyist?: { readonly first_name?: string; readonly last_name?: string }
  }[]
  readonly government_entities?: readonly { readonly name?: string }[]
}

function describeFiling(row: UntypedJson) {
  const activities: readonly Activity[] = row.lobbying_activities ?? []
  const distinct = (read: (activity: Activity) => readonly unknown[]) => [
    ...new Set(activities.flatMap(read)),
  ]
  return {
    id: row.filing_uuid,
    type: row.filing_type_display,
    year: row.filing_year,
    period: row.filing_period_display,
    client: row.client?.name,
    client_description: row.client?.general_description,
    registrant: row.registrant?.name,
    income_usd: row.income,
    expenses_usd: row.expenses,
    posted_at: row.dt_posted,
    issues: distinct(({ general_issue_code_display: issue }) => [issue]),
    details: distinct(({ description }) => [description]),
    lobbyists: distinct(({ lobbyists = [] }) =>
      lobbyists.map(({ lobbyist: { first_name: first = '', last_name: last = '' } = {} }) =>
        `${first} ${last}`.trim(),
      ),
    ),
    government_entities: distinct(({ government_entities: entities = [] }) =>
      entities.map(({ name }) => name),
    ),
    url: row.filing_document_url,
  }
}
