// Keeps the crawls of this machine in the database: their pages, and when a gateway last worked on them.
import type { Database } from '#platform/database/database.ts'
import type { CrawledPage, CrawlWish } from './crawl.ts'

export interface StoredCrawl {
  readonly wish: CrawlWish
  readonly state: 'scraping' | 'completed' | 'failed'
  readonly pages: readonly CrawledPage[]
}

export interface CrawlStore {
  create(id: string, wish: CrawlWish): Promise<void>
  find(id: string): Promise<StoredCrawl | undefined>
  save(id: string, page: CrawledPage): Promise<void>
  end(id: string, state: 'completed' | 'failed'): Promise<void>
  /** True when no gateway has worked on the crawl for a while. The caller then takes it over. */
  takeOver(id: string): Promise<boolean>
}

/** Longer than the slowest three pages take together. */
const silenceSecondsMax = 120
const lifetimeHours = 24

export function createCrawlStore(database: Database): CrawlStore {
  return {
    async create(id, wish) {
      await database.query(
        `with old as (delete from own_crawl where created_at < now() - $3 * interval '1 hour')
         insert into own_crawl (id, input) values ($1, $2)`,
        [id, JSON.stringify(wish), lifetimeHours],
      )
    },
    async find(id) {
      const [crawl] = await database.query<{ wish: CrawlWish; state: StoredCrawl['state'] }>(
        'select input as wish, state from own_crawl where id = $1',
        [id],
      )
      if (crawl === undefined) return undefined
      const pages = await database.query<CrawledPage>(
        'select url, depth, page, links from own_crawl_page where crawl_id = $1 order by depth, read_at, url',
        [id],
      )
      return { ...crawl, pages }
    },
    async save(id, { url, depth, page, links }) {
      await database.query(
        `with heard as (update own_crawl set heard_of_at = now() where id = $1)
         insert into own_crawl_page (crawl_id, url, depth, page, links) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [id, url, depth, page === null ? null : JSON.stringify(page), JSON.stringify(links)],
      )
    },
    async end(id, state) {
      await database.query('update own_crawl set state = $2 where id = $1', [id, state])
    },
    async takeOver(id) {
      const taken = await database.query(
        `update own_crawl set heard_of_at = now()
         where id = $1 and state = 'scraping' and heard_of_at < now() - $2 * interval '1 second' returning 1`,
        [id, silenceSecondsMax],
      )
      return taken.length > 0
    },
  }
}
