import { expect, test } from 'vitest'
import { roast } from './roast.ts'

test.each([
  'your code has more todos than a wedding. and/or fewer tests',
  'v2.0 of your parser is 3.14 times slower, congrats',
  'you name things like a cat walking over the keyboard: x1, x2, x_final_final',
  'works on localhost.then it ships at 3/4 speed, tcp/ip and all',
  'tokens? secrets? you keep neither. your password is a feature.',
])('%j may stand on a card', (text) => {
  expect(roast.safeParse(text).error?.issues).toBeUndefined()
})

test.each([
  [
    'a web address',
    ['see bit.ly/abc', 'visit example.de', 'ftp://x.y', 'file://etc', 'me.page:80/x'],
  ],
  ['a web address', ['it runs on localhost:3000', 'ping 192.168.1.1', 'www.example']],
  [
    'a file path',
    ['open src/main.ts', 'node_modules/left-pad/index.js', '~/notes', '\\\\nas\\share'],
  ],
])('%s does not: %j', (what, texts) => {
  for (const text of texts) {
    const messages = roast.safeParse(text).error?.issues.map(({ message }) => message)
    expect(messages, text).toContain(`must not hold ${what}`)
  }
})
