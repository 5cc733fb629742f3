// Pages that callers accept as they were a while ago. All gateways share them through the database. Only calls that
// accept such a page leave one, and none with headers or cookies of its own does.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { ReadOptions } from '@tollway/reader'
import { pick } from '#core/action.ts'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { LadderRow } from './ladder.ts'
import { isPrivate, type VisitWish } from './visit.ts'

const keptFields = [
  ...(['finalUrl', 'page', 'reply', 'provider', 'yield'] as const),
  ...(['flags', 'hard', 'price', 'truncated'] as const),
] as const

/** What a row says of the page itself. */
export type KeptPage = Pick<LadderRow, (typeof keptFields)[number]>

export type FoundPage = KeptPage & { readonly readAt: Date }

export interface PageAsked extends ReadOptions {
  readonly url: string
  readonly visit?: VisitWish | undefined
  /** How old the page may be. Undefined: it is read now, and is not kept. */
  readonly maxAgeSeconds?: number | undefined
}

export interface PageCache {
  /** Undefined where the caller accepts no earlier page, or none is there. */
  find(asked: PageAsked): Promise<FoundPage | undefined>
  /** Keeps the page in the background if the caller accepts earlier pages. */
  keep(asked: PageAsked, page: KeptPage): void
  /** Drops pages that are too old, or beyond the limits. */
  forgetOld(): Promise<void>
}

export interface PageCacheLimits {
  readonly pagesMax: number
  /** Of all pages together, compressed. */
  readonly bytesMax: number
  readonly bytesPerPageMax: number
}

/** The oldest page that a caller can accept: a day. */
export const maxAgeSecondsMax = 86_400
const usualLimits: PageCacheLimits = {
  pagesMax: 20_000,
  bytesMax: 500_000_000,
  bytesPerPageMax: 1_000_000,
}
/** The limits hold up to so many pages that each gateway has kept meanwhile. */
const keepsBetweenSweeps = 20

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)
/** Far more than a page has. */
const pageCharactersMax = 100_000_000

export function createPageCache(dependencies: {
  readonly database: Database
  readonly log: Log
  readonly limits?: PageCacheLimits
}): PageCache {
  const { database, log, limits = usualLimits } = dependencies
  let keeps = 0

  async function forgetOld() {
    await database.query(
      `delete from kept_page where read_at < now() - $3 * interval '1 second' or key in (
         select key from (
           select key, row_number() over newest as place, sum(bytes) over newest as total from kept_page
           window newest as (order by read_at desc, key)
         ) as ranked where place > $1 or total > $2)`,
      [limits.pagesMax, limits.bytesMax, maxAgeSecondsMax],
    )
  }

  async function load(key: Buffer, maxAgeSeconds: number | undefined) {
    const [found] = await database.query<{ page: Buffer; readAt: Date }>(
      `select page, read_at as "readAt" from kept_page where key = $1 and read_at > now() - $2 * interval '1 second'`,
      [key, maxAgeSeconds],
    )
    if (found === undefined) return undefined
    const text = await decompress(found.page, { maxOutputLength: pageCharactersMax })
    return { ...JSON.parse(text.toString()), readAt: found.readAt }
  }

  async function store(key: Buffer, row: KeptPage) {
    const page = await compress(JSON.stringify(pick(row, ...keptFields)))
    if (page.length > limits.bytesPerPageMax) return
    await database.query(
      `insert into kept_page (key, page, bytes) values ($1, $2, $3)
       on conflict (key) do update set page = excluded.page, bytes = excluded.bytes, read_at = now()`,
      [key, page, page.length],
    )
    keeps += 1
    if (keeps % keepsBetweenSweeps === 0) await forgetOld()
  }

  return {
    async find(asked) {
      const key = keyOf(asked)
      if (key === undefined) return undefined
      try {
        return await load(key, asked.maxAgeSeconds)
      } catch (error) {
        // Without its cache the ladder reads the page.
        log.warn({ err: error }, 'The ladder could not look for a kept page.')
        return undefined
      }
    },
    keep(asked, page) {
      const key = keyOf(asked)
      if (key === undefined) return
      store(key, page).catch((error) => log.warn({ err: error }, 'A page could not be kept.'))
    },
    forgetOld,
  }
}

/** Undefined where the page is not shared. */
function keyOf({ url, maxAgeSeconds, visit = {}, ...options }: PageAsked): Buffer | undefined {
  // Pictures are too large to be kept.
  if (maxAgeSeconds === undefined || isPrivate(visit) || visit.takesPicture) return undefined
  const { format, mainContent, also = [], include = [], exclude = [] } = options
  const { language, country, isMobile = false, waitFor } = visit
  const asked = [
    ...[url, format, mainContent, also.toSorted(), include, exclude],
    ...[language?.toLowerCase(), country?.toUpperCase(), isMobile, waitFor],
  ]
  return createHash('sha256').update(JSON.stringify(asked)).digest()
}
