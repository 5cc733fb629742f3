// Stores mail in inboxes: once each, however often it is sent.
import { createHash } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { CallError } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { Inbox, MailRows, StoredMessage } from './mail-rows.ts'
import type { Authentication, MailPart, StoredAttachment } from './message.ts'
import { readMessage } from './read-message.ts'

export interface MailDelivery {
  /**
   * Resolves once the message is on the disk; undefined when the inbox, or the quota of its owner's files, is full. Throws
   * UnreadableMail.
   */
  store(
    inbox: Inbox,
    mail: {
      readonly raw: Buffer
      readonly direction: 'received' | 'sent'
      /** Null for mail that did not come over SMTP. */
      readonly authentication: Authentication | null
    },
  ): Promise<StoredMessage | 'known' | undefined>
}

export function createDelivery({
  rows,
  filesOf,
}: {
  readonly rows: MailRows
  readonly filesOf: OpenCallerFiles
}): MailDelivery {
  /** Saved under a name that follows from the mail: when a sender repeats it, the files are there already. */
  async function save(inbox: Inbox, digest: Buffer, parts: readonly MailPart[]) {
    const files = filesOf(ownerOf(inbox), toUuid(digest))
    const saved: StoredAttachment[] = []
    for (const [place, { filename, mediaType, contentId, content }] of parts.entries()) {
      const file = await files.save({ name: `attachment-${place}`, filename, mediaType, content })
      const { fileId, bytes } = file
      saved.push({ fileId, filename, mediaType: file.mediaType, contentId, bytes })
    }
    return saved
  }

  return {
    async store(inbox, { raw, direction, authentication }) {
      const digest = createHash('sha256')
        .update(`${direction} ${inbox.address}\n`)
        .update(raw)
        .digest()
      if (await rows.has(inbox, { direction, digest })) return 'known'
      const { attachments: parts, isBounce, ...content } = await readMessage(raw)
      const attachments = await save(inbox, digest, parts).catch((thrown: unknown) => {
        if (thrown instanceof CallError && thrown.code === 'file_quota_exceeded') return undefined
        throw thrown
      })
      if (attachments === undefined) return undefined
      const labels = [
        direction,
        ...(isBounce ? ['bounce'] : []),
        ...(authentication?.dmarc === 'fail' ? ['unauthenticated'] : []),
      ]
      return await rows.add(inbox, {
        ...content,
        ...{ direction, digest, attachments, authentication, labels },
      })
    },
  }
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
