import { expect, test } from 'vitest'
import { readBody } from '../read-body.ts'

function read(html: string, options = {}): string {
  const body = {
    kind: 'html',
    body: html,
    finalUrl: 'https://mill.example/a/b',
    ...options,
  } as const
  return readBody(body, { format: 'markdown', mainContent: false }).content
}

const data = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

test.each([
  ['in data-src', `<img src="${data}" data-src="/w.jpg">`],
  ['in data-src beside a placeholder', '<img src="/blank.gif" data-src="/w.jpg">'],
  [
    'in data-srcset',
    '<img src="/blank.gif" data-srcset="/s.jpg 400w, /l.jpg 2000w, /w.jpg 1300w">',
  ],
  ['in srcset', '<img srcset="/d.jpg 2x, /w.jpg">'],
  ['in srcset without spaces', '<img srcset="/w.jpg 1x,/d.jpg 2x">'],
  ['in a source', '<picture><source srcset="/w.jpg"><img></picture>'],
  ['late in a source', '<picture><source data-srcset="/w.jpg 1x"><img src="/blank.gif"></picture>'],
  ['in src beside a template', '<img src="/w.jpg" data-src="{{ address }}">'],
  [
    'in a noscript after it',
    '<img class="lazy" src="/blank.gif"><noscript><img src="/w.jpg"></noscript>',
  ],
  [
    'in a noscript after a picture',
    `<picture><img src="${data}"></picture> <noscript><img src="/w.jpg"></noscript>`,
  ],
  ['in a noscript alone', '<figure><div></div><noscript><img src="/w.jpg"></noscript></figure>'],
  ['in both', '<img data-src="/w.jpg"><noscript><img src="/w.jpg"></noscript>'],
])('a picture that is loaded late is found %s', (_name, html) => {
  expect(read(`<p>Flour</p>${html}`)).toBe('Flour\n\n![](https://mill.example/w.jpg)')
})

test.each([
  ['a pixel', '<noscript><img src="/count?x=1" width="1" height="1" alt="x"></noscript>'],
  ['a hidden picture', '<noscript><img src="/count" style="display:none" alt="x"></noscript>'],
  ['a nameless picture', '<noscript><img src="/count"></noscript>'],
])('%s of a noscript counts visits and is left out', (_name, html) => {
  expect(read(`<p>Flour</p>${html}`)).toBe('Flour')
})

test('a picture of its own stays when a noscript follows it', () => {
  const html = '<p>Flour</p><img src="/w.jpg"><noscript><img src="/count"></noscript>'
  expect(read(html)).toBe('Flour\n\n![](https://mill.example/w.jpg)')
})

test('a rendered page has no noscript', () => {
  const html = '<p>Flour</p><figure><noscript><img src="/w.jpg"></noscript></figure>'
  expect(read(html, { rendered: true })).toBe('Flour')
})
