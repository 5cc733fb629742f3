// Tax returns as the registry lists them, year by year, newest first.
import { z } from '#core/action.ts'

const amount = z.number().nullable()

export const yearObject = z.looseObject({
  year: z.int(),
  totrevenue: amount.describe('Revenue, dollars.'),
  totfuncexpns: amount.describe('Expenses, dollars.'),
  compnsatncurrofcr: amount.describe('Pay of current officers, dollars.'),
  othrsalwages: amount.describe('Other salaries and wages, dollars.'),
  totassetsend: amount.describe('Assets at the end of the year, dollars.'),
  totliabend: amount.describe('Liabilities at the end of the year, dollars.'),
  pdf_url: z.string().nullable(),
})

interface Return {
  readonly tax_prd_yr?: number
  readonly tax_prd?: number
  readonly pdf_url?: string | null
  readonly [field: string]: unknown
}

const amounts = [
  'totrevenue',
  'totfuncexpns',
  'compnsatncurrofcr',
  'othrsalwages',
  'totassetsend',
  'totliabend',
] as const

const yearOf = ({ tax_prd_yr, tax_prd }: Return) => tax_prd_yr ?? Math.floor((tax_prd ?? 0) / 100)
const newestFirst = (returns: readonly Return[]) =>
  returns.toSorted((one, other) => yearOf(other) - yearOf(one))

/** Returns that were published as data. Fields that a form lacks are null. */
export function yearsOf(returns: readonly Return[]) {
  return newestFirst(returns).map((filed) => ({
    year: yearOf(filed),
    ...Object.fromEntries(
      amounts.map((name) => [name, typeof filed[name] === 'number' ? filed[name] : null]),
    ),
    pdf_url: filed.pdf_url ?? null,
  }))
}

/** Returns that exist only as PDFs. */
export function pdfsOf(returns: readonly Return[]) {
  return newestFirst(returns).map((filed) => ({
    year: yearOf(filed),
    pdf_url: filed.pdf_url ?? null,
  }))
}
