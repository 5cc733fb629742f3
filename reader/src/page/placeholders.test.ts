import { expect, test } from 'vitest'
import { countPlaceholders } from './placeholders.ts'
import { seePage } from './see-page.ts'

const count = (html: string) => countPlaceholders(seePage(html))

test.each([
  [
    'names of design systems',
    '<span class="MuiSkeleton-root"></span><i class="shimmer-line"></i>',
    2,
    0,
  ],
  ['frames without an address', '<iframe></iframe><iframe src="/a"></iframe>', 1, 0],
  ['a region that is busy', '<ul aria-busy="true"><li>Weber</li></ul>', 1, 0],
  ['empty boxes', '<div><div> </div><li></li><td>\n</td></div>', 0, 3],
  ['a character of no width', '<p class="skeleton">&zwnj;</p>', 1, 0],
  ['words and pictures', '<div class="skeleton">Weber</div><div><img src="a.png"></div>', 0, 0],
  ['what a style hides', '<div class="skeleton" style="display:none"></div>', 0, 0],
])('%s', (_what, html, placeholders, emptyBoxes) => {
  expect(count(html)).toMatchObject({ placeholders, emptyBoxes })
})

test('fields of a template that no script has filled are counted, and quoted ones are not', () => {
  const html =
    '<h1>{{ title }}</h1><li>{{item.price | currency}}</li><p>Write {{ ok }} here.</p><pre>{{ a }}</pre><code>{{ b }}</code>'
  expect(count(html).templateFields).toBe(2)
})
