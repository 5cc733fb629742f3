// The figures that questions ask for, and the names that reports give them.

import type { Slots } from './slots.ts'
import { figureTag, isOnlySubject } from './subject.ts'

/** The XBRL tags of a figure, the commonest first. Foreign companies use those of IFRS. */
const figures: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bgross (?:profit|margin)\b/i, ['GrossProfit']],
  [/\boperating (?:income|profit|loss|earnings)\b/i, ['OperatingIncomeLoss']],
  [/\b(?:r&d|research and development)\b/i, ['ResearchAndDevelopmentExpense']],
  [/\b(?:eps|earnings per share)\b/i, ['EarningsPerShareDiluted']],
  [
    /\b(?:net (?:income|loss|profit|earnings)|profit(?:s|able|ability)?|earnings|earn(?:ed|s)?|loss(?:es)?|lose[sd]?|lost|bottom line|gewinn|b[ée]n[ée]fice|beneficio|lucro|utile|winst|zysk)\b|прибыль|净利|純利益|순이익/i,
    ['NetIncomeLoss', 'ProfitLoss'],
  ],
  [/\b(?:stockholders|shareholders)['’]? equity\b/i, ['StockholdersEquity', 'Equity']],
  [/\bliabilities\b/i, ['Liabilities']],
  [
    /\b(?:assets|balance sheet|actifs?|activos|ativos|aktiva|bilanzsumme|attiv[oi])\b|активы|总资产|総資産|자산/i,
    ['Assets'],
  ],
  [/\bcash\b/i, ['CashAndCashEquivalentsAtCarryingValue']],
]
const revenue =
  /\b(?:revenues?|rev|sales|sell|sold|turnover|top line|financials?|figures?|numbers|results|fundamentals|money|how much|how big|growth|grow|grew|umsatz|ingresos|chiffre d.affaires)\b/i
export const revenueTags = [
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'Revenues',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
  'Revenue',
]

/** Undefined where the question names no figure, or revenue. */
export function tagsOf(text: string): readonly string[] | undefined {
  const [tag] = text.match(figureTag) ?? []
  return tag === undefined ? figures.find(([said]) => said.test(text))?.[1] : [tag]
}

/** A company by itself is asked for its revenue. */
export function namesFigure(text: string, slots: Slots): boolean {
  const isBare = slots.identifiers.some(({ kind }) => kind === 'CIK' || kind === 'ticker')
  return tagsOf(text) !== undefined || revenue.test(text) || isBare || isOnlySubject(text, slots)
}
