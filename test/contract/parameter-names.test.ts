// Compares the parameters that the specification names with the published schemas. Each of these names must be
// accepted. An action may accept further parameters.
import { expect, test } from 'vitest'
import { createPlatformProviders } from '#catalog/platform_data/providers.ts'
import { providers } from '#catalog/providers.ts'
import { type Action, z } from '#core/action.ts'

const resi =
  'url browser wait_for_selector js_snippet proxy_country timeout cookies return_page_source'
const indep = 'q count offset country search_lang freshness extra_snippets'
const cite =
  'q outputType structuredOutputSchema fromDate toDate includeDomains excludeDomains includeImages includeInlineCitations'
const signals = 'limit page date_preset dateFrom dateTo sort_by'
const press = 'query timespan startdatetime enddatetime'

const named: Readonly<Record<string, string>> = {
  // Web search.
  'ns_semantic/search':
    'query type numResults contents start_published_date end_published_date include_domains exclude_domains category',
  'ns_semantic/contents': 'urls ids text highlights summary',
  'ns_indep/search': `${indep} result_filter`,
  'ns_indep/news': indep,
  'ns_rag/search':
    'query max_results include_answer include_raw_content topic include_domains exclude_domains time_range country',
  'ns_rag/extract': 'urls format',
  'ns_cite/search': cite,
  'ns_cite/deep-search': cite,
  'ns_par/search': 'search',
  'ns_par/extract': 'urls objective',
  'ns_par/task': 'input processor',
  'ns_par/task-status': 'run_id',
  // Scraping.
  'scraping/scrape':
    'url formats only_main_content wait_for render_js stealth proxy_country provider',
  'ns_render_a/scrape': 'url formats onlyMainContent waitFor',
  'ns_render_a/crawl': 'url limit maxDepth',
  'ns_render_a/map': 'url',
  'ns_render_a/search': 'query limit',
  'ns_render_a/extract': 'urls prompt schema',
  'ns_render_b/scrape': 'url formats onlyMainContent waitFor stealth country renderJs jsonSchema',
  'ns_render_b/search': 'query scrapeOptions tbs sources',
  'ns_render_b/map': 'url',
  'ns_render_b/crawl': 'url maxPages maxDepth',
  'ns_render_b/crawl_status': 'id',
  'ns_render_b/extract': 'urls prompt schema basis',
  'ns_render_b/extract_status': 'id',
  'ns_resi/scrape': resi,
  'ns_resi/scrape_residential': resi,
  'ns_resi/markdown': resi,
  'ns_resi/extract': `${resi} extract_properties`,
  'ns_geo/scrape': 'url geo_location render',
  'ns_captcha/solve': 'task',
  'ns_captcha/result': 'taskId',
  // Lead and company intelligence.
  'ns_contact/people-search': 'job_title location seniority skills page_size',
  'ns_contact/linkedin-contacts': 'profile include_phone',
  'ns_contact/person-from-email': 'email',
  'ns_contact/email-verify': 'email',
  'ns_email_a/email-finder': 'domain company full_name',
  'ns_email_a/email-verifier': 'email',
  'ns_email_a/linkedin-finder': 'full',
  'ns_email_a/domain-search': 'domain company department country page limit',
  'ns_email_a/enrich': 'email',
  'ns_email_a/phone-finder': 'email domain',
  'ns_email_b/email-search': 'firstname lastname domainOrCompany',
  'ns_email_b/email-verification': 'email',
  'ns_email_b/domain-scan': 'domain',
  'ns_email_b/result': 'id mode limit',
  'ns_enrich/person-enrich': 'email phone social_media_url name company lite_enrich',
  'ns_enrich/company-funders': 'company_name company_domain',
  'ns_enrich/person-interactions': 'social_media_url type tweet_id',
  'ns_enrich/result': 'endpoint request_id',
  'ns_company/lookalikes':
    'seed_domains query limit min_employees max_employees funding_stages locations',
  'ns_company/lookalikes-bulk': 'seed_domains query limit',
  'ns_company/tech-companies': 'variations include_evidence',
  'ns_company/tech-intent': 'activity limit',
  'ns_company/deep-research': 'domain activity_question qualifier_question',
  'ns_company/results': 'kind job_id cursor',
  'ns_jobs/jobs':
    'job_title_or job_country_code_or posted_at_max_age_days company_domain_or limit page',
  'ns_jobs/companies': 'job_filters min_num_jobs_found limit',
  'ns_jobs/technographics': 'company_domain confidence',
  'ns_jobs/tech-catalog': 'q keyword_type keyword_type_not',
  'ns_signals/funding': `${signals} round round_flavor amount_min amount_max investor_name countries categories`,
  'ns_signals/acquisitions': `${signals} acquiring_company acquirer_countries`,
  'ns_signals/job-changes': `${signals} positions departments seniorities new_role`,
  'ns_signals/hiring': signals,
  'ns_signals/investors': `${signals} type ticket_size_min ticket_size_max`,
  'ns_signals/companies': signals,
  'ns_signals/people': signals,
  'ns_funding/deals': 'page_size sort_by deal',
  'ns_akta/company-enrich': 'sections',
  // Public records.
  'ns_filings/entities': 'q',
  'ns_filings/filings': 'cik',
  'ns_filings/fulltext': 'q forms startdt enddt from',
  'ns_filings/document': 'cik accession filename',
  'ns_filings/concept': 'cik concept',
  'ns_filings/index': 'date',
  'ns_courts/dockets': 'party_name q docket_number court case_name order_by',
  'ns_courts/cases': 'q',
  'ns_nonprofit/nonprofit_search': 'q state ntee',
  'ns_nonprofit/nonprofit': 'ein',
  'ns_regs/search': 'query agency',
  'ns_regs/resolve': 'citation',
  // Open data.
  'ns_archive/snapshots': 'url from to limit',
  'ns_archive/available': 'url timestamp',
  'ns_archive/fetch': 'url timestamp',
  'ns_encyclopedia/search': 'q lang',
  'ns_encyclopedia/page': 'title',
  'ns_knowledge/search': 'q',
  'ns_knowledge/entity': 'id',
  'ns_knowledge/sparql': 'query',
  'ns_patents/patents': 'q date_gte date_lte limit offset',
  'ns_patents/assignees': 'organization',
  'ns_press/news': `${press} maxrecords`,
  'ns_press/timeline': `mode ${press}`,
  'ns_scholar/works': 'search filter per_page',
  'ns_fedrules/search': 'term type agency date_gte date_lte per_page',
  'ns_vehicles/search': 'make model year q',
  'ns_drugs/search': 'q ndc',
  'ns_trials/search': 'q status phase',
  'ns_recalls/search': 'q',
  'ns_flights/flights': 'flight_iata dep_iata arr_iata airline_iata',
  'ns_flights/timetable': 'iataCode type',
  'ns_sneakers/product-search': 'marketplace query',
  'ns_sneakers/product-detail': 'marketplace id',
  'ns_sneakers/sales-history': 'marketplace id',
  'ns_newsletter/post': 'publication post',
  'ns_primary/fetch': 'endpoint',
  'ns_trends/fetch': 'endpoint keyword',
  // Direct vendor model actions.
  'ns_llm_a/messages': 'model max_tokens messages',
  'ns_llm_b/chat': 'model messages',
  'ns_llm_b/embeddings': 'model input',
  'ns_router/chat': 'model messages',
  // Commerce.
  'ns_fax/send': 'to file_url',
  'ns_postcard/send': 'roast type',
  'ns_wine/purchase': 'product quantity email gift_note order_id',
  'ns_jewelry/purchase': 'sku product_slug options gift_note',
}

