import { expect, test } from 'vitest'
import { anchorOf, createGuide } from './guide.ts'

const guide = createGuide()
const textOf = (name: string) => guide.text(name) ?? ''
const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

test.each(guide.documents)(
  'each link in /docs/$name leads to a document and its heading',
  ({ name }) => {
    const prose = textOf(name).replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [target = '', fragment] = link.split('#')
        // Pages of the reference are made from the catalog.
        if (/^\/docs\/(?:actions|reference)\b/.test(target)) return false
        const linked = target === '' ? textOf(name) : textOf(target.replace(/^\/docs\//, ''))
        return linked === '' || (fragment !== undefined && !headingsOf(linked).includes(fragment))
      })
    expect(broken).toEqual([])
  },
)

test('code and pictures: blocks stay as they are, and pictures are left out', () => {
  expect(textOf('use.md')).toContain('```')
  expect(guide.documents.map(({ name }) => textOf(name)).join('')).not.toMatch(/!\[[^\]]*\]\(\.\./)
})
