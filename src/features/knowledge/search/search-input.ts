// What onesearch takes. The names of the fields are those of the specification.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { type Facet, facets, isReadingFacet, platforms } from './facets.ts'

/** Every facet can ask at least one source for its share of the price. */
const facetsMax = 5
/** The copies of an archive that a search pays for. */
export const archivedCopiesMax = 2
const urlsMax = 5
const sitesMax = 20
const resultsMax = 50
const tokensMaxLeast = 200
const tokensMaxMost = 100_000
const recencyDaysMax = 3_650

/** `https://www.Example.com/path` as `www.example.com`. */
const site = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/^https?:\/\//, '').replace(/[/?#].*$/, ''))
  .pipe(
    z
      .string()
      .max(253)
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host such as example.com'),
  )
const sites = z.array(site).min(1).max(sitesMax)

export const searchInput = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('What you want to know. Alone, its wording chooses the facets.'),
  facets: z
    .array(z.enum(facets))
    .min(1)
    .max(facets.length)
    .transform((list) => [...new Set(list)])
    .optional()
    .describe(
      `Kinds of sources to ask, each with an equal share of the price, which covers ${facetsMax}; the others are named in left_out. Default web, when you send another field that frames the search.`,
    ),
  timeCritical: z
    .boolean()
    .optional()
    .describe('Race two independent indexes, for web and news, and take what comes first.'),
  fidelityRequired: z
    .boolean()
    .optional()
    .describe('Return the whole text of the best pages, not only excerpts.'),
  recencyDays: z
    .int()
    .min(1)
    .max(recencyDaysMax)
    .optional()
    .describe('Only results of the last so many days.'),
  domains: sites.optional().describe('Only these sites, with their subdomains.'),
  excludeDomains: sites.optional().describe('Not these sites.'),
  maxResults: z.int().min(1).max(resultsMax).default(10).describe('Evidence items at most.'),
  max_tokens: z
    .int()
    .min(tokensMaxLeast)
    .max(tokensMaxMost)
    .optional()
    .describe('Tokens of the evidence at most: texts are cut, then items left out.'),
  urls: z
    .array(z.string().trim().min(1).max(2_048))
    .min(1)
    .max(urlsMax)
    .optional()
    .describe('Pages to read instead of searching.'),
  asOf: z
    .string()
    .trim()
    .regex(/^\d{8}$/, 'must be a day as YYYYMMDD')
    .refine((day) => isDay(day), { message: 'is not a day of the calendar' })
    .optional()
    .describe('Day, YYYYMMDD: read the archived copies of the pages nearest to it.'),
  platform: z
    .enum(platforms)
    .optional()
    .describe('With facet social: where to look. Default twitter.'),
})

export type SearchInput = z.output<typeof searchInput>

function isDay(day: string): boolean {
  const iso = day.replace(/^(....)(..)(..)$/, '$1-$2-$3')
  return z.iso.date().safeParse(iso).success
}

/** Throws `bad_request` for fields that do not go together. */
export function checkSearch(input: SearchInput): void {
  const problem = problemOf(input)
  if (problem !== undefined)
    throw fail('bad_request', { message: `${problem} Nothing was charged.` })
}

function problemOf(input: SearchInput): string | undefined {
  const { query, urls, asOf, platform, facets: named = [] } = input
  if (query === undefined && urls === undefined) return 'Send query, or urls to read.'
  const reading = named.filter(isReadingFacet)
  if (reading.length > 0 && urls === undefined)
    return `The facet ${reading[0]} reads pages: send urls with it.`
  if (reading.length > 0 && named.length > 1)
    return `The facet ${reading[0]} is asked alone: leave out the other facets.`
  if (named.includes('scrape-hard') && urls?.length !== 1)
    return 'The facet scrape-hard reads one page a call: send one address in urls.'
  if (named.includes('scrape-hard') && asOf !== undefined)
    return 'An archived copy needs no scrape-hard: leave out facets.'
  if (named.includes('social') && urls !== undefined)
    return 'The facet social searches by query: leave out urls.'
  if (platform !== undefined && !named.includes('social'))
    return 'The field platform goes with facets ["social"].'
  return undefined
}

/** The facets that the price covers, and those that are left out. One's own indexes cost nothing. */
export function splitFacets<Chosen extends { readonly facet: Facet }>(
  chosen: readonly Chosen[],
  { asOf }: Pick<SearchInput, 'asOf'>,
): { readonly covered: readonly Chosen[]; readonly leftOut: readonly Facet[] } {
  let left = facetsMax - (asOf === undefined ? 0 : archivedCopiesMax)
  const covered = chosen.filter(({ facet }) => facet === 'own' || left-- > 0)
  const leftOut = chosen.filter((each) => !covered.includes(each)).map(({ facet }) => facet)
  return { covered, leftOut }
}

/** Any of these says where or how to look, so the wording of the query does not decide. */
const frameFields = [
  'facets',
  'timeCritical',
  'fidelityRequired',
  'recencyDays',
  'domains',
  'excludeDomains',
  'asOf',
  'platform',
] as const satisfies readonly (keyof SearchInput)[]

/** The facets by the caller's own choice. Undefined where the wording of the query is to choose. */
export function framedFacets(input: SearchInput): readonly Facet[] | undefined {
  if (input.facets !== undefined) return input.facets
  return frameFields.some((name) => input[name] !== undefined) ? ['web'] : undefined
}
