import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildContent } from '../content/content-tree.ts'
import { writeHtml } from '../content/write-html.ts'
import { seePage } from '../page/see-page.ts'
import { extractMain } from './extract-main.ts'
import { samples } from './samples.fixture.ts'

function extract(html: string, url: string) {
  const page = seePage(html)
  const main = extractMain(page, url)
  return main && { ...main, html: writeHtml(buildContent(page, main).children, url) }
}

test.each(samples)(
  '$type: the content stays and the furniture goes',
  ({ html, url, kept, gone, title }) => {
    const main = extract(html, url)
    const text = main?.text ?? ''
    expect(kept.filter((piece) => !text.includes(piece))).toEqual([])
    expect(gone.filter((piece) => text.includes(piece))).toEqual([])
    expect(gone.filter((piece) => main?.html.includes(piece))).toEqual([])
    expect(main?.title).toBe(title)
    expect(main?.confidence).toBeGreaterThan(0.5)
  },
)

test('the html keeps tables, code and pictures in their places', () => {
  const rows = Array.from(
    { length: 6 },
    (_each, index) => `<tr><td>18${index}1</td><td></td><td>${index * 90} sacks of flour</td></tr>`,
  )
  const prose =
    'The river ran past the old mill, and the miller, who was no fool, counted his sacks of flour.'
  const main = extract(
    `<title>Sacks</title><nav><a href="/">Home</a></nav><article><h1>Sacks</h1><p>${prose}</p><figure><img src="a.png"></figure><p>In the evening he slept beside the wheel, and the water went on without him until the cock crew.</p><table>${rows.join('')}</table><pre><code>const sacks = 90\nconst mills = 2</code></pre><p>That is how the miller would write it today, if anybody had taught him how to write.</p></article>`,
    'https://example.com/sacks',
  )
  expect(main?.html).toContain('<figure><img src="https://example.com/a.png"></figure>')
  expect(main?.html).toContain('<tr><td>1811</td><td></td><td>90 sacks of flour</td></tr>')
  expect(main?.html).toContain('const sacks = 90\nconst mills = 2')
  expect(main?.html).not.toContain('Home')
})

test('content in noscript is content', () => {
  const post =
    '<p>Rye takes up water from the air much faster than wheat does, so dry it for two days.</p>'
  const main = extract(
    `<title>Rye</title><noscript><h1>Rye</h1>${post}<p>Mine clogged until I opened the gate by a third only.</p><p>Since then I keep the sacks under the roof of the barn, where the wind goes through all day, and turn each of them over in the morning before the mill is opened and the first carts arrive.</p></noscript>`,
    'https://mill.example/rye',
  )
  expect(main?.text).toContain('Rye takes up water')
  expect(main?.html).not.toContain('noscript')
})

test('a page without text has no main content', () => {
  for (const html of [
    '',
    '<div></div>',
    '<script>x</script>',
    '<img src=x>',
    '   ',
    '<',
    '</',
    '<!--',
  ])
    expect(extract(html, '')).toBeUndefined()
})

/** A fifth, which is still deeper than any stack. All with TEST_DEPTH=deep. */
const scaled = (count: number) =>
  process.env.TEST_DEPTH === 'deep' ? count : Math.min(count, Math.max(20_000, count / 5))
const repeat = (text: string, count: number) => text.repeat(scaled(count))
const hostile: readonly (readonly [string, string])[] = [
  ['deep blocks', `${repeat('<div>', 100_000)}x y z${repeat('</div>', 100_000)}`],
  ['deep inline', `${repeat('<b>', 100_000)}x y z`],
  ['deep links', `${repeat('<span><a href=x>', 100_000)}x y z`],
  ['deep tables', `${repeat('<table><tr><td>', 30_000)}x y z`],
  ['deep lists', repeat('<ul><li>some words', 30_000)],
  ['many links', repeat('<a href=x>l</a> ', 100_000)],
  ['many links in blocks', repeat('<li><a href=x>l</a></li>', 100_000)],
  ['many unclosed paragraphs', repeat('<p>some words ', 100_000)],
  ['crossed tags', repeat('<b><i></p>some', 100_000)],
  ['end tags of nothing', repeat('<div>', 50_000) + repeat('</span>', 100_000)],
  ['an attribute of megabytes', `<a title="${repeat('x', 5_000_000)}">x</a>`],
  ['a class of megabytes', `<a class="${repeat('nav ', 1_000_000)}">x</a>`],
  [
    'many classes',
    Array.from({ length: scaled(100_000) }, (_each, index) => `<p class="c${index}">a`).join(''),
  ],
  ['an unclosed quote', `<p>x<a title="${repeat('<p>y', 500_000)}`],
  ['unclosed comments', repeat('<!--', 500_000)],
  ['unclosed scripts', repeat('<script type="application/ld+json">', 100_000)],
  [
    'JSON-LD that does not end',
    `<script type="application/ld+json">${repeat('"description":"', 100_000)}</script>`,
  ],
  [
    'JSON-LD of types',
    `<script type="application/ld+json">${repeat('"@type":["', 100_000)}</script>`,
  ],
  ['less-than signs', repeat('<', 3_000_000)],
  ['entities', repeat('&amp;&#x1F600;&notanentity', 200_000)],
  ['megabytes of words', repeat('some words ', 950_000)],
  ['megabytes of one word', repeat('x', 10_000_000)],
  ['megabytes of spaces', `<p>x${repeat(' ', 10_000_000)}y`],
  ['line breaks', repeat('x<br>', 200_000)],
  ['pictures', repeat('<img src=x>', 200_000)],
  ['one paragraph, many times', repeat('<p>one two three four five six seven eight</p>', 50_000)],
  ['mojibake', repeat('â€™ ', 1_000_000)],
  ['Chinese', repeat('水车在河边转动', 300_000)],
  ['nested noscript', repeat('<noscript><img>', 100_000)],
]

test.each(hostile)('%s: no crash, no hang', (_name, html) => {
  extract(html, 'https://example.com/')
})

const piece = fc.constantFrom(
  '<div class="content">',
  '</div>',
  '<p>',
  '</p>',
  '<a href="/x">',
  '</a>',
  '<table>',
  '<tr>',
  '<td>',
  '</table>',
  '<ul>',
  '<li>',
  '<h1>',
  '</h1>',
  '<br>',
  '<img src=x>',
  '<script>',
  '</script>',
  '<title>',
  '</title>',
  '<noscript>',
  '</noscript>',
  '<!--',
  '-->',
  '<template shadowrootmode="open">',
  '</template>',
  '<my-card>',
  '</my-card>',
  '&amp;',
  '&',
  '<',
  '>',
  '"',
  ' some words of text ',
  '水车',
  '\u0000',
  '\ud800',
  '<svg>',
  '</svg>',
  '<select><option>',
  'a'.repeat(50),
)

test('any mix of tags is read without a crash, and the text is in the html', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
      const main = extract(pieces.join(''), 'https://example.com/')
      if (main === undefined) return
      expect(main.words).toBeGreaterThan(0)
      expect(main.confidence).toBeGreaterThanOrEqual(0)
      expect(main.confidence).toBeLessThanOrEqual(1.000_001)
    }),
    { numRuns: 400 },
  )
})
