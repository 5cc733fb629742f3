import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUrlOf } from '../page/base-url.ts'
import { depthMax } from '../page/nesting.ts'
import { seePage } from '../page/see-page.ts'
import { buildContent } from './content-tree.ts'
import { writeHtml } from './write-html.ts'

const url = 'https://example.com/dir/page.html'

function clean(html: string): string {
  const page = seePage(html)
  return writeHtml(buildContent(page, {}).children, baseUrlOf(page, url))
}

test.each([
  ['scripts and styles', '<p>a<script>x</script><style>y</style></p>', '<p>a</p>'],
  ['handlers and styles in tags', '<p onclick="x()" style="color:red" class="c">a</p>', '<p>a</p>'],
  ['links that run script', '<a href="java&#115;cript:alert(1)">a</a>', '<a>a</a>'],
  [
    'frames, drawings, forms',
    '<svg><text>s</text></svg><iframe src=x>f</iframe><form><input value=v><select><option>o</select>a</form>',
    '<div>a</div>',
  ],
  ['comments', '<p>a<!-- <b>no</b> --->b<!>c</p>', '<p>abc</p>'],
])('%s are left out', (_name, html, expected) => {
  expect(clean(html)).toBe(expected)
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
  expect(clean(html)).toBe(expected)
})

test('links and pictures become absolute, by the base of the page', () => {
  const body =
    '<a href="../x?a=1&amp;b=2#c">l</a><img src="i.png" alt="A &quot;b&quot;"><a href=mailto:a@b.example>m</a>'
  expect(clean(body)).toBe(
    '<a href="https://example.com/x?a=1&amp;b=2#c">l</a><img alt="A &quot;b&quot;" src="https://example.com/dir/i.png"><a href="mailto:a@b.example">m</a>',
  )
  expect(clean('<base href="//cdn.example/r/"><a href=y>l</a>')).toBe(
    '<a href="https://cdn.example/r/y">l</a>',
  )
})

test('a picture that is loaded late has its address', () => {
  expect(clean('<img src="data:image/gif;base64,R0" data-src="/late.jpg">')).toContain(
    'https://example.com/late.jpg',
  )
  expect(clean('<img srcset="/small.jpg 1x, /large.jpg 2x">')).toContain(
    'https://example.com/small.jpg',
  )
})

test('components rendered into shadow roots are read', () => {
  expect(
    clean(
      '<x-card><template shadowrootmode="open"><p>inside</p></template></x-card><template><p>not this</p></template>',
    ),
  ).toBe('<x-card><p>inside</p></x-card>')
})

test('depth is bounded, and words below the bound are kept', () => {
  const html = clean(`${'<div>'.repeat(50_000)}deep${'</div>'.repeat(50_000)}<p>after</p>`)
  expect(html).toContain('deep')
  expect(html.endsWith('<p>after</p>')).toBe(true)
  expect(html.match(/<div>/g)).toHaveLength(depthMax)
})

test('words of a form and its buttons stay apart', () => {
  expect(clean('<form>one<button>two</button></form>three')).toBe(
    '<div>one<div>two</div></div>three',
  )
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
      const html = clean(pieces.join(''))
      expect(html).not.toMatch(/<script|<svg|<template|<[a-z]+(?: [a-z]+="[^"]*")* on[a-z]+=/)
      expect(clean(html)).toBe(html)
    }),
    { numRuns: 500 },
  )
})
