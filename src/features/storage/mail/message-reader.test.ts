import { afterAll, expect, test } from 'vitest'
import { createMessageReader } from './message-reader.ts'
import { UnreadableMail } from './unreadable-mail.ts'

const reader = createMessageReader({ limits: { cpuMs: 500, wallMs: 30_000 } })
afterAll(() => reader.close())

const head = 'From: eve@example.net\r\n'
const multipart = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n`
const flowed = `${head}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n`

test.each([
  ['nine million empty lines', `${head}\r\n${'\n'.repeat(9_000_000)}`],
  ['nine hundred thousand parts', multipart + '--b\r\n\r\nx\r\n'.repeat(900_000)],
  ['quotations in lines of five bytes', flowed + '> a \r\n'.repeat(1_500_000)],
])('%s are refused, and the next mail is read', async (_what, raw) => {
  await expect(reader.read(Buffer.from(raw), 'eve')).rejects.toThrow(UnreadableMail)
  const { subject } = await reader.read(Buffer.from(`${head}Subject: Next\r\n\r\nHi`), 'ada')
  expect(subject).toBe('Next')
})

test('an attachment of the largest size is read', async () => {
  const lines = `${'QUJD'.repeat(19)}\r\n`.repeat(125_000)
  const usual = createMessageReader()
  const part = 'Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n'
  const { attachments } = await usual.read(
    Buffer.from(`${multipart}--b\r\n${part}${lines}--b--`),
    'ada',
  )
  expect(attachments[0]?.content.length).toBe(57 * 125_000)
  await usual.close()
})

test('a closed reader says that the mail may be sent again', async () => {
  const closed = createMessageReader()
  await closed.close()
  const refused = closed.read(Buffer.from(head), 'ada')
  await expect(refused).rejects.not.toBeInstanceOf(UnreadableMail)
})
