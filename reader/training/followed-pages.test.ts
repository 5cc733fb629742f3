import { expect, test } from 'vitest'
import { createFollower } from './followed-pages.ts'
import type { LabelledPage } from './pages.ts'
import { partOf } from './parts.ts'

const page = (id: number, site: string, type: string): LabelledPage => ({
  id: String(id),
  url: '',
  site,
  type,
  html: `<body><nav>menu ${id}</nav><main>content ${id}</main><footer>footer ${id}</footer></body>`,
  truth: { kind: 'content', content: `content ${id}` },
  title: '',
})

test('another page of the same part stands between an article and its footer', () => {
  const follow = createFollower()
  const ids = Array.from({ length: 60 }, (_each, id) => id)
  const pages = ids.map((id) => page(id, `site-${id % 7}`, id % 2 === 0 ? 'article' : 'forum'))
  const parts = new Map(pages.map(({ id, site }) => [id, partOf(site)]))
  const made = pages.map(follow).filter((each) => each !== undefined)
  expect(made.length).toBeGreaterThan(5)
  for (const { id, html, truth, type } of made) {
    const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    const [, other = ''] = /content \d+ content (\d+) footer/.exec(text) ?? []
    expect(text).toBe(` menu ${id} content ${id} content ${other} footer ${id} `)
    expect([type, truth]).toEqual(['article', { kind: 'content', content: `content ${id}` }])
    expect(parts.get(other)).toBe(parts.get(id))
  }
})

test('pages of other types are left as they are', () => {
  const follow = createFollower()
  for (const id of [1, 2, 3, 4]) expect(follow(page(id, 'mill', 'forum'))).toBeUndefined()
})
