// Measures how often onesearch puts the right figure or document first, for 120 questions in five wordings each. The
// registries are replayed. --misses lists the questions with another first item; --facets names the facet instead of
// leaving it to the wording.
import { providers } from '#catalog/providers.ts'
import type { RunContext } from '#core/action.ts'
import { createCatalog, splitId } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, ServiceHttp } from '#core/ports.ts'
import type { PageTexts } from '#core/rooms/page-texts.ts'
import { createOnesearch } from '#features/knowledge/search/onesearch.ts'
import { type AnsweredItem, answerQuestions, wordingNames } from './lib/answer-questions.ts'
import { printTable } from './lib/print-table.ts'
import { pages as documentation, now, replayedHttp } from './lib/replayed-registries.ts'

const replayed: ReadonlySet<string> = new Set(['ns_filings', 'ns_knowledge', 'ns_semantic'])
const isNamed = process.argv.includes('--facets')
const facetNames: Readonly<Record<string, string>> = { filings: 'public-filings' }

const clock: Clock = { now: () => now, sleep: () => new Promise(() => {}) }
const catalog = createCatalog(
  providers.map((provider) => ({
    provider,
    mode: 'live',
    http: {} as ServiceHttp,
    close: async () => {},
  })),
)
const pages: PageTexts = {
  admit: (urls) => urls,
  read: async (urls) =>
    urls.map((url) => {
      const page = documentation.find((each) => each.url === url)
      const trouble = page === undefined ? 'no such page' : null
      const [content, title] = [page?.text ?? null, page?.title ?? null]
      return { url, content, title, publishedAt: null, source: 'http', trouble }
    }),
  textOf: async (html) => ({ title: null, content: html.replaceAll(/<[^>]*>/g, ' ').trim() }),
}
const action = createOnesearch({ catalog: () => catalog, clock, pages, ownNamespace: 'tollway' })

interface Result extends Answered {
  readonly facet: string
  readonly wording: number
  readonly right: boolean
  /** The address of the first item. */
  readonly first: string | null
}

interface Answered {
  readonly evidence: readonly AnsweredItem[]
  readonly cents: number
}

async function ask(query: string, facet: string): Promise<Answered> {
  const input = action.input.parse({
    query,
    ...(isNamed && { facets: [facetNames[facet] ?? facet] }),
  })
  let cents = 0
  const context = {
    input,
    clock,
    caller: { kind: 'account', accountId: 'a', keyId: 'k', isLimited: false },
    signal: new AbortController().signal,
    maxCents: 5,
    record: () => {},
    spend: () => {},
    keepAnswer: () => uuidv7(now),
    transactionId: uuidv7(now),
    available: (id: string) => replayed.has(splitId(id)[0]),
    async call(id: string, body: unknown) {
      const [provider, name] = splitId(id)
      const called = catalog.find(provider, name)?.action
      if (called === undefined) throw fail('not_found')
      const inner = {
        clock,
        input: called.input.parse(body),
        http: replayedHttp(provider),
      } as unknown as RunContext<never>
      const answer = called.output.parse(await called.run(inner as never))
      cents += 1
      return answer
    },
  } as unknown as RunContext<never>
  try {
    const { evidence } = (await action.run(context as never)) as { evidence: AnsweredItem[] }
    return { evidence, cents }
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown
    return { evidence: [], cents: 0 }
  }
}

const results: Result[] = []
for (const { facet, wordings, isRight } of answerQuestions) {
  for (const [wording, query] of wordings.entries()) {
    const { evidence, cents } = await ask(query, facet)
    const right = isRight(evidence)
    if (!right && process.argv.includes('--misses'))
      console.log(`- [${facet}] ${query} -> ${evidence[0]?.title ?? 'nothing'}`)
    results.push({ facet, wording, right, cents, evidence, first: evidence[0]?.url ?? null })
  }
}

const share = (part: readonly unknown[], all: readonly unknown[]) =>
  (part.length / Math.max(1, all.length)).toFixed(3)
const rightOf = (all: readonly Result[]) =>
  share(
    all.filter(({ right }) => right),
    all,
  )
const facets = [...new Set(answerQuestions.map(({ facet }) => facet))]
const isAny = () => true
const sets = [
  ...facets.map((name) => ({ name, isIn: ({ facet }: Result) => facet === name })),
  { name: 'all', isIn: isAny },
]
const items = results.flatMap(({ evidence }) => evidence)
const groups = answerQuestions.map((_, at) =>
  results.slice(at * wordingNames.length, (at + 1) * wordingNames.length),
)

console.log(
  `\n## Right first, ${answerQuestions.length} questions in ${wordingNames.length} wordings\n`,
)
printTable(
  ['facet', ...wordingNames, 'any', 'all five right', 'one first for all five'],
  sets.map(({ name, isIn }) => {
    const own = results.filter(isIn)
    const ownGroups = groups.filter((group) => group.every(isIn))
    const isWhole = ownGroups.filter((group) => group.every(({ right }) => right))
    const isSame = ownGroups.filter((group) =>
      group.every(({ first }) => first !== null && first === group[0]?.first),
    )
    return [
      name,
      ...wordingNames.map((_, wording) => rightOf(own.filter((each) => each.wording === wording))),
      rightOf(own),
      share(isWhole, ownGroups),
      share(isSame, ownGroups),
    ]
  }),
)
console.log(
  `\nItems with a text: ${share(
    items.filter(({ snippet, content }) => snippet || content),
    items,
  )}`,
)
console.log(
  `Items that cite a call: ${share(
    items.filter(({ transaction_id }) => transaction_id),
    items,
  )}`,
)
const answered = results.filter(({ cents }) => cents > 0)
console.log(
  `Cents of sources per answered search: ${(answered.reduce((sum, { cents }) => sum + cents, 0) / answered.length).toFixed(2)}`,
)
