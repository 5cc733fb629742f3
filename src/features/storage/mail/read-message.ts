// Reads what strangers sent: MIME in any nesting, any charset, any header. Pure.
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import {
  attachmentsMax,
  headerBytesMax,
  nestingMax,
  referencesMax,
  signaturesMax,
} from './limits.ts'
import type { MailPart, MessageContent } from './message.ts'
import { UnreadableMail } from './unreadable-mail.ts'

/** In ASCII, without spaces. Longer ones do not fit into an index. */
const messageIds = /<[\x21-\x3b\x3d\x3f-\x7e]{1,996}>/g
const subjectMax = 2_000
const correspondentsMax = 100
const personMax = 200
const mailboxMax = 320
const filenameMax = 150

/** Throws UnreadableMail. */
export async function readMessage(raw: Uint8Array): Promise<MessageContent> {
  const mail = await parse(raw)
  if (mail.attachments.length > attachmentsMax)
    throw new UnreadableMail(`The mail has more than ${attachmentsMax} attachments.`)
  if (mail.headers.filter(({ key }) => key === 'dkim-signature').length > signaturesMax)
    throw new UnreadableMail(`The mail has more than ${signaturesMax} DKIM signatures.`)
  const isBounce = isReport(mail, 'delivery-status')
  const isComplaint = isReport(mail, 'feedback-report')
  const inReplyTo = idsIn(mail.inReplyTo)[0] ?? null
  const said = idsIn(mail.references)
  const known = isBounce || isComplaint ? [...said, ...returnedIds(mail.attachments)] : said
  return {
    sender: writeAll(mail.from === undefined ? [] : [mail.from])[0] ?? '',
    to: writeAll(mail.to),
    cc: writeAll(mail.cc),
    replyTo: writeAll(mail.replyTo),
    subject: oneLine(mail.subject ?? '').slice(0, subjectMax),
    text: mail.text === undefined ? null : storable(mail.text),
    html: mail.html === undefined ? null : storable(mail.html),
    headerId: idsIn(mail.messageId)[0] ?? null,
    inReplyTo,
    references: known.slice(-referencesMax),
    isBounce,
    isComplaint,
    isAutomatic: isBounce || isComplaint || isSentByProgram(mail),
    attachments: mail.attachments.map(readPart),
  }
}

async function parse(raw: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(raw, {
      maxNestingDepth: nestingMax,
      maxHeadersSize: headerBytesMax,
      // A forwarded mail stays one attachment. Its parts would otherwise mix with those of the mail around it.
      forceRfc822Attachments: true,
    })
  } catch (cause) {
    throw new UnreadableMail('The structure of the mail is too complex.', { cause })
  }
}

/** Sources: RFC 3464, and RFC 5965 for complaints. */
function isReport({ headers }: Email, kind: 'delivery-status' | 'feedback-report'): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? ''
  const named = /report-type\s*=\s*"?([\w-]+)/i.exec(type)?.[1]?.toLowerCase()
  return /^multipart\/report\b/i.test(type) && named === kind
}

/** Source: RFC 3834, section 5. */
function isSentByProgram({ headers }: Email): boolean {
  const submitted = headers.find(({ key }) => key === 'auto-submitted')?.value ?? 'no'
  return !/^\s*no\b/i.test(submitted)
}

/** The Message-ID of the mail that a bounce returns: it places the bounce in its conversation. */
function returnedIds(attachments: readonly Attachment[]): string[] {
  const returned = attachments.find(({ mimeType }) =>
    ['message/rfc822', 'message/global', 'text/rfc822-headers'].includes(mimeType),
  )
  if (returned === undefined) return []
  const [head = ''] = Buffer.from(bytesOf(returned))
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)
  return idsIn(/^message-id:\s*(<[^<>\s]+>)/im.exec(head)?.[1])
}

const idsIn = (text: string | undefined) => (text ?? '').match(messageIds) ?? []

function writeAll(addresses: readonly Address[] = []): string[] {
  const mailboxes = addresses.flatMap((each) => each.group ?? [each])
  return mailboxes.slice(0, correspondentsMax).map(({ name, address }) => {
    const person = oneLine(name).replaceAll(/[<>]/g, '').slice(0, personMax).toWellFormed()
    const mailbox = oneLine(address).slice(0, mailboxMax).toWellFormed()
    return person === '' ? mailbox : `${person} <${mailbox}>`
  })
}

function readPart(part: Attachment, place: number): MailPart {
  const { mimeType, contentId } = part
  return {
    filename: safeName(part.filename) ?? `attachment-${place + 1}`,
    mediaType: /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : 'application/octet-stream',
    contentId: contentId === undefined ? null : oneLine(contentId).replace(/^<(.*)>$/, '$1'),
    content: bytesOf(part),
  }
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

/** The last part of a path, without characters that change how the name looks or where it is stored. */
function safeName(name: string | null): string | undefined {
  const last =
    oneLine(name ?? '')
      .split(/[/\\]/)
      .at(-1) ?? ''
  const visible = last.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  if (/^\.*$/.test(visible)) return undefined
  return visible.length <= filenameMax ? visible : shorten(visible)
}

/** Keeps the extension. */
function shorten(name: string): string {
  const extension = /\.[\w-]{1,16}$/.exec(name)?.[0] ?? ''
  return name.slice(0, filenameMax - extension.length).toWellFormed() + extension
}

const oneLine = (text: string) =>
  storable(text)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/** PostgreSQL stores neither NUL nor halves of characters. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
