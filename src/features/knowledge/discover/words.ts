// Text to terms: lower case, no stop words, light stemming, and one word for those that mean the same in a catalog.

/** Without their ending they would be other words. */
const wholeWords: ReadonlySet<string> = new Set(['wine'])

const stopWords = new Set(
  `a about all also am an and any are as at be been best but by can could did do does for from get give had has have hello help her him
   his how i if in into is it its just know let like list make many may me might much my need of on one or our out over please
   set shall should show so some something soon tell than that the their them there these they thing this those to up us use using want was we were
   what when where which while who whom whose why will with write mean call clean change would you your find look search see someone somebody anyone under below yet`.split(
    /\s+/,
  ),
)

/** People use these words for each other. The words are stemmed, and the first stands for all. */
const sameMeaning: readonly (readonly string[])[] = [
  [
    'company',
    'firm',
    'business',
    'corporation',
    'account',
    'vendor',
    'employer',
    'organisation',
    'organization',
  ],
  ['startup', 'start-up'],
  ['email', 'mail', 'e-mail', 'emails'],
  ['address', 'inbox'],
  ['person', 'people', 'human', 'individual'],
  ['page', 'webpage', 'site', 'website'],
  ['url', 'link'],
  ['job', 'vacancy', 'opening', 'position', 'role', 'posting'],
  ['hire', 'recruit', 'hiring'],
  ['fund', 'funding', 'raise', 'financing'],
  ['acquire', 'acquisition', 'buyout', 'takeover', 'merger', 'bought'],
  ['investor', 'vc', 'angel', 'backer'],
  ['similar', 'lookalike', 'alike', 'resemble'],
  ['competitor', 'rival', 'alternative'],
  ['tech', 'technology', 'software'],
  ['phone', 'telephone', 'mobile', 'number', 'cell'],
  ['paper', 'article', 'publication', 'study', 'preprint'],
  ['review', 'rating'],
  ['check', 'verify', 'verification', 'validate', 'validation', 'verifier'],
  ['picture', 'image', 'photo'],
  ['lawsuit', 'litigation', 'docket', 'case'],
  ['nonprofit', 'charity', 'foundation'],
  ['cancel', 'stop', 'abort', 'kill'],
  ['finish', 'done', 'complete', 'ready', 'progress', 'status', 'far'],
  ['executive', 'cto', 'ceo', 'cfo', 'cmo', 'ciso', 'coo', 'vp', 'leader', 'boss'],
  ['visitor', 'traffic', 'visit'],
  ['employee', 'staff', 'headcount', 'workforce'],
  ['twitter', 'tweet', 'x.com'],
  ['scrape', 'scraper', 'scraping', 'crawl', 'crawler'],
  ['month', 'week', 'today', 'yesterday', 'recent', 'recently', 'latest', 'new'],
]
const meaningOf = new Map(
  sameMeaning.flatMap((group) => group.map((word) => [stem(word), stem(group[0] ?? '')] as const)),
)

/** Plurals and the commonest endings, no more: what remains need not be a word, only the same for its forms. */
function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  const singular = word
    .replace(/(ss|us|is)$/, '$1\u0000')
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1\u0000')
    .replace(/s$/, '')
    .replace('\u0000', '')
  if (wholeWords.has(singular)) return singular
  const root = singular.replace(/(?<=\w{3})(ing|ed|er|ion|ment|ly)$/, '')
  return root.replace(/([^aeiouls])\1$/, '$1').replace(/(?<=\w{3})[ey]$/, '')
}

const stopStems = new Set([...stopWords].filter((word) => word.length > 3).map(stem))
const isStopWord = (word: string) =>
  word.length < 2 || stopWords.has(word) || (word.length > 4 && stopStems.has(stem(word)))

/** The words that have another one standing for them, as they are written, and its term. */
export const knownMeanings: ReadonlyMap<string, string> = new Map(
  sameMeaning.flatMap((group) => group.map((word) => [word, stem(group[0] ?? '')] as const)),
)

export interface Term {
  readonly text: string
  /** As it was written. */
  readonly word: string
}

/** The terms of a text, in order. */
export function termsOf(text: string): Term[] {
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\d]+(?:[-.&+#'’][\p{L}\d]+)*/gu)
  return (words ?? []).flatMap((raw) => {
    const word = raw.replace(/['’]s$/, '')
    if (isStopWord(word)) return []
    const parts = /[-.]/.test(word) && !meaningOf.has(stem(word)) ? word.split(/[-.]/) : [word]
    return parts
      .filter((part) => !isStopWord(part))
      .map((part) => ({ text: meaningOf.get(stem(part)) ?? stem(part), word: part }))
  })
}

/** Whether two words differ by at most `most` letters added, left out, changed or swapped with their neighbour. */
export function isWithin(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1]
      let cost = Math.min(
        (last[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (same ? 0 : 1),
      )
      if (one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    if (Math.min(...current) > most) return false
    before = last
    last = current
  }
  return (last[other.length] ?? Infinity) <= most
}
