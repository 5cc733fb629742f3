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

/** Half away from zero. */
function round(micros: bigint, unit: bigint): bigint {
  const size = micros < 0n ? -micros : micros
  const rounded = (size + unit / 2n) / unit
  return micros < 0n ? -rounded : rounded
}

/** Short: `$12.30` from one dollar on, `2.5¢` below it, `under 0.01¢` for the smallest. */
export function showUsd(usd: string): string {
  const micros = readUsd(usd)
  const size = micros < 0n ? -micros : micros
  const sign = micros < 0n ? '−' : ''
  if (size >= microsPerDollar) {
    const cents = round(size, microsPerCent)
    return `${sign}$${(cents / 100n).toLocaleString('en')}.${String(cents % 100n).padStart(2, '0')}`
  }
  if (size === 0n) return '0¢'
  const hundredths = round(size, microsPerCent / 100n)
  if (hundredths === 0n) return `${sign === '' ? '' : 'over −'}${sign === '' ? 'under ' : ''}0.01¢`
  const text = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
  return `${sign}${text.replace(/\.?0+$/, '') || '0'}¢`
}

/** All six places. */
export const showExactUsd = (usd: string): string => {
  const text = writeUsd(readUsd(usd))
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`
}

export const sumUsd = (amounts: readonly string[]): string =>
  writeUsd(amounts.reduce((sum, usd) => sum + readUsd(usd), 0n))

export const wrongDollars = 'Enter dollars, such as 25 or 0.50.'

/** Whole cents of what a person typed: `12`, `0.5`, `$12.30`. Undefined if it is not an amount in dollars of whole cents. */
export function readDollars(text: string): number | undefined {
  const [, whole, places = ''] = /^\$?\s*(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  return Number(whole) * 100 + Number(places.padEnd(2, '0'))
}

/** Cents of what a person typed, exact to the micro-dollar: `0.0035` is 0.35. Undefined if it is not an amount in dollars. */
export function readCents(text: string): number | undefined {
  const [, whole, places = ''] = /^\$?\s*(\d{1,7})(?:[.,](\d{1,6}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  return Number(`${whole}${places.padEnd(6, '0')}`) / 10_000
}
