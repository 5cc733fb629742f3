// Reads one page on this machine, in the formats of the scraping vendors: by a plain request, then by a browser.

import { readLinks } from '@tollway/reader'
import type { RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { type AttemptParts, attemptRung, type ReadPage } from '../ladder/attempt.ts'
import type { PageRungs, ProxiedRungs } from '../ladder/own-rungs.ts'
import type { RungReply } from '../ladder/rungs.ts'
import type { PageRoom } from '../pages/page-room.ts'
import { readReply } from '../pages/reply.ts'

export type StandInFormat = 'markdown' | 'html' | 'rawHtml' | 'links'

export interface PageWish {
  readonly url: string
  readonly formats: readonly StandInFormat[]
  readonly mainContent: boolean
  /** `as needed`: scripts run when the page cannot be read without them. */
  readonly scripts: 'always' | 'never' | 'as needed'
  /** Reads the page by the operator's proxies of this kind, which must exist. Absent: the page is read directly. */
  readonly through?: keyof ProxiedRungs
  /** The page belongs to a job, which waits for its place as long as its signal allows. */
  readonly isPatient?: boolean
}

export interface StandInPage {
  readonly markdown?: string
  readonly html?: string
  readonly rawHtml?: string
  readonly links?: readonly string[]
  readonly metadata: {
    readonly statusCode: number
    readonly sourceURL: string
    readonly title: string | null
  }
}

export type ReadContext = Pick<
  RunContext<unknown>,
  'signal' | 'caller' | 'call' | 'available' | 'record' | 'spend'
>

export interface PageReader {
  /** Returns all links of the page, in any format. Throws CallError: `all_blocked`, `onescrape_document`. */
  read(
    wish: PageWish,
    context: ReadContext,
  ): Promise<{ readonly page: StandInPage; readonly links: readonly string[] }>
}

function writePage(
  { body, finalUrl, status }: RungReply,
  { content, title }: ReadPage,
  formats: readonly StandInFormat[],
  html: string | undefined,
) {
  const { links } = readLinks(body, finalUrl)
  const page: StandInPage = {
    ...(formats.includes('markdown') && { markdown: content }),
    ...(html !== undefined && { html }),
    ...(formats.includes('rawHtml') && { rawHtml: body }),
    ...(formats.includes('links') && { links }),
    metadata: { statusCode: status, sourceURL: finalUrl, title },
  }
  return { links, page }
}

export function createPageReader(
  parts: AttemptParts & {
    readonly room: PageRoom
    readonly direct: PageRungs
    readonly proxied: ProxiedRungs
  },
): PageReader {
  const read = async (
    { url, formats, mainContent, scripts, through }: PageWish,
    context: ReadContext,
    hold: (bytes: number) => Promise<void>,
  ) => {
    const way = through === undefined ? parts.direct : parts.proxied[through]
    if (way === undefined) throw new TypeError(`There are no ${through} proxies here.`)
    const rungs = {
      always: [way.rendered],
      never: [way.plain],
      'as needed': [way.plain, way.rendered],
    }
    const request = { ...context, format: 'markdown', mainContent, hold } as const
    let trouble = `${url} could not be read.`
    for (const rung of rungs[scripts]) {
      const standing = await rung.availability(context)
      if (!standing.ok) {
        trouble = `${trouble} This gateway has no browser for its scripts.`
        continue
      }
      const attempt = await attemptRung(rung, url, request, parts)
      context.record(attempt.hop)
      const { outcome } = attempt
      if (outcome?.verdict.read) {
        const { reply, page } = outcome
        const asker = { owner: context.caller.accountId, signal: context.signal }
        const html = formats.includes('html')
          ? (await readReply(reply, { format: 'html', mainContent }, parts.workers, asker)).content
          : undefined
        return writePage(reply, page, formats, html)
      }
      trouble = attempt.trouble?.message ?? trouble
      if (attempt.trouble?.isFinal) break
    }
    context.signal.throwIfAborted()
    throw fail('all_blocked', { message: `${trouble} Nothing was charged.` })
  }
  return {
    async read(wish, context) {
      const { signal, caller } = context
      const { isPatient = false } = wish
      const places = await parts.room.enter({
        owner: caller.accountId,
        pages: 1,
        signal,
        isPatient,
      })
      try {
        return await read(wish, context, places.hold)
      } finally {
        places.leave()
      }
    },
  }
}
