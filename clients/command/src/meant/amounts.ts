import { UsageError } from '../usage-error.ts'

/** `12¢ ($0.120000)`: cents are rounded, and the dollars are exact. */
export const amount = (cents: number, usd: string) => `${cents}¢ (${dollars(usd)})`

/** `$0.020000`, and `-$0.000002` of what was taken. */
export const dollars = (usd: string) => (usd.startsWith('-') ? `-$${usd.slice(1)}` : `$${usd}`)

const centsPerDollar = 100

/** Whole cents of what a person types: `500`, `500¢`, `$5`, `$5.00`. Throws UsageError. */
export function centsOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, cents] = /^(\d{1,12})¢?$/.exec(text) ?? []
  if (cents !== undefined) return Number(cents)
  const [, dollars, hundredths = '0'] = /^\$(\d{1,10})(?:\.(\d{2}))?$/.exec(text) ?? []
  if (dollars !== undefined) return Number(dollars) * centsPerDollar + Number(hundredths)
  // An unquoted $5 is a variable of the shell, which is empty.
  const eaten = /^(\.\d+)?$/.test(text) ? ' The shell reads $5 as a variable: quote it.' : ''
  throw new UsageError(
    `--${option} takes whole cents, such as 500, or dollars, such as '$5' or '$5.25', and not "${text}".${eaten}`,
  )
}

/** A whole number. Throws UsageError. */
export function wholeNumber(name: string, text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text) && Number(text) >= least) return Number(text)
  const from = least === 0 ? '' : ` from ${least} on`
  throw new UsageError(`--${name} must be a whole number${from}, and not "${text}".`)
}
