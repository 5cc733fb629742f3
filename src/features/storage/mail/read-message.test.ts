import { expect, test } from 'vitest'
import { readMessage } from './read-message.ts'
import { UnreadableMail } from './unreadable-mail.ts'

const read = (...lines: (string | Buffer)[]) =>
  readMessage(
    Buffer.concat(lines.flatMap((line) => [Buffer.from(line as string), Buffer.from('\r\n')])),
  )

const attached = (disposition: string) => [
  'From: bob@example.org',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: application/pdf',
  `Content-Disposition: attachment; ${disposition}`,
  '',
  'x',
  '--b--',
]

test.each([
  ['a windows-1252 body', 'windows-1252', Buffer.from([0x93, 0x80, 0x94]), '“€”'],
  ['a Shift_JIS body', 'shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
  ['a KOI8-R body', 'koi8-r', Buffer.from([0xcd, 0xc9, 0xd2]), 'мир'],
  ['a UTF-8 body with a broken byte', 'utf-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ['an unknown charset', 'klingon', Buffer.from('abc'), 'abc'],
])('%s is read', async (_what, charset, body, text) => {
  const head = ['From: b@example.org', `Content-Type: text/plain; charset=${charset}`, '']
  expect((await read(...head, body)).text?.trim()).toBe(text)
})

test('encoded headers are read, and control characters in them cannot start a line', async () => {
  const message = await read(
    'From: =?utf-8?Q?J=C3=BCrgen=0D=0ABcc=3A_eve=40example.org?= <j@example.org>',
    'Subject: =?iso-8859-1?Q?Gr=FC=DFe=00=0AX?=',
    'Message-ID: <1@example.org>',
    'In-Reply-To: <0@example.org> (a comment)',
    'References: <a@example.org>',
    ' <0@example.org>',
    '',
    'Hi',
  )
  expect(message).toMatchObject({
    sender: 'Jürgen Bcc: eve@example.org <j@example.org>',
    headerId: '<1@example.org>',
    inReplyTo: '<0@example.org>',
    references: ['<a@example.org>', '<0@example.org>'],
  })
  expect(message.subject).not.toMatch(/\p{Cc}/u)
  expect(message.subject).toContain('Grüße')
})

test.each([
  ['filename="../../etc/passwd"', 'passwd'],
  ['filename="C:\\\\Windows\\\\system.ini"', 'system.ini'],
  ['filename=".."', 'attachment-1'],
  ['filename=""', 'attachment-1'],
  ["filename*=UTF-8''%E2%82%AC%20rates.pdf", '€ rates.pdf'],
  ['filename="=?utf-8?B?csOpc3Vtw6kucGRm?="', 'résumé.pdf'],
  ["filename*=UTF-8''invoice%E2%80%AEfdp.exe", 'invoicefdp.exe'],
  ["filename*=UTF-8''a%00b%0Ac.pdf", 'a\ufffdb c.pdf'],
  [`filename="${'a'.repeat(400)}.pdf"`, `${'a'.repeat(146)}.pdf`],
])('the attachment name %s becomes %s', async (disposition, filename) => {
  expect((await read(...attached(disposition))).attachments).toMatchObject([{ filename }])
})

test('a forwarded mail is one attachment, and its text is not that of the mail', async () => {
  const message = await read(
    ...['From: bob@example.org', 'Content-Type: multipart/mixed; boundary="b"', ''],
    ...['--b', '', 'See below.', '--b', 'Content-Type: message/rfc822', ''],
    ...['From: carol@example.org', 'Subject: Inner', '', 'Inner text', '--b--'],
  )
  expect(message.text?.trim()).toBe('See below.')
  expect(message.attachments).toMatchObject([{ mediaType: 'message/rfc822' }])
})

test.each([
  ['nested too deeply', nested(60)],
  ['with endless headers', [`X: ${'a'.repeat(300_000)}`, '', 'Hi']],
  ['of too many parts', manyParts(150)],
])('a mail %s is refused for good', async (_what, lines) => {
  await expect(read(...lines)).rejects.toThrow(UnreadableMail)
})

function nested(depth: number): string[] {
  const open = Array.from({ length: depth }, (_, at) => [
    ...(at === 0 ? [] : [`--b${at - 1}`]),
    `Content-Type: multipart/mixed; boundary="b${at}"`,
    '',
  ])
  return [...open.flat(), 'Hi']
}

function manyParts(count: number): string[] {
  const part = ['--b', 'Content-Type: application/pdf', 'Content-Disposition: attachment', '', 'x']
  const parts = Array.from({ length: count }, () => part).flat()
  return ['Content-Type: multipart/mixed; boundary="b"', '', ...parts, '--b--']
}

test('a mail without headers, a body or sense is kept as what it is', async () => {
  expect(await read('')).toMatchObject({ sender: '', subject: '', headerId: null, attachments: [] })
  const bytes = Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 73) % 256))
  expect((await read(bytes)).sender).toBe('')
})

test('a mail with more signatures than can be checked is refused', async () => {
  const signatures = Array.from({ length: 11 }, (_, at) => `DKIM-Signature: v=1; l=${at}`)
  await expect(read('From: eve@example.net', ...signatures, '', 'Hi')).rejects.toThrow(
    UnreadableMail,
  )
})

test('headers of any length keep within what a row may take', async () => {
  const long = '😀'.repeat(900)
  const many = Array.from({ length: 1_000 }, (_, at) => `"${'n'.repeat(50)}" <a${at}@b.example>`)
  const message = await read(
    `From: "${long}" <${'a'.repeat(1_000)}@example.net>`,
    `Message-ID: <${long}@example.net>`,
    `References: <${long}>`,
    `To: ${many.join(', ')}`,
    '',
    'Hi',
  )
  expect(message).toMatchObject({ headerId: null, references: [] })
  expect(message.to).toHaveLength(100)
  expect(message.sender.length).toBeLessThan(600)
})
