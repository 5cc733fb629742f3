import { expect, test } from 'vitest'
import { type ReadOptions, readMarkup } from '../read-markup.ts'

const url = 'https://mill.example/years/1801'
const paragraph =
  'The river ran past the old mill, and the miller counted his sacks of flour every evening.'
const page = `<html lang="en"><title>The mill</title><nav><a href="/">Home</a></nav>
  <article><h1>The mill</h1><p>${paragraph}</p>
    <p class="note">A note about the <a href="/dam#top">dam</a>, and the <a href="/dam#top">same dam</a>.</p>
    <table class="prices"><tr><td>Rye</td><td>3</td></tr></table>
    <p>More of it: ${paragraph} <img src="/wheel.png" alt="The &quot;wheel&quot;"></p>
    <a href="mailto:miller@mill.example">Write</a></article>
  <aside class="ad"><p>Buy flour at once</p></aside><footer>Mill Street 3</footer>`

const read = (options: Partial<ReadOptions>) =>
  readMarkup({ html: page, url, format: 'markdown', mainContent: false, ...options })

test('of include_selectors only their elements are returned, in the order of the page', () => {
  const { content, title } = read({ include: ['footer', '.note'], mainContent: true })
  expect(content).toMatch(/^A note about the \[dam\].*\n+Mill Street 3$/)
  expect(title).toBe('The mill')
})

test('an element inside another one that is selected too comes once', () => {
  expect(read({ include: ['article', '.note'] }).content.match(/A note about/g)).toHaveLength(1)
})

test('excluded elements are left out, of the page, of its main content and of what is included', () => {
  const excluded = { exclude: ['.note', 'table', 'nav > a'] }
  for (const options of [excluded, { ...excluded, mainContent: true }]) {
    const { content } = read({ ...options, format: 'html' })
    expect(content).toContain('The river ran')
    expect(content).not.toMatch(/note about|table|Rye|Home/)
  }
  expect(read({ include: ['article'], ...excluded }).content).not.toMatch(/note about|Rye/)
})

test('selectors that fit nothing leave nothing, and a page without them is whole', () => {
  expect(read({ include: ['.nothing'] }).content).toBe('')
  expect(read({ exclude: ['.nothing'] }).content).toBe(read({}).content)
})

test('a picture can be included by itself', () => {
  expect(read({ include: ['img'] }).content).toBe('![The "wheel"](https://mill.example/wheel.png)')
})

test('the verdict is made from the whole page', () => {
  expect(read({ include: ['.note'] }).survey).toEqual(read({}).survey)
})

test('links and pictures of the content are lists, each address once', () => {
  const { forms } = read({ also: ['links', 'images'], include: ['article'] })
  expect(forms).toEqual({
    links: [{ url: 'https://mill.example/dam#top', text: 'dam' }],
    images: [{ url: 'https://mill.example/wheel.png', alt: 'The "wheel"' }],
  })
})

test('the other form of the content comes with it', () => {
  const { content, forms } = read({ also: ['html'] })
  expect(forms).toEqual({ html: read({ format: 'html' }).content })
  expect(content).not.toBe(forms.html)
})
