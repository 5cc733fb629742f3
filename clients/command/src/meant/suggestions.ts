// What may be meant by a word that is not known.

/** Words of other programs, and what this one calls them. */
const otherWords: Readonly<Record<string, string>> = {
  account: 'whoami',
  'api-key': 'keys',
  'api-keys': 'keys',
  apikey: 'keys',
  apikeys: 'keys',
  billing: 'open',
  add: 'login --new',
  auth: 'login',
  browse: 'open',
  buy: 'run',
  call: 'run',
  cancel: 'job ID --cancel',
  catalog: 'actions',
  config: 'connect',
  console: 'open',
  cost: 'quote',
  create: 'login --new',
  credit: 'open',
  credits: 'balance',
  curl: 'run ACTION --body JSON',
  deposit: 'open',
  dashboard: 'open',
  docs: 'open --page docs',
  environment: 'gateways',
  estimate: 'quote',
  exec: 'run',
  execute: 'run',
  find: 'discover',
  fund: 'open',
  gateway: 'gateways',
  history: 'transactions',
  info: 'show',
  init: 'login --new',
  install: 'connect',
  key: 'keys',
  list: 'actions',
  ls: 'actions',
  me: 'whoami',
  models: 'actions',
  money: 'balance',
  pay: 'open',
  payments: 'transactions',
  price: 'quote',
  prices: 'actions',
  profile: 'gateways',
  recharge: 'open',
  register: 'login --new',
  search: 'discover',
  server: 'gateways',
  'sign-in': 'login',
  'sign-out': 'logout',
  'sign-up': 'login --new',
  signin: 'login',
  signout: 'logout',
  signup: 'login --new',
  spend: 'transactions',
  status: 'whoami',
  tail: 'logs --follow',
  token: 'keys',
  'top-up': 'open',
  topup: 'open',
  usage: 'transactions',
  user: 'whoami',
  version: '--version',
  wallet: 'balance',
}

export const inOurWords = (word: string): string | undefined =>
  Object.hasOwn(otherWords, word) ? otherWords[word] : undefined

/** At most a third of the letters may be wrong. */
const wrongShareMax = 1 / 3

/** The nearest name, or a name that has the word as a part. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const ranked = names
    .map((name) => ({ name, steps: stepsBetween(typed, name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(name.length * wrongShareMax)))
    .toSorted((one, other) => one.steps - other.steps)
  const [first] = ranked
  if (first !== undefined) return first.name
  return typed.length < 3 ? undefined : names.find((name) => name.toLowerCase().includes(typed))
}

/** Letters to change, add, leave out or swap with the next one. */
function stepsBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = current
  }
  return last[other.length] ?? 0
}

/** ` Did you mean …?`, or nothing. */
export const didYouMean = (suggestion: string | undefined) =>
  suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
