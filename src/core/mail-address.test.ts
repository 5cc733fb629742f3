import { expect, test } from 'vitest'
import { readMailbox } from './mail-address.ts'

test.each([
  ['ada@example.org', '', 'ada@example.org'],
  [' ada@Example.ORG ', '', 'ada@example.org'],
  ['Ada Lovelace <ada@example.org>', 'Ada Lovelace', 'ada@example.org'],
  ['"Lovelace, Ada" <ada+list@example.org>', 'Lovelace, Ada', 'ada+list@example.org'],
  ['<ada@example.org>', '', 'ada@example.org'],
  ['Jürgen <j@münchen.example>', 'Jürgen', 'j@xn--mnchen-3ya.example'],
])('%s is read', (text, name, address) => {
  expect(readMailbox(text)).toEqual({ name, address })
})

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@localhost',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  'ada@example.org, bob@example.org',
  'ada@example.org\r\nBcc: eve@example.org',
  'Ada\r\nBcc: eve@example.org <ada@example.org>',
  'ada@example.org>\r\nRCPT TO:<eve@example.org',
  'Ada <ada@example.org> <eve@example.org>',
  'ada@eve@example.org',
  '"ada b"@example.org',
  'ada..b@example.org',
  '.ada@example.org',
  'ada b@example.org',
  'ada@exa mple.org',
  'ada@example.org/path',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a'.repeat(64)}.org`,
  `ada@${'a.'.repeat(130)}org`,
  'ada\0@example.org',
  'ada@example.org\ud800',
])('%j is refused', (text) => {
  expect(readMailbox(text)).toBeUndefined()
})
