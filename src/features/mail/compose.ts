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

/** The mail with CRLF line ends. */
export async function compose(draft: Draft): Promise<Buffer> {
  const { from, to, cc, subject, text, html, answers, messageId, date } = draft
  const composer = new MailComposer({
    ...{ from, to: [...to], cc: [...cc], subject, messageId, date },
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    ...(answers && { inReplyTo: answers.headerId, references: referencesOf(draft) }),
    attachments: draft.attachments.map(({ filename, mediaType, contentId, content }) => ({
      ...{ filename, contentType: mediaType, content: Buffer.from(content) },
      ...(contentId === null ? {} : { cid: contentId }),
    })),
    newline: 'win',
    // Content comes from memory. Text that looks like a path or an address is never read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await composer.compile().build()
}
