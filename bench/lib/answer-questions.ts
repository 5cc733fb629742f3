// Questions over the replayed registries, each in five wordings, and what must come first.
import {
  addressOf,
  amountOf,
  companies,
  endOfYear,
  filingsOf,
  issuers,
  leiOf,
  noticesOf,
  pages,
  type ReplayedCompany,
  yearsOf,
} from './replayed-registries.ts'

/** An item of the evidence, as callers read it. */
export interface AnsweredItem {
  readonly url: string
  readonly title: string
  readonly snippet: string | null
  readonly content: string | null
  readonly ids?: Readonly<Record<string, string>>
  readonly transaction_id: string | null
}

export interface AnswerQuestion {
  readonly facet: string
  readonly wordings: readonly string[]
  readonly isRight: (evidence: readonly AnsweredItem[]) => boolean
}

export const wordingNames = ['sentence', 'lower case', 'possessive', 'of', 'ticker or short']
const questionsPerFacet = 24
const asked = companies.slice(0, questionsPerFacet)
const possessive = (name: string) => (/s$/i.test(name) ? `${name}'` : `${name}'s`)

const metrics = [
  { figure: 'revenue', said: 'revenue', short: 'how much revenue' },
  { figure: 'net income', said: 'net income', short: 'net profit' },
  { figure: 'assets', said: 'total assets', short: 'total assets' },
]

function askFigure(company: ReplayedCompany, at: number): AnswerQuestion {
  const { called, ticker } = company
  const { figure, said, short } = metrics[at % metrics.length] as (typeof metrics)[number]
  const years = yearsOf(company)
  const year = at % 4 === 0 ? undefined : (years[at % 4] as number)
  const end = endOfYear(company, year ?? (years[0] as number))
  const amount = String(amountOf(company, figure, end))
  const inYear = year === undefined ? '' : ` in fiscal ${year}`
  const shortYear = year === undefined ? '' : ` ${year}`
  return {
    facet: 'financials',
    wordings: [
      `What ${said} did ${called} report${inYear}?`,
      `${called.toLowerCase()} ${said}${shortYear}`,
      `${possessive(called)} ${said}${shortYear}`,
      `${said} of ${called.toLowerCase()}${inYear}`,
      `${ticker} ${short}${shortYear}`,
    ],
    isRight: ([{ title } = { title: '' }]) => title.includes(amount) && title.includes(end),
  }
}

const forms = [
  { form: '10-K', said: '10-K', long: 'annual report' },
  { form: '10-Q', said: '10-Q', long: 'quarterly report' },
  { form: '8-K', said: '8-K', long: 'current report' },
  { form: 'DEF 14A', said: 'DEF 14A', long: 'proxy statement' },
]

function askFiling(company: ReplayedCompany, at: number): AnswerQuestion {
  const { called, ticker, cik } = company
  const { form, said, long } = forms[at % forms.length] as (typeof forms)[number]
  const year = form === '10-K' && at % 8 === 0 ? (yearsOf(company)[2] as number) : undefined
  const end = year === undefined ? undefined : endOfYear(company, year)
  // A year that ends in the next one is only known to those who know the company.
  const named = end === undefined ? '' : ` for ${end.slice(0, 4)}`
  const wanted = filingsOf(company).find(
    (each) => each.form === form && (end === undefined || each.reportDate === end),
  )
  const url = wanted && addressOf(cik, wanted)
  return {
    facet: 'filings',
    wordings: [
      `Show me the ${end === undefined ? 'latest ' : ''}${said} that ${called} filed with the SEC${named}`,
      `${called.toLowerCase()} ${said.toLowerCase()}${named}`,
      `${possessive(called)} ${long}${named}, SEC filing`,
      `${long} of ${called.toLowerCase()} on edgar${named}`,
      `${ticker} ${said}${named}`,
    ],
    isRight: ([first]) => first?.url === url,
  }
}

function askFunding({ cik, name, called }: (typeof issuers)[number]): AnswerQuestion {
  const [latest] = noticesOf({ cik, name, called })
  const url = latest && addressOf(cik, latest)
  return {
    facet: 'funding',
    wordings: [
      `Has ${called} raised money under Regulation D?`,
      `${called.toLowerCase()} form d`,
      `${possessive(called)} exempt offering`,
      `form d filing of ${called.toLowerCase()}`,
      `${called} private placement notice reg d`,
    ],
    isRight: ([first]) => first?.url === url,
  }
}

function askEntity(company: ReplayedCompany): AnswerQuestion {
  const { called, ticker, wikidata, cik } = company
  return {
    facet: 'compliance',
    wordings: [
      `Which legal entity is ${called}, and what are its LEI and CIK?`,
      `${called.toLowerCase()} lei`,
      `${possessive(called)} registry identifiers for kyc`,
      `legal entity identifier of ${called.toLowerCase()}`,
      `kyc ${ticker} LEI`,
    ],
    isRight: (evidence) => {
      const items = evidence.filter(({ ids, url }) => ids !== undefined || /wikidata/.test(url))
      const [first] = evidence
      if (items.length !== 1 || first?.url !== `https://www.wikidata.org/wiki/${wikidata}`)
        return false
      return Number(first.ids?.CIK) === Number(cik) && first.ids?.LEI === leiOf(company)
    },
  }
}

export const answerQuestions: readonly AnswerQuestion[] = [
  ...asked.map(askFigure),
  ...asked.map(askFiling),
  // Those at the end of the list have names that begin like others.
  ...[...issuers.slice(0, 15), ...issuers.slice(-9)].map(askFunding),
  ...asked.map(askEntity),
  ...pages.slice(0, questionsPerFacet).map(({ url, wordings }) => ({
    facet: 'docs',
    wordings,
    isRight: ([first]: readonly AnsweredItem[]) =>
      first?.url === url && first.content !== null && first.content !== '',
  })),
]