const actions = new Map(
  providers.flatMap(({ id, actions }) => actions.map((action) => [`${id}/${action.name}`, action])),
)
const parametersOf = (action: Action | undefined) =>
  Object.keys((action && z.toJSONSchema(action.input, { io: 'input' }).properties) ?? {})

test.each(Object.entries(named))('%s takes %s', (id, names) => {
  const taken = parametersOf(actions.get(id))
  expect(names.split(' ').filter((name) => !taken.includes(name))).toEqual([])
})

test.each<[string, object]>([
  ['ns_par/search', { search: 'when was the United Nations founded?' }],
  ['ns_indep/search', { q: 'tea', freshness: '2026-01-01to2026-02-01', result_filter: 'web,news' }],
  ['ns_rag/search', { query: 'tea', include_raw_content: 'markdown', time_range: 'week' }],
  ['ns_semantic/search', { query: 'tea', type: 'deep-lite', contents: { text: true } }],
  ['ns_render_b/scrape', { url: 'https://example.com/', renderJs: null }],
  ['ns_render_b/search', { query: 'tea', tbs: 'qdr:w', sources: ['web', 'news'] }],
  ['ns_email_b/result', { mode: 'single', limit: 10 }],
  ['ns_signals/funding', { date_preset: 'last_30d', sort_by: 'occurred_at', limit: 50 }],
  ['ns_archive/available', { url: 'example.com', timestamp: '20260101' }],
  ['ns_fedrules/search', { term: 'tea', type: 'PRORULE' }],
  ['ns_trends/fetch', { endpoint: '/trend', keyword: 'tea' }],
  ['ns_jewelry/purchase', { ...buyer(), sku: 'R-1', gift_note: 'x'.repeat(300) }],
  ['ns_wine/purchase', { ...buyer(), product: 'cab-2019', quantity: 2, gift_note: 'For you' }],
])('%s accepts %o', (id, body) => {
  expect(actions.get(id)?.input.safeParse(body).error).toBeUndefined()
})

function buyer() {
  const address = { name: 'Ada Example', address_1: '1 Main St', city: 'Denver' }
  return { email: 'ada@example.org', shipping: { ...address, state: 'CO', zip: '80202' } }
}

test('every identifier that the specification names for platforms is a parameter of some action', () => {
  const taken = createPlatformProviders().flatMap(({ actions }) => actions.flatMap(parametersOf))
  const identifiers =
    'targetUrls jobTitles locations searchQuery searchTerms user_names startUrls postUrls username usernames hashtags keywords searchQueries searchStringsArray productUrls urls position url postURLs maxItems'
  expect(identifiers.split(' ').filter((name) => !taken.includes(name))).toEqual([])
})
