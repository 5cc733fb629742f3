// Courts, rules, patents, and registries of entities.
import type { SourceResult } from '../evidence.ts'
import {
  firstDay,
  identifierOf,
  isoDay,
  type SearchSource,
  shorten,
  snippetOf,
  subjectOf,
  textOf,
} from './source.ts'

const documentsPerSource = 15

interface Opinion {
  readonly caseName?: string | null
  readonly court?: string | null
  readonly dateFiled?: string | null
  readonly citation?: readonly string[] | null
  readonly docketNumber?: string | null
  readonly opinions?: readonly { readonly snippet?: unknown }[] | null
  readonly url: string | null
}

export const caseLaw: SearchSource = {
  id: 'ns_courts/cases',
  isDated: true,
  async search(question, call) {
    const start = firstDay(question)
    const { results } = await call<{ results: Opinion[] }>('ns_courts/cases', {
      q: shorten(question.text, 1_000),
      ...(start && { filed_after: start }),
    })
    return results.flatMap(readCase)
  },
}

export const dockets: SearchSource = {
  id: 'ns_courts/dockets',
  async search(question, call) {
    const docket_number = identifierOf(question, 'docket number')
    const { results } = await call<{ results: Opinion[] }>(
      'ns_courts/dockets',
      docket_number === undefined ? { q: subjectOf(question, 400) } : { docket_number },
    )
    return results.flatMap(readCase)
  },
}

function readCase(found: Opinion): SourceResult[] {
  const { url, caseName, court, citation, docketNumber, dateFiled, opinions } = found
  if (url === null) return []
  const said = opinions?.[0]?.snippet
  return [
    {
      url,
      title: caseName ?? docketNumber ?? url,
      primary: true,
      ...textOf(
        snippetOf(
          court,
          citation?.join(', '),
          docketNumber,
          typeof said === 'string' && said.trim(),
        ),
        caseName,
        dateFiled,
      ),
      ...(docketNumber && { docket: docketNumber }),
      ...(dateFiled && { published_at: dateFiled }),
    },
  ]
}

interface Rule {
  readonly document_number: string
  readonly title?: string | null
  readonly type?: string | null
  readonly abstract?: string | null
  readonly publication_date?: string | null
  readonly html_url?: string | null
}

export const federalRules: SearchSource = {
  id: 'ns_fedrules/search',
  isDated: true,
  async search(question, call) {
    const start = firstDay(question)
    const { results } = await call<{ results: Rule[] }>('ns_fedrules/search', {
      term: shorten(question.text, 500),
      per_page: documentsPerSource,
      ...(start && { date_gte: start, date_lte: isoDay(question.now) }),
    })
    return results.flatMap((rule) => {
      const { html_url: url, title, document_number, type, abstract, publication_date } = rule
      if (!url) return []
      return {
        url,
        title: title ?? document_number,
        primary: true,
        ...textOf(abstract && snippetOf(type, abstract), title, type, publication_date),
        ...(publication_date && { published_at: publication_date }),
      }
    })
  },
}

interface Section {
  readonly citation: string
  readonly title: string
  readonly snippet: string
  readonly url: string
}

/** The rules in force, by section. */
export const codeOfRules: SearchSource = {
  id: 'ns_regs/search',
  async search(question, call) {
    const query = identifierOf(question, 'CFR citation') ?? shorten(question.text, 500)
    const { results } = await call<{ results: Section[] }>('ns_regs/search', { query })
    return results.map(({ citation, title, snippet, url }) => ({
      url,
      title: `${citation}: ${title}`,
      snippet,
      primary: true,
    }))
  },
}

interface Application {
  readonly application_number: string
  readonly title: string | null
  readonly filing_date: string | null
  readonly status: string | null
  readonly patent_number: string | null
  readonly applicants: readonly string[]
}

const unlessPatents = ({ text }: { readonly text: string }) =>
  /\bpatent|\binvent(?:ion|or)|\bassignee/i.test(text)
    ? undefined
    : 'the question is not about patents'

export const patents: SearchSource = {
  id: 'ns_patents/patents',
  isDated: true,
  unfit: unlessPatents,
  async search(question, call) {
    const start = firstDay(question)
    const { results } = await call<{ results: Application[] }>('ns_patents/patents', {
      q: shorten(question.text, 1_000),
      limit: documentsPerSource,
      ...(start && { date_gte: start }),
    })
    return results.map(readApplication)
  },
}

export const assignees: SearchSource = {
  id: 'ns_patents/assignees',
  isDated: true,
  unfit: (question) =>
    unlessPatents(question) ??
    (question.slots.entities.length === 0 ? 'the question names no organization' : undefined),
  async search(question, call) {
    const { results } = await call<{ results: Application[] }>('ns_patents/assignees', {
      organization: subjectOf(question, 200),
      limit: documentsPerSource,
    })
    return results.map(readApplication)
  },
}

function readApplication(found: Application): SourceResult {
  const { application_number, title, filing_date, status, patent_number, applicants } = found
  return {
    url:
      patent_number === null
        ? `https://patentcenter.uspto.gov/applications/${application_number}`
        : `https://patents.google.com/patent/US${patent_number.replace(/^0+/, '')}`,
    title: title ?? `Application ${application_number}`,
    snippet: snippetOf(
      title,
      applicants.join(', '),
      status,
      patent_number && `US ${patent_number}`,
    ),
    primary: true,
    ...(filing_date && { published_at: filing_date }),
  }
}
