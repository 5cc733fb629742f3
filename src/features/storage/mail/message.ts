// Messages as inboxes keep them.

/** An e-mail address with its name, as mail programs show it: `Ada <ada@example.org>`. */
export type Correspondent = string

export interface Recipients {
  readonly to: readonly Correspondent[]
  readonly cc: readonly Correspondent[]
  readonly replyTo: readonly Correspondent[]
}

export interface MessageContent extends Recipients {
  readonly sender: Correspondent
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** With its angle brackets. Null: the mail has none. */
  readonly headerId: string | null
  readonly inReplyTo: string | null
  /** The conversation so far, oldest first. */
  readonly references: readonly string[]
  readonly isBounce: boolean
  /** A recipient reports mail as unwanted. */
  readonly isComplaint: boolean
  /** A program sent it by itself: a bounce, an absence notice, a confirmation. */
  readonly isAutomatic: boolean
  readonly attachments: readonly MailPart[]
}

/** An attachment with its bytes. */
export interface MailPart {
  readonly filename: string
  readonly mediaType: string
  /** Names an image inside the HTML: `cid:` and this id show it. */
  readonly contentId: string | null
  readonly content: Uint8Array
}

/** An attachment whose bytes are a file of the inbox's owner. */
export interface StoredAttachment {
  readonly fileId: string
  readonly filename: string
  readonly mediaType: string
  readonly contentId: string | null
  readonly bytes: number
}

/** How a check of the sender came out. Source: RFC 8601. */
export interface Authentication {
  readonly spf: string
  readonly dkim: string
  readonly dmarc: string
}
