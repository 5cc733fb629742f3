// Writes mail. Every field has been checked: none can add a header or a recipient.
import MailComposer from 'nodemailer/lib/mail-composer'
import { referencesMax } from './limits.ts'
import type { MailPart } from './message.ts'

interface Mailbox {
  readonly name: string
  readonly address: string
}

export interface Draft {
  readonly from: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
  /** The message that this one answers. */
  readonly answers?:
    | { readonly headerId: string; readonly references: readonly string[] }
    | undefined
  readonly attachments: readonly MailPart[]
  readonly messageId: string
  readonly date: Date
}

/** Source: RFC 5322, section 3.6.4. */
function referencesOf({ answers }: Pick<Draft, 'answers'>): string[] {
  if (answers === undefined) return []
  const before = answers.references.filter((id) => id !== answers.headerId)
  return [...before, answers.headerId].slice(-referencesMax)
}

/**
 * A server that reads a single CR or LF as the end of a line could find the end of the mail, and another one behind it.
 */
const withLineEnds = (text: string) => text.replaceAll(/\r\n?|\n/g, '\r\n')

/** Mails and multiparts travel unencoded: their bytes would become lines of the mail around them. */
const isEncoded = (mediaType: string) => !/^(?:message|multipart)\//i.test(mediaType)

/** The mail with CRLF line ends. */
export async function compose(draft: Draft): Promise<Buffer> {
  const { from, to, cc, subject, text, html, answers, messageId, date } = draft
  const composer = new MailComposer({
    from,
    to: [...to],
    cc: [...cc],
    subject,
    messageId,
    date,
    ...(text === undefined ? {} : { text: withLineEnds(text) }),
    ...(html === undefined ? {} : { html: withLineEnds(html) }),
    ...(answers && { inReplyTo: answers.headerId, references: referencesOf(draft) }),
    attachments: draft.attachments.map(({ filename, mediaType, contentId, content }) => ({
      filename,
      content: Buffer.from(content),
      contentType: isEncoded(mediaType) ? mediaType : 'application/octet-stream',
      ...(contentId === null ? {} : { cid: contentId }),
    })),
    newline: 'win',
    // Content comes from memory. Text that looks like a path or an address is never read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await composer.compile().build()
}
