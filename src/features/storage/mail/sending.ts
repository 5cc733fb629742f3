// Sends mail from an inbox: to inboxes of this gateway at once, to others by the operator's relay.
import { buffer } from 'node:stream/consumers'
import type { RunContext } from '#core/action.ts'
import { CallError, fail, toCallError } from '#core/errors.ts'
import type { CallerFiles, StoredFile } from '#core/files.ts'
import { uuidv7 } from '#core/id.ts'
import { membersOf } from '#core/input/members.ts'
import { domainOf, type Mailbox, readMailbox } from '#core/mail-address.ts'
import type { Clock } from '#core/ports.ts'
import { compose, type Draft } from './compose.ts'
import type { MailDelivery, ReadMail } from './delivery.ts'
import type { Directory } from './directory.ts'
import { mailBytesMax, recipientsMax } from './limits.ts'
import type { Inbox, MailRows, StoredMessage } from './mail-rows.ts'
import type { MailPart } from './message.ts'
import type { Rejection, Relay } from './relay.ts'
import type { Strangers } from './strangers.ts'

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

interface Dependencies {
  readonly rows: MailRows
  readonly directory: Directory
  readonly delivery: MailDelivery
  readonly strangers: Strangers
  /** Undefined: mail reaches inboxes of this gateway only. */
  readonly relay: Relay | undefined
  readonly domains: readonly string[]
  readonly clock: Clock
}

export function createSending(dependencies: Dependencies): SendMail {
  const { rows, directory, delivery, strangers, relay, domains, clock } = dependencies
  return async (inbox, letter, { files, purchase }) => {
    const { raw, addresses, attached } = await write(inbox, letter, files, clock)
    if (!(await rows.hasRoom(inbox, raw.length)))
      throw fail('bad_request', {
        message:
          'Your inbox is full, so that a copy of the mail cannot be kept. Nothing was sent or charged.',
      })
    const local = addresses.filter(directory.isLocal)
    const others = addresses.filter((address) => !directory.isLocal(address))
    const inboxes = await findInboxes(dependencies, local, raw.length)
    if (others.length > 0 && relay === undefined)
      throw fail('provider_not_configured', {
        message: `This gateway sends mail only to its own domains: ${domains.join(', ')}. Ask the operator to set SMTP_RELAY_URL. Nothing was sent or charged.`,
      })
    const mail = await delivery.read(raw, inbox.accountId)
    const taken = await strangers.take(inbox, others)
    // What has been sent cannot be called back. If the gateway stops from here on, the call is not repeated by itself.
    return await purchase(async () => {
      const outgoing = { raw, to: others }
      const refused = await sendBy({ relay, strangers }, inbox, outgoing, taken.giveBack)
      return await deliver(delivery, { inbox, inboxes, mail, attached, refused }).catch(inDoubt)
    })
  }
}

/**
 * Mail that was not sent counts against no allowance. Recipients that the relay refuses do, and speak against the
 * account.
 */
async function sendBy(
  { relay, strangers }: Pick<Dependencies, 'relay' | 'strangers'>,
  inbox: Inbox,
  { raw, to }: { readonly raw: Buffer; readonly to: readonly string[] },
  giveBack: () => Promise<void>,
): Promise<readonly Rejection[]> {
  if (to.length === 0) return []
  try {
    const refused = (await relay?.send({ raw, from: inbox.address, to })) ?? []
    await strangers.refused(inbox, refused.length).catch(inDoubt)
    return refused
  } catch (thrown) {
    if (isNotSent(thrown)) await giveBack().catch(() => {})
    if (isRefusal(thrown)) await strangers.refused(inbox, to.length).catch(() => {})
    throw thrown
  }
}

const isRefusal = (thrown: unknown) => thrown instanceof CallError && thrown.code === 'bad_request'

const isNotSent = (thrown: unknown) =>
  thrown instanceof CallError &&
  thrown.code === 'upstream_error' &&
  membersOf(thrown.data).reason === 'not_sent'

