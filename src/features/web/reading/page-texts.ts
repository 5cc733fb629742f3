// Page reading for actions that need the texts of pages, and sell something else.
import type { PageText, PageTexts } from '#core/rooms/page-texts.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { readUrls } from './actions/intake.ts'
import type { Ladder, LadderRow } from './ladder/ladder.ts'
import type { OwnPages } from './ladder/rungs.ts'
import type { PageWorkers } from './pages/page-workers.ts'
import { readReply } from './pages/reply.ts'

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
    async read(urls, request) {
      // The rungs of vendors fail by themselves, and their costs are recorded as those of the calls that they make.
      const rows = await ladder.read({ ...request, ...asMarkdown, urls })
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
