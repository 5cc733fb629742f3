// Numbers as people write them: `50`, `1,000`, `250k`, `1.5 million`, `twelve`, `a dozen`.

const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value] as const)

const named = new Map<string, number>([
  ...words,
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['seventy', 70],
  ['eighty', 80],
  ['ninety', 90],
  ['hundred', 100],
  ['a hundred', 100],
  ['a dozen', 12],
  ['dozen', 12],
  ['half a dozen', 6],
  ['a couple of', 2],
  ['zwei', 2],
  ['drei', 3],
  ['vier', 4],
  ['fünf', 5],
  ['zehn', 10],
  ['zwanzig', 20],
  ['deux', 2],
  ['trois', 3],
  ['cinq', 5],
  ['dix', 10],
  ['vingt', 20],
  ['dos', 2],
  ['tres', 3],
  ['cinco', 5],
  ['diez', 10],
  ['quince', 15],
  ['veinte', 20],
  ['dois', 2],
  ['dez', 10],
  ['vinte', 20],
  ['due', 2],
  ['tre', 3],
  ['cinque', 5],
  ['dieci', 10],
  ['venti', 20],
])

const sizes: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  mm: 1e6,
  million: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
}

const wordPattern = [...named.keys()].toSorted((one, other) => other.length - one.length).join('|')
const sizePattern = Object.keys(sizes).join('|')

/** One group. Not the beginning of a longer word or number. */
export const numberPattern = String.raw`(?<![\p{L}\d.,-])(\d{1,3}(?:[,.’' ]\d{3})+(?!\d)|\d+(?:\.\d+)?(?:\s?(?:${sizePattern})(?![\p{L}\d]))?(?!\d|[.,]\d|\p{L})|(?:${wordPattern})(?!\p{L}))`

/** Undefined if the text has another form. */
export function readNumber(text: string): number | undefined {
  const said = text.trim().toLowerCase()
  const word = named.get(said)
  if (word !== undefined) return word
  const grouped = /^\d{1,3}(?:[,.’' ]\d{3})+$/.test(said) ? said.replaceAll(/\D/g, '') : said
  const [, digits, size = ''] = /^(\d+(?:\.\d+)?)\s?([a-z]+)?$/.exec(grouped) ?? []
  if (digits === undefined) return undefined
  return Math.round(Number(digits) * (sizes[size] ?? 1) * 1000) / 1000
}
