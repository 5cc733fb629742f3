// Page reading for actions that need the texts of pages, and sell something else.
import type { RunContext } from '#core/action.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { readUrls } from './actions/intake.ts'
import type { Ladder, LadderRow, RungBudget } from './ladder/ladder.ts'
import type { OwnPages } from './ladder/rungs.ts'
import type { PageWorkers } from './pages/page-workers.ts'
import { readReply } from './pages/reply.ts'

export interface PageText {
  readonly url: string
  /** Markdown. Null where the page was not read. */
  readonly content: string | null
  readonly title: string | null
  /** ISO 8601. */
  readonly publishedAt: string | null
  /** The rung that has read it. */
  readonly source: string | null
  /** Why it was not read. */
  readonly trouble: string | null
}

export interface PageTexts {
  /** The addresses, normalised and each once. Throws CallError as onescrape does for those that are not read. */
  admit(urls: readonly string[]): readonly string[]
  /** One row per address. What the rungs of vendors cost is bounded by `call`, which refuses what is too dear. */
  read(
    urls: readonly string[],
    request: Pick<RunContext<unknown>, 'call' | 'available' | 'signal' | 'record' | 'caller'> & {
      /** With the rungs of the deep tier. */
      readonly isHard: boolean
      readonly timeoutMs: number
    },
  ): Promise<readonly PageText[]>
  textOf(html: string, url: string): Promise<{ title: string | null; content: string }>
}

/** The caller of the ladder bounds its costs in another way. */
const unbounded: RungBudget = { take: () => true, keep: () => {}, giveBack: () => {} }
const asMarkdown = { format: 'markdown', mainContent: true } as const

export function createPageTexts(dependencies: {
  readonly ladder: Ladder
  readonly guard: EgressGuard
  readonly ownPages: OwnPages
  readonly workers: PageWorkers
}): PageTexts {
  const { ladder, guard, ownPages, workers } = dependencies
  return {
    admit: (urls) => readUrls(urls, guard, ownPages),
    async read(urls, { isHard, timeoutMs, ...context }) {
      const budget = isHard ? { budget: unbounded } : {}
      // The rungs of vendors fail by themselves, and their costs are recorded as those of the calls that they make.
      const rows = await ladder.read({ ...context, ...asMarkdown, ...budget, urls, timeoutMs })
      return rows.map(describeRow)
    },
    async textOf(html, url) {
      const reply = { kind: 'html', body: html, finalUrl: url, status: 200, headers: {} } as const
      const { title, content } = await readReply(reply, asMarkdown, workers)
      return { title, content }
    },
  }
}

function describeRow({ url, page, provider, trouble }: LadderRow): PageText {
  return {
    url,
    content: page?.content ?? null,
    title: page?.title ?? null,
    publishedAt: page?.metadata.publishedAt ?? null,
    source: provider,
    trouble: trouble?.message ?? null,
  }
}
