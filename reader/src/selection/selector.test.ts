import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { expect, test } from 'vitest'
import { type ElementTree, parseSelector, SelectorError, selectElements } from './selector.ts'

/** The elements of a page as jsdom has them, each with the number that a tree gives it. */
function treeOf(html: string) {
  const { document } = new JSDOM(html).window
  const elements = [...document.querySelectorAll('*')]
  const tree: ElementTree = {
    names: elements.map(({ localName }) => localName),
    parents: elements.map(({ parentElement }) => elements.indexOf(parentElement as Element)),
    attributes: elements.map(
      ({ attributes }) => new Map([...attributes].map(({ name, value }) => [name, value])),
    ),
  }
  return { document, elements, tree }
}

const page = treeOf(`<main id="main" class="page wide"><article data-kind="post-long" lang="en-GB">
  <h1>Title</h1><div class="body"><p class="lead">One</p><div><p>Two</p></div></div>
  <aside class="related ad"><p>Three</p><a href="https://a.example/x.pdf">PDF</a></aside>
</article></main><footer class="page"><p>Four</p></footer>`)

test.each([
  'p',
  '*',
  '.lead',
  '#main',
  'main p',
  'main > article > .body p',
  '.body > p',
  'div div > p',
  'p, h1, .nothing',
  '.page.wide',
  'article[data-kind]',
  '[data-kind="post-long"]',
  '[data-kind^=post]',
  '[data-kind$="long"]',
  '[data-kind*="st-l"]',
  '[lang|=en]',
  '[class~="ad"]',
  '[data-kind="POST-LONG" i]',
  'MAIN P',
  'a[href$=".pdf"]',
  'aside > *',
  'nav',
])('%s selects what a browser selects', (selector) => {
  const found = selectElements(page.tree, parseSelector(selector))
  const expected = [...page.document.querySelectorAll(selector)]
  expect(found.map((node) => page.elements[node])).toEqual(expected)
})

test('any path of tags and classes selects what a browser selects', () => {
  const name = fc.constantFrom('p', 'div', '.a', '.b', 'div.a', '*')
  const path = fc
    .array(fc.tuple(name, fc.constantFrom(' ', ' > ')), { minLength: 1, maxLength: 5 })
    .map((steps) => steps.map(([step, combinator], index) => (index > 0 ? combinator : '') + step))
    .map((steps) => steps.join(''))
  const names = fc.constantFrom('a', 'b', 'a b', '')
  const { element } = fc.letrec<{ element: string; parent: string; leaf: string }>((tie) => ({
    element: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('parent')),
    leaf: names.map((className) => `<p class="${className}"></p>`),
    parent: fc
      .tuple(names, fc.array(tie('element'), { maxLength: 3 }))
      .map(([className, inside]) => `<div class="${className}">${inside.join('')}</div>`),
  }))
  fc.assert(
    fc.property(element, path, (html, selector) => {
      const { document, elements, tree } = treeOf(html)
      const found = selectElements(tree, parseSelector(selector))
      expect(found.map((node) => elements[node])).toEqual([...document.querySelectorAll(selector)])
    }),
    { numRuns: 50 },
  )
})

test('values are compared without their entities', () => {
  const tree: ElementTree = {
    names: ['a'],
    parents: [-1],
    attributes: [new Map([['href', '/?a=1&amp;b=2']])],
  }
  expect(selectElements(tree, parseSelector('[href="/?a=1&b=2"]'))).toEqual([0])
})

test.each([
  ['', 'is not a CSS selector'],
  ['p >', 'is not a CSS selector'],
  ['[a', 'is not a CSS selector'],
  ['p:first-child', 'Pseudo-classes and siblings are not supported'],
  ['p + p', 'Pseudo-classes and siblings are not supported'],
  ['p ~ p', 'Pseudo-classes and siblings are not supported'],
  ['p::before', 'Pseudo-classes and siblings are not supported'],
  ['x'.repeat(201), 'at most 200 characters'],
  [Array(11).fill('p').join(','), 'at most 10 alternatives of 8 steps'],
  [Array(9).fill('p').join(' '), 'at most 10 alternatives of 8 steps'],
])('"%s" is refused with a sentence', (selector, sentence) => {
  expect(() => parseSelector(selector)).toThrow(SelectorError)
  expect(() => parseSelector(selector)).toThrow(sentence)
})

test('the longest selector is matched on the deepest and largest page in linear time', () => {
  const count = 200_000
  const depth = 128
  const tree: ElementTree = {
    names: Array(count).fill('div'),
    parents: Array.from({ length: count }, (_, node) => (node % depth === 0 ? -1 : node - 1)),
    attributes: Array(count).fill(new Map([['class', 'a']])),
  }
  const longest = Array(10).fill('div '.repeat(5).trim()).join(',')
  expect(selectElements(tree, parseSelector(longest)).length).toBeGreaterThan(100_000)
})
