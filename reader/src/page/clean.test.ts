import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanPage } from './clean.ts'
import { depthMax } from './nesting.ts'
import { countWords } from './survey.ts'

const url = 'https://example.com/dir/page.html'
const clean = (html: string, options = { hints: false }) => cleanPage(html, url, options)

test.each([
  ['scripts and styles', '<p>a<script>x</script><style>y</style></p>', '<p>a</p>'],
  ['handlers and styles in tags', '<p onclick="x()" style="color:red" class="c">a</p>', '<p>a</p>'],
  ['links that run script', '<a href="java&#115;cript:alert(1)">a</a>', '<a>a</a>'],
  [
    'frames, drawings, forms',
    '<svg><text>s</text></svg><iframe src=x>f</iframe><form><input value=v><select><option>o</select>a</form>',
    'a',
  ],
  ['comments', '<p>a<!-- <b>no</b> --->b<!>c</p>', '<p>abc</p>'],
])('%s are left out', (_name, html, expected) => {
  expect(clean(html).html).toBe(expected)
})

test.each([
  ['paragraphs', '<p>a<p>b', '<p>a</p><p>b</p>'],
  [
    'list items',
    '<ul><li>a<li>b<ul><li>c</ul></ul>',
    '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>',
  ],
  [
    'cells',
    '<table><tr><td>a<td>b<tr><td>c</table>',
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>',
  ],
  ['crossed tags', '<b><i>a</b>b</i>', '<b><i>a</i></b>b'],
  ['stray end tags', 'a</div></p>b', 'ab'],
  [
    'an end tag that does not belong in its cell',
    '<div><table><tr><td>a</div>b</td></tr></table></div>',
    '<div><table><tr><td>ab</td></tr></table></div>',
  ],
  ['a bare less-than sign', '<p>1 < 2 &lt; 3</p>', '<p>1 &lt; 2 &lt; 3</p>'],
  ['an end that never comes', '<p>a<b>b<a href="x', '<p>a<b>b</b></p>'],
])('%s are put in order', (_name, html, expected) => {
  expect(clean(html).html).toBe(expected)
})

test('links and pictures become absolute, by the base of the page', () => {
  const body =
    '<a href="../x?a=1&amp;b=2#c">l</a><img src="i.png" alt="A &quot;b&quot;"><a href=mailto:a@b.example>m</a>'
  expect(clean(body).html).toBe(
    '<a href="https://example.com/x?a=1&amp;b=2#c">l</a><img alt="A &quot;b&quot;" src="https://example.com/dir/i.png"><a href="mailto:a@b.example">m</a>',
  )
  expect(clean('<base href="//cdn.example/r/"><a href=y>l</a>').html).toBe(
    '<a href="https://cdn.example/r/y">l</a>',
  )
})

test('a picture that is loaded late has its address', () => {
  expect(clean('<img src="data:image/gif;base64,R0" data-src="/late.jpg">').html).toContain(
    'https://example.com/late.jpg',
  )
  expect(clean('<img srcset="/small.jpg 1x, /large.jpg 2x">').html).toContain(
    'https://example.com/small.jpg',
  )
})

test('components rendered into shadow roots are read', () => {
  expect(
    clean(
      '<x-card><template shadowrootmode="open"><p>inside</p></template></x-card><template><p>not this</p></template>',
    ).html,
  ).toBe('<x-card><p>inside</p></x-card>')
})

test('the survey says what a reader would see', () => {
  const { survey } = clean(
    '<title>A &amp; B</title><meta http-equiv=refresh content="5"><h1>Head</h1><p>one two <a href=x>three</a></p><p hidden>no</p><div style="display: none">no</div><noscript>Turn <b>on</b> JavaScript</noscript><script>var a</script><input type=password><div id=root></div>',
  )
  expect(survey).toMatchObject({
    title: 'A & B',
    heading: 'Head',
    text: 'Head\none two three',
    words: 4,
    linkWords: 1,
    proseWords: 3,
    scripts: 1,
    noscript: 'Turn on JavaScript',
    passwordFields: 1,
    refresh: '5',
    emptyRoot: true,
    cut: false,
  })
})

test('what a script would show is read, and what hides itself is not seen', () => {
  const late =
    '<div style="visibility:hidden"><p>shown late</p></div><div hidden id="S:0"><p>sent late</p></div>'
  expect(clean(late).survey.text).toBe('shown late\nsent late')
  const hidden = '<p>a</p><div hidden><p>b</p></div><p style="display:none">c</p>'
  expect(clean(hidden).survey.text).toBe('a')
  expect(clean(hidden).html).toBe('<p>a</p><div><p>b</p></div><p>c</p>')
  expect(clean(hidden, { hints: true }).html).toBe(
    '<p>a</p><div hidden><p>b</p></div><p hidden>c</p>',
  )
  expect(cleanPage(hidden, url, { hints: false, visibleOnly: true }).html).toBe('<p>a</p>')
})

test('a page that is kept in noscript is read where no script ran', () => {
  const kept = `<p>shell</p><noscript><h1>Topic</h1><p>${'word '.repeat(70)}</p></noscript>`
  expect(clean(kept).survey).toMatchObject({ heading: 'Topic', words: 72, noscript: '' })
  expect(cleanPage(kept, url, { hints: false, rendered: true }).html).toBe('<p>shell</p>')
})

test('words are counted in any script', () => {
  expect(countWords('it’s a well-known fact, 3.5 times')).toBe(7)
  expect(countWords('今日の天気は晴れです')).toBe(5)
  expect(countWords('Доброе утро')).toBe(2)
})

test('depth is bounded, and words below the bound are kept', () => {
  const { html, survey } = clean(
    `${'<div>'.repeat(50_000)}deep${'</div>'.repeat(50_000)}<p>after</p>`,
  )
  expect(html).toContain('deep')
  expect(html.endsWith('<p>after</p>')).toBe(true)
  expect(html.match(/<div>/g)).toHaveLength(depthMax)
  expect(survey.text).toBe('deep\nafter')
})

test('the result is balanced and harmless for any page, and cleaning it again changes nothing', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<b>',
    '</b>',
    '<a href="/x">',
    '</a>',
    '<table>',
    '</table>',
    '<tr>',
    '<td>',
    '</td>',
    '<li>',
    '<ul>',
    '</ul>',
    '<script>',
    '</script>',
    '<svg>',
    '</svg>',
    '<!--',
    '-->',
    '<',
    '>',
    '"',
    "'",
    '&amp;',
    '&',
    'word ',
    '<p title="',
    '<br/>',
    '<img src=x onerror=alert(1)>',
    '<template>',
    '</template>',
    '<h1 onclick=x>',
    '</h1>',
    '<title>',
    '</title>',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { html } = clean(pieces.join(''))
      expect(html).not.toMatch(/<script|<svg|<template|<[a-z]+(?: [a-z]+="[^"]*")* on[a-z]+=/)
      expect(clean(html).html).toBe(html)
    }),
    { numRuns: 500 },
  )
})
