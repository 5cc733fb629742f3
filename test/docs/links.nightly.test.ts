// Every link that a running gateway shows leads somewhere: on its pages, in their Markdown, in llms.txt, in resources
// and errors of MCP, in error bodies, and in the console.
import { describe, expect, onTestFinished, test } from 'vitest'
import { errorTable } from '#core/errors.ts'
import { adminToken } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'
import { chromiumPath, shareConsole } from '../console/open-console.ts'
import { crawl, linksOf } from './crawl.ts'

const starts = [
  '/',
  '/docs',
  '/docs/',
  '/docs/actions',
  '/docs/connect',
  '/llms.txt',
  '/sign-in',
  '/people',
  '/api/v1/connections',
  '/.well-known/oauth-protected-resource/mcp',
  ...Object.keys(errorTable).map((code) => `/docs/errors/${code}`),
]

describe.skipIf(chromiumPath === undefined)('the links of a running gateway', () => {
  const opened = shareConsole({ env: { RATE_LIMIT_PER_MINUTE: '100000' } })

  async function get(url: string) {
    const reply = await fetch(url)
    return {
      status: reply.status,
      type: reply.headers.get('content-type') ?? '',
      text: await reply.text(),
    }
  }

  test('of its pages, of their Markdown and of llms.txt', async () => {
    const { url } = opened().gateway
    const first = await crawl(starts, url, get)
    expect(first.dead).toEqual([])
    // The twin of each document, whether or not something links to it.
    const twins = [...first.read]
      .filter((at) => /\/docs\/(?!search$)[^.?]+$/.test(at))
      .map((at) => `${at}.md`)
    expect(twins.length).toBeGreaterThan(300)
    const second = await crawl(twins, url, get)
    expect(second.dead).toEqual([])
  })

  test('of resources over MCP, which lead to resources or to pages', async () => {
    const { url } = opened().gateway
    const client = await connectMcp(url)
    const { resources } = await client.listResources()
    expect(resources.length).toBeGreaterThan(20)
    const links: string[] = []
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      for (const content of contents) {
        if (!('text' in content) || typeof content.text !== 'string') continue
        const type = content.mimeType ?? ''
        links.push(
          ...linksOf({ type, text: content.text }, url).map((link) => new URL(link, uri).href),
        )
      }
    }
    const own = links.filter((link) => link.startsWith('tollway:'))
    expect(own.length).toBeGreaterThan(50)
    for (const link of new Set(own.map((each) => each.replace(/#.*/, ''))))
      await client.readResource({ uri: link })
    const pages = links.filter((link) => link.startsWith('http'))
    expect((await crawl(pages, url, get)).dead).toEqual([])
    // All that remains are files of the skill, which are resources too.
    expect(links.filter((link) => !/^(tollway|https?|skill):/.test(link))).toEqual([])
  })

  test('of refusals, over HTTP and over MCP', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(0)
    const client = await connectMcp(gateway.url, { key })
    const refusals: unknown[] = [
      (await gateway.request('GET', '/nothing/here')).body,
      (await gateway.request('GET', '/docs/nothing')).body,
      (await gateway.request('GET', '/console/nothing.js')).body,
      (await gateway.request('GET', '/api/v1/account')).body,
      (await gateway.call('test/echo', {}, { key })).body,
      (await gateway.call('test/echo', { text: 1 }, { key })).body,
      (await gateway.call('no/such', {}, { key })).body,
      (await client.callTool({ name: 'run', arguments: { action: 'no/such', params: {} } }))
        .structuredContent,
      (await client.callTool({ name: 'run', arguments: { action: 'test/echo', params: {} } }))
        .structuredContent,
    ]
    const links = refusals.flatMap((body) => {
      const found = linksOf({ type: 'application/json', text: JSON.stringify(body) }, gateway.url)
      return found.map((link) => new URL(link, gateway.url).href)
    })
    expect(links.length).toBeGreaterThan(5)
    expect((await crawl(links, gateway.url, get)).dead).toEqual([])
  })

  test('of the console, for an account and for the operator', async () => {
    const { gateway, signIn } = opened()
    const account = await gateway.account(500)
    await account.call('test/echo', { text: 'hello' })
    const roots = { [account.key]: '/', [adminToken]: '/operator' }
    for (const [secret, root] of Object.entries(roots)) {
      const { context, page, enter } = await signIn(secret)
      onTestFinished(() => context.close())
      const waiting = [root]
      const away = new Set<string>()
      for (const at of waiting) {
        await enter(at)
        const title = await page.getByRole('heading', { level: 1 }).textContent()
        expect(title, at).not.toBe('There is no such page')
        const links = await page
          .locator('a[href]')
          .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href))
        for (const link of links) {
          const { origin, pathname, search } = new URL(link)
          const below = /^\/console(\/.*)?$/.exec(pathname)
          if (below === null) away.add(link)
          else if (origin === gateway.url && isFirstOfItsKind(pathname + search, waiting))
            waiting.push((below[1] ?? '/') + search)
        }
      }
      expect(waiting.length).toBeGreaterThan(10)
      expect((await crawl([...away], gateway.url, get)).dead).toEqual([])
    }
  })
})

const actionsMax = 10

/** Each page once, and some of the pages of actions, which are one page with another text. */
function isFirstOfItsKind(address: string, waiting: readonly string[]): boolean {
  const at = address.replace(/^\/console/, '') || '/'
  const isAction = (path: string) => /^\/catalog\/[^/]+\//.test(path)
  return !waiting.includes(at) && (!isAction(at) || waiting.filter(isAction).length < actionsMax)
}
