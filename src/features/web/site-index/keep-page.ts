// Decides what becomes of a page that was read for an index.
import { createHash } from 'node:crypto'
import { type Passage, passagesOfHtml, passagesOfText } from '@tollway/reader'
import type { PageOutcome, SitePage } from '#core/rooms/site-reader.ts'
import type { SearchableIndex } from './index-rows.ts'
import { charactersOf, type KnownPage, type PageStore, type Saver } from './page-store.ts'

/** Of the content of one page. What lies beyond is not indexed. */
const contentCharactersMax = 1_000_000
/** The server says that the page is gone. */
const goneStatuses: ReadonlySet<number | undefined> = new Set([404, 410])

export function createPageKeeper({
  store,
  index,
  site,
  known,
  roomCharacters,
  by,
}: {
  readonly store: Pick<PageStore, 'save' | 'remove'>
  readonly index: SearchableIndex
  readonly site: string
  readonly known: readonly KnownPage[]
  /** What the account's quota has room for. Jobs side by side each see the room at their start. */
  readonly roomCharacters: number
  readonly by: Saver
}): (page: SitePage) => Promise<PageOutcome> {
  const before = new Map(known.map(({ url, characters }) => [url, characters]))
  let room = roomCharacters
  const urlByContent = new Map<string, string>()

  return async ({ url, title, content, format, statusCode, error }) => {
    if (goneStatuses.has(statusCode)) {
      const wasThere = await store.remove(index.id, url)
      return { outcome: wasThere ? 'removed' : 'not found', isPaid: false }
    }
    if (content === null) return { outcome: error ?? 'unread', isPaid: false }
    const read = format === 'html' ? passagesOfHtml : passagesOfText
    const passages = read(content.slice(0, contentCharactersMax), url)
    if (passages.length === 0) return { outcome: 'empty', isPaid: false }
    const page = { site, url, title: title ?? url, passages }
    const said = createHash('sha256')
      .update(JSON.stringify([page.title, passages.map(saidOf)]))
      .digest('hex')
    const twin = urlByContent.get(said) ?? url
    if (twin !== url) {
      await store.remove(index.id, url)
      return { outcome: `same as ${twin}`, isPaid: false }
    }
    const characters = charactersOf(page)
    const more = characters - (before.get(url) ?? 0)
    if (more > room) return { outcome: 'quota', isPaid: false }
    room -= more
    urlByContent.set(said, url)
    before.set(url, characters)
    const outcome = await store.save(index, page, by)
    return outcome === 'taken'
      ? { outcome: 'indexed by another job', isPaid: false }
      : { outcome, isPaid: true }
  }
}

/** Links are left out: a page links to its copy, and the copy to itself. */
const saidOf = ({ headings, anchor, text }: Passage) => ({ headings, anchor, text })
