import { expect, test } from 'vitest'
import { anonymous } from '#core/caller.ts'
import { allowAll } from '../sites/robots.ts'
import { type CrawledPage, createCrawler } from './crawl.ts'

interface Answer {
  /** Where the page has moved to. */
  readonly at?: string
  readonly links?: readonly string[]
}

/** The addresses that a crawl asks a site for, which answers as told. */
async function crawl(url: string, site: Record<string, Answer>, saved: CrawledPage[] = []) {
  const asked: string[] = []
  const pages: CrawledPage[] = []
  const crawler = createCrawler({
    reader: {
      async read(wish) {
        asked.push(wish.url)
        const { at = wish.url, links = [] } = site[wish.url] ?? {}
        const metadata = { statusCode: 200, sourceURL: at, title: null }
        return { links, page: { markdown: '# Hi', metadata } }
      },
    },
    robots: { rulesFor: async () => allowAll },
    politeness: { run: (_turn, task) => task(), hosts: 0 },
  })
  const { signal } = new AbortController()
  const calling = { available: () => true, call: async () => ({}) }
  const context = { signal, caller: anonymous, record: () => {}, spend: () => {}, ...calling }
  const onPage = async (page: CrawledPage) => void pages.push(page)
  await crawler.crawl({ url, pagesMax: 20, depthMax: 2 }, context, { saved, onPage })
  return { asked, pages }
}

const [bare, home, moved] = ['https://a.example/', 'https://www.a.example/', 'https://b.example/']

test('a site that has moved is read where it is now', async () => {
  const links = [home, `${home}x`, 'https://c.example/']
  const { asked } = await crawl(bare, { [bare]: { at: home, links } })
  expect(asked).toEqual([bare, `${home}x`])
  const other = await crawl(bare, { [bare]: { at: moved, links: [moved, `${moved}x`] } })
  expect(other.asked).toEqual([bare, `${moved}x`])
})

test('a page elsewhere that a link leads to does not make that place the site', async () => {
  const { asked } = await crawl(bare, {
    [bare]: { links: [`${bare}go`] },
    [`${bare}go`]: { at: moved, links: [`${moved}x`] },
  })
  expect(asked).toEqual([bare, `${bare}go`])
})

test('a page of two addresses is read once', async () => {
  const links = [`${home}x`, `${bare}x`, 'http://a.example/x']
  expect((await crawl(bare, { [bare]: { links } })).asked).toEqual([bare, `${home}x`])
})

test('a crawl that is taken up again knows where the site has moved to', async () => {
  const links = [`${moved}x`]
  const { pages } = await crawl(bare, { [bare]: { at: moved, links } })
  const again = await crawl(bare, {}, pages.slice(0, 1))
  expect(again.asked).toEqual([`${moved}x`])
})
