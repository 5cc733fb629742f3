import { expect, test } from 'vitest'
import { createPlainAddressCheck } from '#platform/egress/admit-address.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createSend } from './send.ts'

const send = createSend(createPlainAddressCheck(createEgressGuard()))
const check = (file_url: string) => send.check?.({ to: '+12125550100', file_url })

test.each([
  'http://127.0.0.1/a.pdf',
  'http://localhost/a.pdf',
  'http://10.1.2.3/a.pdf',
  'http://169.254.169.254/latest/a.pdf',
  'https://[::1]/a.pdf',
  '2130706433/a.pdf',
  'https://example.com:22/a.pdf',
  'ftp://example.com/a.pdf',
])('a PDF that the carrier cannot read, %s, is refused before anything is bought', (file_url) => {
  expect(() => check(file_url)).toThrow(expect.objectContaining({ code: 'bad_url' }))
})

test.each(['https://example.com/form.pdf', 'example.com/form.pdf', 'http://93.184.215.14/a.pdf'])(
  'a public address, %s, is taken',
  (file_url) => {
    expect(() => check(file_url)).not.toThrow()
  },
)