/** The inboxes with these addresses. Throws `bad_request` for one that cannot take the mail. */
async function findInboxes(
  { rows, directory }: Pick<Dependencies, 'rows' | 'directory'>,
  addresses: readonly string[],
  bytes: number,
): Promise<Inbox[]> {
  const inboxes = new Map<string, Inbox>()
  for (const address of addresses) {
    const inbox = await directory.find(address)
    if (inbox === undefined || !(await rows.hasRoom(inbox, bytes))) {
      const reason = inbox === undefined ? 'There is no inbox' : 'There is no room in the inbox'
      throw fail('bad_request', { message: `${reason} ${address}. Nothing was sent or charged.` })
    }
    inboxes.set(inbox.address, inbox)
  }
  return [...inboxes.values()]
}

/** Stores the mail in the inboxes of this gateway, its sender's included. */
async function deliver(
  delivery: MailDelivery,
  {
    inbox,
    inboxes,
    mail,
    attached,
    refused,
  }: {
    readonly inbox: Inbox
    readonly inboxes: readonly Inbox[]
    readonly mail: ReadMail
    readonly attached: readonly StoredFile[]
    readonly refused: readonly Rejection[]
  },
): Promise<Sent> {
  const rejected = [...refused]
  for (const each of inboxes)
    if (!(await delivery.receive(each, mail, null)))
      rejected.push({ address: each.address, reason: 'There is no room in the inbox.' })
  const message = await delivery.keepSent(
    inbox,
    mail,
    attached.map(({ fileId, filename, mediaType, bytes }) => ({
      fileId,
      filename,
      mediaType,
      bytes,
      contentId: null,
    })),
  )
  return { message, rejected }
}

/** Some recipients may have the mail. */
const inDoubt = (thrown: unknown) => {
  throw fail('upstream_error', { cause: toCallError(thrown) })
}

async function write(inbox: Inbox, letter: OutgoingMail, files: CallerFiles, clock: Clock) {
  const { to, cc, bcc } = {
    to: letter.to.map(readRecipient),
    cc: letter.cc.map(readRecipient),
    bcc: letter.bcc.map(readRecipient),
  }
  const addresses = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))]
  if (addresses.length > recipientsMax)
    throw fail('bad_request', {
      message: `The mail would go to ${addresses.length} recipients, and ${recipientsMax} are the most. Nothing was sent or charged.`,
    })
  const now = clock.now()
  const { subject, text, html, answers, attachments = [] } = letter
  const attached = await findFiles(files, attachments)
  const raw = await compose({
    from: { name: inbox.displayName ?? '', address: inbox.address },
    to,
    cc,
    subject,
    text,
    html,
    answers,
    attachments: await readFiles(files, attached),
    messageId: `<${uuidv7(now)}@${domainOf(inbox.address)}>`,
    date: new Date(now),
  })
  if (raw.length > mailBytesMax) throw tooLarge()
  return { raw, addresses, attached }
}

function readRecipient(text: string): Mailbox {
  const mailbox = readMailbox(text)
  if (mailbox !== undefined) return mailbox
  throw fail('bad_request', {
    message: `"${text.slice(0, 100)}" is not an address that can be answered. Nothing was sent or charged.`,
  })
}

/** Throws `not_found`, and `payload_too_large` before the first byte is read. */
async function findFiles(files: CallerFiles, attachments: readonly AttachedFile[]) {
  const found = await Promise.all(
    attachments.map(async ({ file_id, filename }) => ({
      ...(await files.find(file_id)),
      ...(filename && { filename }),
    })),
  )
  if (found.reduce((all, { bytes }) => all + bytes, 0) > mailBytesMax) throw tooLarge()
  return found
}

async function readFiles(files: CallerFiles, found: readonly StoredFile[]): Promise<MailPart[]> {
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
