import { expect, test } from 'vitest'
import { compose } from './compose.ts'

const draft = {
  from: { name: 'Ada', address: 'ada@agents.example' },
  to: [{ name: '', address: 'bob@example.org' }],
  cc: [],
  subject: 'Hi',
  text: 'Hi',
  attachments: [],
  messageId: '<1@agents.example>',
  date: new Date(0),
}

/** Ends of a mail, as some servers read them, and a second mail behind each. */
const ends = ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r\n\0.\r\n', '\r\n.\r\n']
const smuggled = ends.map((end) => `Hi${end}MAIL FROM:<eve@example.net>`).join('')
const asFile = (mediaType: string) => ({
  filename: 'mail.eml',
  mediaType,
  contentId: null,
  content: Buffer.from(smuggled),
})

test.each([
  ['text', { text: smuggled }],
  ['HTML', { html: smuggled }],
  ['a mail as an attachment', { attachments: [asFile('message/rfc822')] }],
  ['a multipart as an attachment', { attachments: [asFile('multipart/mixed')] }],
  ['an attachment of text', { attachments: [asFile('text/plain')] }],
])('%s has no line end but CRLF: no server reads a second mail in it', async (_what, change) => {
  const raw = (await compose({ ...draft, ...change })).toString('latin1')
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
})
