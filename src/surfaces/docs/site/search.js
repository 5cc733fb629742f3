// Finds sections of the documents. The gateway makes the index with it, and browsers search with the same file.

const stopWords = new Set(
  'a about also am an and any are as at be been but by did can could do does for from get had has have how i if in into is it its just me my of on or our out please so than that the their them then there these they this to too up us use used uses using very want was we what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** Words that mean much the same to a reader who does not know ours. */
const alike = [
  'price cost fee tariff expensive cheap pricing',
  'pay payment bill money fund spend',
  'charge bill invoice cost',
  'refund return chargeback',
  'account signup register registration agent tenant customer',
  'login signin sign passkey',
  'key token credential secret password apikey',
  'start install setup begin run quickstart',
  'error fail failure problem wrong broken trouble crash debug',
  'limit cap budget quota ceiling maximum max throttle',
  'call request invocation query',
  'repeat retry again twice double duplicate idempotency',
  'notify notification webhook callback event push hook wait',
  'approve approval confirm confirmation consent permission',
  'child sub delegate descendant',
  'pause suspend freeze disable block ban stop',
  'replica copy cluster instance several multiple scale balancer',
  'requirement need hardware memory ram cpu',
  'stuck hang waiting pending',
  'slow fast speed latency performance throughput',
  'rotate renew replace change',
  'allow restrict limit only scope permit',
  'test try demo trial play fake',
  'stream event sse token',
  'audit history log who trail',
  'next cursor pagination paginate page',
  'missing empty nothing none',
  'hold held reserve release void',
  'user person people customer member team',
  'unauthorized forbidden denied refuse invalid rejected',
  'upload attach attachment file',
  'report usage statistic analytics dashboard',
  'example sample snippet curl',
  'restart crash reboot recover',
  'fallback failover',
  'schedule cron timer',
  'encrypt encryption seal secret',
  'scrape crawl read website',
  'model llm gpt claude openai anthropic chat ai',
  'container docker compose kubernetes',
  'backup restore dump recover',
  'delete remove erase revoke forget cancel',
  'wallet crypto stablecoin usdc x402 onchain blockchain',
  'transaction statement receipt invoice history csv export',
  'mail email inbox smtp',
  'sell earn monetise monetize resell provider publish',
  'upgrade update version migrate',
  'plugin extend extension own custom',
  'topup deposit credit balance recharge refill money',
  'mcp agent cursor vscode tool assistant',
  'job async background long poll',
  'sandbox code execute python shell',
  'browser chromium puppeteer playwright',
  'picture image photo video audio media speech',
  'log monitor metric observability',
  'internet public tls https domain proxy',
  'privacy data keep store retention gdpr',
  'search find discover lookup query',
].map((line) => line.split(' '))

/** The beginning that forms of one word share: `prices`, `priced` and `pricing` are one. */
function stem(word) {
  if (word.length <= 3) return word
  for (const [ending, kept] of [
    ['ies', 'y'],
    ['sses', 'ss'],
    ['ations', 'at'],
    ['ation', 'at'],
    ['ments', ''],
    ['ings', ''],
    ['ing', ''],
    ['edly', ''],
    ['ied', 'y'],
    ['ed', ''],
    ['es', ''],
    ['s', ''],
    ['e', ''],
  ]) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    if (ending === 's' && word.endsWith('ss')) return word
    const root = word.slice(0, -ending.length) + kept
    return /([b-df-hj-np-tv-z])\1$/.test(root) && ending.length > 1 ? root.slice(0, -1) : root
  }
  return word
}

/** The words of a text that are searched for, as stems and in order. */
export function termsOf(text) {
  return wordsOf(text).map(stem)
}

const wordsOf = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word))

const stemsAlike = new Map()
for (const group of alike) {
  const stems = group.map(stem)
  for (const one of stems) stemsAlike.set(one, new Set([...(stemsAlike.get(one) ?? []), ...stems]))
}

/** BM25: how soon a word that is repeated counts no more, and how much a long section is held back. */
const saturation = 1.5
const lengthWeight = 0.6
/** What the other sections of a page add to its best one. */
const pageWeight = 0.15
/** What a word counts that was not typed itself. */
const weights = { typed: 1, beginning: 0.5, alike: 0.35, misspelt: 0.5 }
const snippetsMax = 8

