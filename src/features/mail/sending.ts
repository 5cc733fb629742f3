// Sends mail from an inbox: to inboxes of this gateway at once, to others by the operator's relay.
import { buffer } from 'node:stream/consumers'
import type { RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'
import { uuidv7 } from '#core/id.ts'
import { domainOf, type Mailbox, readMailbox } from '#core/mail-address.ts'
import type { Clock } from '#core/ports.ts'
import { compose, type Draft } from './compose.ts'
import type { MailDelivery } from './delivery.ts'
import { mailBytesMax } from './limits.ts'
import type { Inbox, MailRows, StoredMessage } from './mail-rows.ts'
import type { MailPart } from './message.ts'
import type { Rejection, Relay } from './relay.ts'

export interface AttachedFile {
  readonly file_id: string
  readonly filename?: string | undefined
}

/** What a caller wants to send. */
export interface OutgoingMail {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly answers?: Draft['answers']
  readonly attachments?: readonly AttachedFile[] | undefined
}

export interface Sent {
  readonly message: StoredMessage
  readonly rejected: readonly Rejection[]
}

type SendContext = Pick<RunContext<unknown>, 'files' | 'purchase'>

export type SendMail = (inbox: Inbox, letter: OutgoingMail, context: SendContext) => Promise<Sent>

export function createSending({
  rows,
  delivery,
  relay,
  domains,
  clock,
}: {
  readonly rows: MailRows
  readonly delivery: MailDelivery
  /** Undefined: mail reaches inboxes of this gateway only. */
  readonly relay: Relay | undefined
  readonly domains: readonly string[]
  readonly clock: Clock
}): SendMail {
  /** The inboxes with these addresses. Throws `bad_request` for one that cannot take the mail. */
  async function findInboxes(addresses: readonly string[], bytes: number): Promise<Inbox[]> {
    const inboxes: Inbox[] = []
    for (const address of addresses) {
      const inbox = await rows.at(address)
      if (inbox === undefined || !(await rows.hasRoom(inbox, bytes))) {
        const reason = inbox === undefined ? 'There is no inbox' : 'There is no room in the inbox'
        throw fail('bad_request', { message: `${reason} ${address}. Nothing was sent or charged.` })
      }
      inboxes.push(inbox)
    }
    return inboxes
  }

  async function carry(
    mail: { raw: Buffer; from: string; to: readonly string[] },
    { purchase }: SendContext,
  ): Promise<readonly Rejection[]> {
    if (mail.to.length === 0) return []
    if (relay === undefined)
      throw fail('provider_not_configured', {
        message: `This gateway sends mail only to its own domains: ${domains.join(', ')}. Ask the operator to set SMTP_RELAY_URL. Nothing was sent or charged.`,
      })
    return await purchase(() => relay.send(mail))
  }

  return async (inbox, letter, context) => {
    const { raw, addresses } = await write(inbox, letter, context.files, clock)
    if (!(await rows.hasRoom(inbox, raw.length)))
      throw fail('bad_request', {
        message:
          'Your inbox is full, so that a copy of the mail cannot be kept. Nothing was sent or charged.',
      })
    const isLocal = (address: string) => domains.includes(domainOf(address))
    const inboxes = await findInboxes(addresses.filter(isLocal), raw.length)
    const others = addresses.filter((address) => !isLocal(address))
    const rejected = [...(await carry({ raw, from: inbox.address, to: others }, context))]
    for (const each of inboxes) {
      const stored = await delivery.store(each, {
        raw,
        direction: 'received',
        authentication: null,
      })
      if (stored === undefined)
        rejected.push({ address: each.address, reason: 'There is no room in the inbox.' })
    }
    const message = await delivery.store(inbox, { raw, direction: 'sent', authentication: null })
    if (message === undefined || message === 'known') throw fail('file_quota_exceeded')
    return { message, rejected }
  }
}

async function write(inbox: Inbox, letter: OutgoingMail, files: CallerFiles, clock: Clock) {
  const { to, cc, bcc } = {
    to: letter.to.map(readRecipient),
    cc: letter.cc.map(readRecipient),
    bcc: letter.bcc.map(readRecipient),
  }
  const now = clock.now()
  const { subject, text, html, answers, attachments = [] } = letter
  const raw = await compose({
    ...{ from: { name: inbox.displayName ?? '', address: inbox.address }, to, cc },
    ...{ subject, text, html, answers },
    attachments: await readFiles(files, attachments),
    messageId: `<${uuidv7(now)}@${domainOf(inbox.address)}>`,
    date: new Date(now),
  })
  if (raw.length > mailBytesMax) throw tooLarge()
  return { raw, addresses: [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))] }
}

function readRecipient(text: string): Mailbox {
  const mailbox = readMailbox(text)
  if (mailbox !== undefined) return mailbox
  throw fail('bad_request', {
    message: `"${text.slice(0, 100)}" is not an address that can be answered. Nothing was sent or charged.`,
  })
}

async function readFiles(
  files: CallerFiles,
  attached: readonly AttachedFile[],
): Promise<MailPart[]> {
  const found = await Promise.all(
    attached.map(async ({ file_id, filename }) => ({
      ...(await files.find(file_id)),
      ...(filename && { filename }),
    })),
  )
  // Their size is known before the first byte is read.
  if (found.reduce((all, { bytes }) => all + bytes, 0) > mailBytesMax) throw tooLarge()
  const parts: MailPart[] = []
  for (const { fileId, filename, mediaType } of found) {
    const content = await buffer(await files.open(fileId))
    parts.push({ filename, mediaType, contentId: null, content })
  }
  return parts
}

const tooLarge = () =>
  fail('payload_too_large', {
    message: `A mail has at most ${mailBytesMax} bytes, and attachments grow by a third on their way. Nothing was sent or charged.`,
  })
