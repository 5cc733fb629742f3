// Amounts arrive as decimal strings of dollars with six places. They are never turned into floating-point numbers.

const usdPattern = /^(-?)(\d+)(?:\.(\d{1,6}))?$/
const microsPerCent = 10_000n
const microsPerDollar = 1_000_000n

/** Integer micro-dollars. Throws for a text that is not an amount. */
export function readUsd(usd: string): bigint {
  const [, sign, whole = '', places = ''] = usdPattern.exec(usd) ?? []
  if (sign === undefined) throw new Error(`${usd} is not an amount.`)
  const micros = BigInt(whole) * microsPerDollar + BigInt(places.padEnd(6, '0'))
  return sign === '-' ? -micros : micros
}

export function writeUsd(micros: bigint): string {
  const size = micros < 0n ? -micros : micros
  const places = String(size % microsPerDollar).padStart(6, '0')
  return `${micros < 0n ? '-' : ''}${size / microsPerDollar}.${places}`
}

/** What was charged rounds up. What one can spend rounds down. */
export type Rounding = 'up' | 'down'

/** Whether a part of a unit counts as a whole one. A debt that is rounded down is a larger one. */
const isWholeUnit = (micros: bigint, rounding: Rounding): boolean =>
  (rounding === 'up') === micros >= 0n

/** Units that hold this size: all of it, or no more than it. */
const unitsOf = (size: bigint, unit: bigint, isWhole: boolean): bigint =>
  isWhole ? (size + unit - 1n) / unit : size / unit

/**
 * Short: `$12.30` from one dollar on, `2.5¢` below it, `under 0.01¢` for the smallest. What is taken is then exact,
 * because no bound of it reads well.
 */
export function showUsd(usd: string, rounding: Rounding = 'up'): string {
  const micros = readUsd(usd)
  const size = micros < 0n ? -micros : micros
  const isWhole = isWholeUnit(micros, rounding)
  const sign = micros < 0n ? '−' : ''
  if (size >= microsPerDollar) {
    const cents = unitsOf(size, microsPerCent, isWhole)
    return `${sign}$${(cents / 100n).toLocaleString('en')}.${String(cents % 100n).padStart(2, '0')}`
  }
  if (size === 0n) return '0¢'
  const hundredths = unitsOf(size, microsPerCent / 100n, isWhole)
  if (size < microsPerCent / 100n) return sign === '' ? 'under 0.01¢' : showExactUsd(usd)
  const text = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
  return `${sign}${text.replace(/\.?0+$/, '') || '0'}¢`
}

/** The most places of an amount in a column that is not exact. */
export const columnPlaces = 4

/**
 * For a column of amounts, which share one unit: dollars, with two to four places below one dollar, and two from there
 * on.
 */
export function columnUsd(usd: string, rounding: Rounding = 'up'): string {
  const micros = readUsd(usd)
  const size = micros < 0n ? -micros : micros
  if (size >= microsPerDollar) return showUsd(usd, rounding)
  const least = microsPerCent / 100n
  const sign = micros < 0n ? '−' : ''
  if (size > 0n && size < least) return sign === '' ? 'under $0.0001' : showExactUsd(usd)
  const units = unitsOf(size, least, isWholeUnit(micros, rounding))
  if (units === 10_000n) return `${sign}$1.00`
  return `${sign}$0.${String(units)
    .padStart(4, '0')
    .replace(/0{1,2}$/, '')}`
}

/** All six places. */
export const showExactUsd = (usd: string): string => {
  const text = writeUsd(readUsd(usd))
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`
}

export const sumUsd = (amounts: readonly string[]): string =>
  writeUsd(amounts.reduce((sum, usd) => sum + readUsd(usd), 0n))

export const wrongDollars = 'Enter dollars, such as 25 or 0.50.'

/**
 * Whole cents of what a person typed: `12`, `0.5`, `$12.30`. Undefined if it is not an amount in dollars of whole
 * cents.
 */
export function readDollars(text: string): number | undefined {
  const [, whole, places = ''] = /^\$?\s*(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  return Number(whole) * 100 + Number(places.padEnd(2, '0'))
}

/**
 * Cents of what a person typed, exact to the micro-dollar: `0.0035` is 0.35. Undefined if it is not an amount in
 * dollars.
 */
export function readCents(text: string): number | undefined {
  const [, whole, places = ''] = /^\$?\s*(\d{1,7})(?:[.,](\d{1,6}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  return Number(`${whole}${places.padEnd(6, '0')}`) / 10_000
}
