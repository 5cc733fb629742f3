// How often discover names the right action, on questions labelled before it was tuned: first, and among the first five.
// A third of them, by the hash of their text, is held out: --held-out shows which of those fail, so use it last.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { providers } from '#catalog/providers.ts'
import { type Catalog, createCatalog } from '#core/catalog.ts'
import { credentialNames, defineProvider } from '#core/provider.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { openOwnActions, ownNamespace } from '../test/own-actions.ts'
import { silentLog as log } from '../test/silent-log.ts'

interface Question {
  readonly query: string
  /** The actions that answer it; none for what no action answers. */
  readonly labels: readonly string[]
  readonly heldOut: boolean
}

const roundsOfLatency = 5
/** It makes a provider that sells to wallets available, and is never asked to pay. */
const wallet: UpstreamWallet = {
  protocols: ['x402', 'mpp'],
  close: async () => {},
  pay: () => Promise.reject(new Error('Nothing is bought here.')),
}
const { catalog, discover, close } = openCatalog()
const questions = await readQuestions()
const known = (label: string) => catalog.entries.some(({ id }) => id === label)
const answerable = questions.filter(({ labels }) => labels.some(known))
const off = questions.filter(({ labels }) => labels.length === 0)
const later = questions.length - answerable.length - off.length

console.log(
  `${questions.length} questions: ${answerable.length} that the catalog answers, ${off.length} that nothing answers, ${later} whose action is not in this tree.\n`,
)
const sets = [
  ['all', undefined],
  ['tuned on', false],
  ['held out', true],
] as const
const head = [
  'set',
  'questions',
  'hit@1',
  'hit@5',
  'hit@5 with alternatives',
  'abstains rightly',
  'abstains wrongly',
]
const rows = sets.map(([name, heldOut]) => {
  const isOfSet = (question: Question) => heldOut === undefined || question.heldOut === heldOut
  const own = answerable.filter(isOfSet)
  const foreign = off.filter(isOfSet)
  return [
    name,
    own.length + foreign.length,
    share(own, (question) => rankOf(question) === 1),
    share(own, (question) => rankOf(question) <= 5),
    share(own, (question) => rankOf(question, true) <= 5),
    share(foreign, ({ query }) => ask(query).length === 0),
    share(own, ({ query }) => ask(query).length === 0),
  ]
})
console.log(
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
)

const times = Array.from({ length: roundsOfLatency }, () => questions)
  .flat()
  .map(({ query }) => {
    const startedAt = performance.now()
    ask(query)
    return performance.now() - startedAt
  })
  .toSorted((one, other) => one - other)
const percentile = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(2)
console.log(
  `\nLatency: median ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, longest ${percentile(1)} ms.`,
)

const shown = process.argv.includes('--held-out')
for (const question of [...answerable, ...off]) {
  if (question.heldOut !== shown) continue
  const hits = ask(question.query)
  const wrong = question.labels.length === 0 ? hits.length > 0 : rankOf(question) > 1
  if (!wrong) continue
  const named = hits.map(({ service, action }) => `${service}/${action}`).join(' ')
  console.log(
    `- ${question.query} -> ${named || 'nothing'} (${question.labels.join(' ') || 'nothing'})`,
  )
}
await close()

interface Hit {
  readonly service: string
  readonly action: string
  readonly alternatives: readonly Hit[]
}

function ask(query: string): readonly Hit[] {
  const { hits } = discover.run({ input: { query, limit: 5 } } as never) as { hits: readonly Hit[] }
  return hits
}

/** The place of the first right answer, from 1; infinite when there is none. */
function rankOf({ query, labels }: Question, alternatives = false): number {
  const isRight = ({ service, action }: Hit) => labels.includes(`${service}/${action}`)
  const place = ask(query).findIndex(
    (hit) => isRight(hit) || (alternatives && hit.alternatives.some(isRight)),
  )
  return place === -1 ? Infinity : place + 1
}

function share(among: readonly Question[], is: (question: Question) => boolean): string {
  return among.length === 0 ? '' : (among.filter(is).length / among.length).toFixed(3)
}

async function readQuestions(): Promise<Question[]> {
  const text = await readFile(path.join(import.meta.dirname, 'discover/queries.tsv'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [query = '', labels = ''] = line.split('\t')
      const [first = 0] = createHash('sha256').update(query).digest()
      return {
        query,
        labels: labels === '-' ? [] : labels.replaceAll('own/', `${ownNamespace}/`).split(','),
        heldOut: first % 3 === 0,
      }
    })
}

/** Every provider with a key or a wallet, so that words alone decide. */
function openCatalog() {
  const opened: { catalog?: Catalog } = {}
  const own = openOwnActions(() => opened.catalog as Catalog)
  const gateway = defineProvider({
    id: ownNamespace,
    title: 'The gateway’s own actions',
    actions: own.actions,
  })
  const services = [gateway, ...providers].map((provider) =>
    createService(provider, {
      variables: new Map(credentialNames(provider).map((name) => [name, 'key:secret'])),
      userAgent: 'bench',
      clock,
      log,
      wallet,
    }),
  )
  opened.catalog = createCatalog(services)
  return {
    catalog: opened.catalog,
    discover: own.discover,
    async close() {
      await own.close()
      for (const service of services) await service.close()
    },
  }
}
