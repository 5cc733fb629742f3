// What in a question is an identifier, and which actions take one of its kind.

export interface Recognised {
  readonly kind: string
  readonly value: string
  /** Actions that take it, by preference, each with the parameters that it fills. */
  readonly takers: readonly { readonly id: string; readonly input: object }[]
}

interface Recogniser {
  readonly kind: string
  readonly pattern: RegExp
  readonly takers: (value: string) => readonly (readonly [id: string, input: object])[]
}

const digits = (text: string) => text.replace(/\D/g, '')
const host = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:com|org|net|io|ai|co|dev|app|gov|edu|eu|de|fr|uk|us|ch|it|es|nl|jp|in|info|me|xyz|so|to|ly)`

/** In this order: what one has taken is not there for the next. `{own}` stands for the gateway’s own namespace. */
const recognisers: readonly Recogniser[] = [
  {
    kind: 'LinkedIn profile',
    pattern: /(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(?:in|pub)\/[^\s"')]+/i,
    takers: (profile) => [
      ['ns_contact/linkedin-contacts', { profile }],
      ['ns_email_a/linkedin-finder', { url: profile }],
      ['ns_email_a/phone-finder', { url: profile }],
      ['ns_enrich/person-enrich', { social_media_url: profile }],
    ],
  },
  {
    kind: 'e-mail address',
    pattern: /[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/i,
    takers: (email) => [
      ['ns_contact/person-from-email', { email }],
      ['ns_email_a/enrich', { email }],
      ['ns_email_a/email-verifier', { email }],
      ['ns_contact/email-verify', { email }],
      ['ns_email_a/phone-finder', { email }],
      ['ns_enrich/person-enrich', { email }],
      ['ns_email_b/email-verification', { email }],
    ],
  },
  {
    kind: 'DOI',
    pattern: /(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?\b10\.\d{4,9}\/[^\s"'<>]+/i,
    takers: (id) => [['ns_scholar/work', { id }]],
  },
  {
    kind: 'URL',
    pattern: /https?:\/\/[^\s"')]+/i,
    takers: (url) => [
      ['{own}/onescrape', { urls: [url] }],
      ['scraping/scrape', { url }],
      ['ns_render_a/map', { url }],
      ['ns_archive/snapshots', { url }],
    ],
  },
  {
    kind: 'CFR citation',
    pattern: /\b\d{1,2}\s*(?:CFR|C\.F\.R\.)\s*(?:part\s*)?§?\s*\d+(?:\.\d+)?\b/i,
    takers: (citation) => [['ns_regs/resolve', { citation }]],
  },
  {
    kind: 'CIK',
    pattern: /\bCIK\s*#?:?\s*(\d{1,10})\b/i,
    takers: (cik) => [
      ['ns_filings/filings', { cik }],
      ['ns_filings/concept', { cik, concept: 'Revenues' }],
    ],
  },
  {
    kind: 'EIN',
    pattern: /\b(?:EIN\s*#?:?\s*)?(\d{2}-\d{7})\b|\bEIN\s*#?:?\s*(\d{9})\b/i,
    takers: (ein) => [['ns_nonprofit/nonprofit', { ein: digits(ein) }]],
  },
  {
    kind: 'NDC',
    pattern: /\b(?:NDC\s*#?:?\s*)?(\d{4,5}-\d{3,4}-\d{1,2})\b/i,
    takers: (ndc) => [['ns_drugs/search', { ndc }]],
  },
  {
    kind: 'NCT number',
    pattern: /\bNCT\d{8}\b/i,
    takers: (id) => [['ns_trials/get', { id }]],
  },
  {
    kind: 'VIN',
    pattern: /\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}\b/i,
    takers: (q) => [['ns_vehicles/search', { q }]],
  },
  {
    kind: 'Wikidata id',
    // Of one digit it is a quarter of a year.
    pattern: /\bQ[1-9]\d{1,9}\b/,
    takers: (id) => [['ns_knowledge/entity', { id }]],
  },
  {
    kind: 'ticker',
    pattern: /\$([A-Z]{1,5})\b|\b(?:ticker|symbol)\s+([A-Z]{1,5})\b/,
    takers: (q) => [['ns_filings/entities', { q }]],
  },
  {
    kind: 'flight number',
    pattern: /\b(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])\s?\d{2,4}\b(?!-|\s*(?:CFR|%))/,
    takers: (flight) => [['ns_flights/flights', { flight_iata: flight.replace(/\s/, '') }]],
  },
  {
    kind: 'run id',
    pattern: /\btrun_[\w-]+\b/,
    takers: (run_id) => [['ns_par/task-status', { run_id }]],
  },
  {
    kind: 'job or transaction id',
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/i,
    takers: (id) => [
      ['{own}/result', { job_id: id }],
      ['ns_company/results', { kind: 'tam', job_id: id }],
    ],
  },
  {
    kind: 'domain',
    pattern: new RegExp(String.raw`\b${host}\b`, 'i'),
    takers: (domain) => [
      ['ns_email_a/domain-search', { domain }],
      ['ns_jobs/technographics', { company_domain: domain }],
      ['ns_akta/company-enrich', { company: domain, sections: ['technology'] }],
      ['{own}/onescrape', { urls: [domain] }],
      ['ns_company/lookalikes', { seed_domains: [domain] }],
      ['ns_akta/website-traffic', { company: domain }],
      ['ns_email_a/email-finder', { domain, full_name: 'Jane Doe' }],
      ['ns_email_b/domain-scan', { domain }],
      ['ns_jobs/jobs', { company_domain_or: [domain], limit: 10 }],
    ],
  },
]

/** The identifiers of a question, and the question without them. */
export function recognise(
  query: string,
  ownNamespace: string,
): { found: Recognised[]; rest: string } {
  const found: Recognised[] = []
  let rest = query
  for (const { kind, pattern, takers } of recognisers) {
    const match = pattern.exec(rest)
    if (match === null) continue
    const value = match.slice(1).find((group) => group !== undefined) ?? match[0]
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    const named = takers(value).map(([id, input]) => ({
      id: id.replace('{own}', ownNamespace),
      input,
    }))
    found.push({ kind, value, takers: named })
  }
  return { found, rest }
}
