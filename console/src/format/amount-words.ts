// An amount as it is said, because a zero too many is read over.

const small = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
]
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const large = [
  [1_000_000, 'million'],
  [1_000, 'thousand'],
  [100, 'hundred'],
] as const

/** Whole numbers below a thousand million. */
function sayNumber(number: number): string {
  for (const [size, name] of large)
    if (number >= size) {
      const rest = number % size
      const head = `${sayNumber(Math.floor(number / size))} ${name}`
      return rest === 0 ? head : `${head} ${sayNumber(rest)}`
    }
  if (number < small.length) return small[number] ?? ''
  const ten = tens[Math.floor(number / 10) - 2] ?? ''
  return number % 10 === 0 ? ten : `${ten}-${small[number % 10]}`
}

/** `one thousand two hundred dollars and five cents`. */
export function sayDollars(cents: number): string {
  const [dollars, rest] = [Math.floor(cents / 100), cents % 100]
  const said = `${sayNumber(dollars)} ${dollars === 1 ? 'dollar' : 'dollars'}`
  return rest === 0 ? said : `${said} and ${sayNumber(rest)} ${rest === 1 ? 'cent' : 'cents'}`
}
