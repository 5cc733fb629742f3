import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { path } from '#core/path.ts'
import { defineSource, listIn, mapList } from '../../source.ts'
import { code, needed, rowsUpTo } from '../../source-fields.ts'

const year = z.int().min(1900).max(2100).optional()

export const worldIndicators = defineSource({
  summary: 'A figure about a country, year by year, from the World Bank: GDP, population, trade.',
  synonyms: ['gdp of a country', 'population of a country', 'world bank data', 'development data'],
  source: 'World Bank',
  attribution: 'World Bank Open Data, CC BY 4.0.',
  host: 'api.worldbank.org',
  pacing: [{ requests: 5, windowMs: 1_000 }],
  rememberSeconds: 86_400,
  input: z.strictObject({
    country: code(/^[A-Z]{2,3}$/, 'the two or three letters of a country: DE').describe(
      'Country, by its ISO code: DE or DEU.',
    ),
    indicator: code(/^[A-Z0-9.]{5,40}$/, 'an indicator: NY.GDP.MKTP.CD').describe(
      'Indicator: NY.GDP.MKTP.CD (GDP), SP.POP.TOTL (people), FP.CPI.TOTL.ZG (inflation), SL.UEM.TOTL.ZS (unemployment).',
    ),
    from_year: year.describe('First year.'),
    to_year: year.describe('Last year.'),
    limit: rowsUpTo(200, 20),
  }),
  row: z.object({
    year: needed.describe('Year.'),
    value: z.number().nullable().describe('The value; null where the bank has none.'),
    country: needed.describe('Name of the country.'),
    indicator: needed.describe('Name of the indicator, with its unit.'),
  }),
  example: { country: 'DE', indicator: 'NY.GDP.MKTP.CD', from_year: 2023, to_year: 2024 },
  async read({ input: { country, indicator, from_year: first, to_year: last, limit }, ask }) {
    const body = await ask.get(path`/v2/country/${country}/indicator/${indicator}`, {
      format: 'json',
      per_page: limit,
      date: spanOf(first, last),
    })
    const [head, rows] = listIn(body)
    const { message, total, lastupdated } = membersOf(head)
    // The service answers an unknown code with the status 200 and a message, and no figures with no list.
    if (message !== undefined) {
      throw fail('not_found', {
        message: 'The World Bank does not know this country or indicator. Nothing was charged.',
      })
    }
    return {
      total: total as number,
      updated: lastupdated ?? null,
      items: mapList(total === 0 ? [] : rows, (row) => ({
        year: row.date,
        value: row.value,
        country: row.country.value,
        indicator: row.indicator.value,
      })),
    }
  },
})

/** A year alone is that year. */
function spanOf(first: number | undefined, last: number | undefined): string | undefined {
  const years = [first ?? last, last ?? first].filter((year) => year !== undefined)
  return years.length === 0 ? undefined : years.join(':')
}
