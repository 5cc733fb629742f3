import { expect, test } from 'vitest'
import { extractMain } from '../../src/extraction/extract-main.ts'
import { readPageTree } from '../../src/extraction/page-tree.ts'
import { seePage } from '../../src/page/see-page.ts'
import { findable, wholenessOf } from './found-text.ts'
import { type MadePage, madePages } from './made-pages.ts'
import { structureKinds } from './made-structures.ts'

const seed = 20_261
const pages = [...madePages(seed, 1)].filter(({ place }) => place === 'end')

function outcomeOf({ html, url, structure = '' }: MadePage): string {
  const found = findable(extractMain(seePage(html), url)?.text ?? '')
  const { blocks } = readPageTree(seePage(structure))
  return wholenessOf(blocks.map(({ text }) => text).join('\n'), found)
}

test.each(Object.keys(structureKinds))(
  '%s at the end of an article is whole in every template',
  (kind) => {
    const outcomes = pages
      .filter((page) => page.kind === kind)
      .map((page) => `${page.template}: ${outcomeOf(page)}`)
    expect(outcomes.filter((outcome) => !outcome.endsWith(': whole'))).toEqual([])
  },
)
