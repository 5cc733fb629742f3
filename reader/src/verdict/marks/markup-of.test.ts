import { expect, test } from 'vitest'
import { markupOf } from './markup-of.ts'

test.each([
  ['the text of a page', '<p>geo.captcha-delivery.com/captcha</p>'],
  ['the address of a link', '<a href="https://geo.captcha-delivery.com/captcha">how it works</a>'],
  ['the words of a picture', '<img src="a.png" alt="geo.captcha-delivery.com/captcha">'],
  ['a description', '<meta name="description" content="see geo.captcha-delivery.com/captcha">'],
  ['a comment', '<!-- geo.captcha-delivery.com/captcha -->'],
  ['data', '<script type="application/json">"geo.captcha-delivery.com/captcha"</script>'],
  ['streamed data', '<script>self.__next_f.push([1,"geo.captcha-delivery.com/captcha"])</script>'],
  ['a text field', '<textarea>geo.captcha-delivery.com/captcha</textarea>'],
])('%s does not count as markup', (_what, html) => {
  expect(markupOf(html)).not.toContain('captcha-delivery')
})

test.each([
  ['a script', '<script>location="https://geo.captcha-delivery.com/captcha"</script>'],
  [
    'the address of a script',
    '<script src="https://geo.captcha-delivery.com/captcha.js"></script>',
  ],
  ['a frame', '<iframe src="https://geo.captcha-delivery.com/captcha"></iframe>'],
  ['a form', '<form action="https://geo.captcha-delivery.com/captcha"></form>'],
  ['a picture', '<img src="https://geo.captcha-delivery.com/captcha.png" alt="letters">'],
  [
    'an order to the browser',
    '<meta http-equiv="refresh" content="0;url=//geo.captcha-delivery.com/captcha">',
  ],
  [
    'what stands in noscript',
    '<noscript><iframe src="//geo.captcha-delivery.com/captcha"></noscript>',
  ],
])('%s counts as markup', (_what, html) => {
  expect(markupOf(html)).toContain('captcha-delivery')
})