/** The terms of the index that a word stands for, with their weights. `typed`: the last word, as it was typed. */
function meanings(word, typed, terms) {
  const found = new Map()
  const add = (term, weight) => {
    if (terms.has(term) && weight > (found.get(term) ?? 0)) found.set(term, weight)
  }
  add(word, 1)
  for (const other of stemsAlike.get(word) ?? []) add(other, other === word ? 1 : weights.alike)
  if (typed !== undefined && word.length >= 2)
    // `walle` becomes a wallet, although its stem is that of walls.
    for (const term of terms.keys())
      if (typed !== word && term.startsWith(typed)) add(term, weights.typed)
      else if (term.startsWith(word)) add(term, weights.beginning)
  if (found.size === 0 && word.length >= 4)
    for (const term of terms.keys()) if (differsByOne(word, term)) add(term, weights.misspelt)
  return found
}

/** One letter is another, missing, too many, or two have changed places. */
function differsByOne(one, other) {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const rests = [
    [one.slice(at + 1), other.slice(at + 1)],
    [one.slice(at + 1), other.slice(at)],
    [one.slice(at), other.slice(at + 1)],
    [one[at + 1] + one[at] + one.slice(at + 2), other.slice(at)],
  ]
  return rests.some(([left, right]) => left === right)
}

/** What the index holds is told in search.d.ts. */
export function openSearch({ pages, sections, terms: written }) {
  const meanWords = sections.reduce((sum, [, , , , words]) => sum + words, 0) / sections.length
  const terms = new Map(
    Object.entries(written).map(([term, text]) => {
      let section = 0
      const places = text.split(' ').map((place) => {
        const [step, count = '1'] = place.split('.')
        section += Number.parseInt(step, 36)
        return [section, Number.parseInt(count, 36)]
      })
      return [term, places]
    }),
  )

  /** A rare word says more of what is asked than one that is everywhere. A word that is nowhere says nothing. */
  const rarityOf = (word, found) =>
    found === 0 ? 0 : Math.log(1 + sections.length / (terms.get(word)?.length ?? found))

  function scoresOf(words, typed) {
    const scores = new Map()
    let total = 0
    words.forEach((word, at) => {
      const best = new Map()
      for (const [term, weight] of meanings(
        word,
        at === words.length - 1 ? typed : undefined,
        terms,
      )) {
        const places = terms.get(term)
        const rarity = Math.log(1 + sections.length / places.length)
        for (const [section, count] of places) {
          const long = 1 - lengthWeight + (lengthWeight * sections[section][4]) / meanWords
          const score = (weight * rarity * count) / (count + saturation * long)
          if (score > (best.get(section) ?? 0)) best.set(section, score)
        }
      }
      const weight = rarityOf(word, best.size)
      total += weight
      for (const [section, score] of best) {
        const sum = scores.get(section) ?? { score: 0, covered: 0 }
        scores.set(section, { score: sum.score + score, covered: sum.covered + weight })
      }
    })
    return { scores, total }
  }

  return function search(question, most = snippetsMax) {
    const said = wordsOf(question)
    const words = [...new Set(said.map(stem))]
    if (words.length === 0) return []
    const byPage = new Map()
    const { scores, total } = scoresOf(words, said.at(-1))
    for (const [section, { score, covered }] of scores) {
      const page = sections[section][0]
      const whole = score * pages[page][2] * (covered / total)
      const known = byPage.get(page) ?? { best: 0, sum: 0, section }
      const isBetter = whole > known.best
      byPage.set(page, {
        best: isBetter ? whole : known.best,
        section: isBetter ? section : known.section,
        sum: known.sum + whole,
      })
    }
    const scoreOf = ({ best, sum }) => best + pageWeight * Math.min(sum - best, best)
    return [...byPage]
      .sort(([, one], [, other]) => scoreOf(other) - scoreOf(one))
      .slice(0, most)
      .map(([page, { section }]) => {
        const [path, title] = pages[page]
        const [, anchor, heading, text] = sections[section]
        return { address: path + (anchor && `#${anchor}`), title, heading, text }
      })
  }
}
