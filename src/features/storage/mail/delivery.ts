// Stores mail in inboxes: once each, however often it is sent.
import { createHash } from 'node:crypto'
import { pick } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { CallError } from '#core/errors.ts'
import type { CallerFiles, OpenCallerFiles } from '#core/files.ts'
import { readMailbox } from '#core/mail-address.ts'
import type { Inbox, MailRows, StoredMessage } from './mail-rows.ts'
import type { Authentication, MailPart, MessageContent, StoredAttachment } from './message.ts'
import type { MessageReader } from './message-reader.ts'
import type { Strangers } from './strangers.ts'

/** A mail that has been read, for any number of inboxes. */
export interface ReadMail {
  /** Of its bytes. */
  readonly digest: Buffer
  readonly content: MessageContent
}

export interface MailDelivery {
  /** `owner` is who sends it. Throws UnreadableMail. */
  read(raw: Buffer, owner: string): Promise<ReadMail>
  /**
   * Stores a mail that came in. Resolves once it is on the disk; false when the inbox, or the quota of its owner's
   * files, is full.
   */
  receive(inbox: Inbox, mail: ReadMail, authentication: Authentication | null): Promise<boolean>
  /**
   * Keeps the copy of a mail that was sent, even if the inbox is full by now. Its attachments are files of the sender.
   */
  keepSent(
    inbox: Inbox,
    mail: ReadMail,
    attachments: readonly StoredAttachment[],
  ): Promise<StoredMessage>
}

export function createDelivery({
  rows,
  filesOf,
  reader,
  strangers,
}: {
  readonly rows: MailRows
  readonly filesOf: OpenCallerFiles
  readonly reader: MessageReader
  readonly strangers: Strangers
}): MailDelivery {
  return {
    async read(raw, owner) {
      const content = await reader.read(raw, owner)
      return { digest: createHash('sha256').update(raw).digest(), content }
    },
    async receive(inbox, mail, authentication) {
      const direction = 'received'
      const digest = digestIn(inbox, direction, mail)
      if (await rows.has(inbox, { direction, digest })) return true
      const { isBounce, isComplaint, isAutomatic } = mail.content
      // Under an id that follows from the mail: when a sender repeats it, the files are there already.
      const files = filesOf(ownerOf(inbox), toUuid(digest))
      const saved = await save(files, mail.content.attachments)
      if (saved === undefined) return false
      const { attachments, discard } = saved
      const labels = [
        direction,
        ...(isBounce ? ['bounce'] : []),
        ...(isComplaint ? ['complaint'] : []),
        ...(isAutomatic ? ['automatic'] : []),
        ...(authentication?.dmarc === 'fail' ? ['unauthenticated'] : []),
      ]
      const stored = await rows.add(inbox, {
        ...writtenOf(mail),
        direction,
        digest,
        attachments,
        authentication,
        labels,
      })
      if (stored === undefined) await discard()
      else await takeNotice(strangers, inbox, stored)
      return stored !== undefined
    },
    async keepSent(inbox, mail, attachments) {
      const direction = 'sent'
      const digest = digestIn(inbox, direction, mail)
      const stored = await rows.add(
        inbox,
        {
          ...writtenOf(mail),
          direction,
          digest,
          attachments,
          authentication: null,
          labels: [direction],
        },
        { evenIfFull: true },
      )
      return stored as StoredMessage
    },
  }
}

/** What a mail that came in says about those whom the account has written to, or may write to. */
async function takeNotice(
  strangers: Strangers,
  inbox: Inbox,
  { labels, references, sender }: StoredMessage,
) {
  const has = (label: string) => labels.includes(label)
  if (has('bounce')) return await strangers.reported('returned', references)
  if (has('complaint')) return await strangers.reported('complaint', references)
  // A program answers anyone, and a forged sender has not written.
  if (has('automatic') || has('unauthenticated')) return
  const mailbox = readMailbox(sender)
  if (mailbox !== undefined) await strangers.met(inbox, mailbox.address)
}

/** Undefined when they do not fit: then none is kept. */
async function save(files: CallerFiles, parts: readonly MailPart[]) {
  const saved: StoredAttachment[] = []
  const discard = async () => {
    for (const { fileId } of saved) await files.discard(fileId)
  }
  try {
    for (const [place, { filename, mediaType, contentId, content }] of parts.entries()) {
      const file = await files.save({ name: `attachment-${place}`, filename, mediaType, content })
      const { fileId, bytes } = file
      saved.push({ fileId, filename, mediaType: file.mediaType, contentId, bytes })
    }
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.code !== 'file_quota_exceeded') throw thrown
    await discard()
    return undefined
  }
  return { attachments: saved, discard }
}

/** What its sender wrote. */
const writtenOf = ({ content }: ReadMail) =>
  pick(
    content,
    ...(['sender', 'to', 'cc', 'replyTo', 'subject', 'text', 'html'] as const),
    ...(['headerId', 'inReplyTo', 'references'] as const),
  )

/** Unique for the mail, the inbox and the direction. */
function digestIn({ address }: Inbox, direction: string, { digest }: ReadMail): Buffer {
  return createHash('sha256').update(`${direction} ${address}\n`).update(digest).digest()
}

/** Files of an inbox belong to its owner, and to the limited key that made the inbox. */
function ownerOf({ accountId, keyId }: Inbox): Caller {
  return keyId === null
    ? { kind: 'wallet', accountId }
    : { kind: 'account', accountId, keyId, isLimited: false }
}

function toUuid(digest: Buffer): string {
  const hex = digest.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
