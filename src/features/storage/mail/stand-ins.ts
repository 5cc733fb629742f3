// The actions of ns_mail on the operator's own domains.
import { randomBytes } from 'node:crypto'
import roleNames from 'role-based-email-addresses'
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { readMailbox } from '#core/mail-address.ts'
import type { MailRows, StoredMessage } from './mail-rows.ts'
import type { AttachedFile, OutgoingMail, SendMail, Sent } from './sending.ts'

/** The name of this machine in its answers. */
const provider = 'embedded'
const randomNameBytes = 8
/** Addresses that speak for the operator: postmaster, support, billing and the like. */
const reserved = new Set([...roleNames, 'mailer-daemon', 'tollway'])

interface Dependencies {
  readonly rows: MailRows
  readonly send: SendMail
  readonly domains: readonly string[]
  /** What the operator must do before this machine can have inboxes. */
  readonly missing: string | undefined
}

interface Body {
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly attachments?: readonly AttachedFile[] | undefined
}

type CreateInput = {
  readonly username?: string | undefined
  readonly domain?: string | undefined
  readonly display_name?: string | undefined
}
type SendInput = Body & {
  readonly inbox_id: string
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  readonly bcc?: readonly string[] | undefined
  readonly subject: string
}
type ReplyInput = Body & {
  readonly inbox_id: string
  readonly message_id: string
  readonly reply_all?: boolean | undefined
}
type ListInput = {
  readonly inbox_id: string
  readonly limit: number
  readonly page_token?: string | undefined
}
type GetInput = { readonly inbox_id: string; readonly message_id: string }

export function createMailStandIns({ missing, domains, ...parts }: Dependencies): StandIns {
  const needed = missing === undefined ? {} : { missing }
  const check = () => {}
  return new Map<string, StandIn>([
    [
      'ns_mail/create_inbox',
      { run: createInbox({ ...parts, domains }), check: refuseInbox(domains), ...needed },
    ],
    ['ns_mail/send', { run: sendLetter(parts), check, ...needed }],
    ['ns_mail/reply', { run: reply(parts), check, ...needed }],
    ['ns_mail/list-messages', { run: list(parts), check, ...needed }],
    ['ns_mail/get-message', { run: get(parts), check, ...needed }],
  ])
}

type Parts = Pick<Dependencies, 'rows' | 'send'>

const refuseInbox =
  (domains: readonly string[]) =>
  ({ username, domain }: CreateInput) => {
    if (domain !== undefined && !domains.includes(domain))
      throw fail('bad_request', {
        message: `This gateway has no inboxes on ${domain.slice(0, 100)}. It has: ${domains.join(', ')}. Nothing was charged.`,
      })
    if (username !== undefined && reserved.has(username))
      throw fail('bad_request', {
        message: `${username} is reserved for the operator. Choose another username. Nothing was charged.`,
      })
  }

const createInbox =
  ({ rows, domains }: Pick<Dependencies, 'rows' | 'domains'>) =>
  async ({ input, caller, effect }: RunContext<CreateInput>) => {
    const { display_name: displayName = null, domain = domains[0] } = input
    const username = input.username ?? randomBytes(randomNameBytes).toString('hex')
    const address = `${username}@${domain}`
    await rows.create(caller, { address, displayName }, effect)
    return { inbox_id: address, display_name: displayName, provider }
  }

const sendLetter =
  ({ rows, send }: Parts) =>
  async ({ input, caller, files, purchase }: RunContext<SendInput>) => {
    const { inbox_id, to, cc = [], bcc = [], subject, text, html, attachments } = input
    const inbox = await rows.find(caller, inbox_id)
    const letter = { to, cc, bcc, subject, text, html, attachments }
    return toReceipt(await send(inbox, letter, { files, purchase }))
  }

const reply =
  ({ rows, send }: Parts) =>
  async ({ input, caller, files, purchase }: RunContext<ReplyInput>) => {
    const { inbox_id, message_id, reply_all = false, text, html, attachments } = input
    const inbox = await rows.find(caller, inbox_id)
    const message = await rows.message(inbox, message_id)
    if (message.labels.includes('bounce'))
      throw fail('bad_request', {
        message:
          'The message is a bounce. A mail server wrote it and does not read answers. Nothing was sent or charged.',
      })
    const letter = {
      ...addressReply(message, inbox.address, reply_all),
      subject: /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`,
      answers: { headerId: message.headerId, references: conversationOf(message) },
      text,
      html,
      attachments,
    }
    return toReceipt(await send(inbox, letter, { files, purchase }))
  }

/** Source: RFC 5322, section 3.6.3. A reply to a message of one's own continues it to the same recipients. */
function addressReply(
  message: StoredMessage,
  own: string,
  isToAll: boolean,
): Pick<OutgoingMail, 'to' | 'cc' | 'bcc'> {
  const { direction, sender, replyTo, to, cc } = message
  const answered = replyTo.length > 0 ? replyTo : [sender]
  const first = direction === 'sent' ? to : answered
  const others = direction === 'sent' ? cc : [...to, ...cc]
  const named = new Set(first.map(bare))
  const rest = others.filter((one) => {
    const address = bare(one)
    return address !== own && address !== '' && !named.has(address) && Boolean(named.add(address))
  })
  return { to: first, cc: isToAll ? rest : [], bcc: [] }
}

const bare = (text: string) => readMailbox(text)?.address.toLowerCase() ?? ''

/** Source: RFC 5322, section 3.6.4. */
function conversationOf({ references, inReplyTo }: StoredMessage): readonly string[] {
  return references.length > 0 || inReplyTo === null ? references : [inReplyTo]
}

const list =
  ({ rows }: Parts) =>
  async ({ input, caller }: RunContext<ListInput>) => {
    const { inbox_id, limit, page_token: after } = input
    const inbox = await rows.find(caller, inbox_id)
    if (after !== undefined && !isUuid(after))
      throw fail('bad_request', {
        message: 'page_token must be the next_page_token of the page before. Nothing was charged.',
      })
    const found = await rows.list(inbox, { limit: limit + 1, after })
    const messages = found.slice(0, limit)
    return {
      count: messages.length,
      next_page_token: found.length > limit ? (messages.at(-1)?.id ?? null) : null,
      messages: messages.map(toItem),
      provider,
    }
  }

const get =
  ({ rows }: Parts) =>
  async ({ input, caller, files }: RunContext<GetInput>) => {
    const inbox = await rows.find(caller, input.inbox_id)
    const message = await rows.message(inbox, input.message_id)
    const item = toItem(message)
    const attachments = await Promise.all(
      item.attachments.map(async (each) => ({
        ...each,
        // The owner may have deleted the file.
        download_url: await files.address(each.attachment_id).catch(() => null),
      })),
    )
    const { text, html, replyTo, authentication } = message
    return { ...item, text, html, reply_to: replyTo, attachments, authentication, provider }
  }

function toItem(message: StoredMessage) {
  const { messageId, threadId, createdAt, sender, attachments, inReplyTo, bytes } = message
  const { labels, to, cc, subject, preview, references } = message
  return {
    message_id: messageId,
    thread_id: threadId,
    labels,
    timestamp: createdAt.toISOString(),
    from: sender,
    to,
    cc,
    subject,
    preview,
    in_reply_to: inReplyTo,
    references,
    size: bytes,
    attachments: attachments.map((each) => ({
      attachment_id: each.fileId,
      filename: each.filename,
      content_type: each.mediaType,
      size: each.bytes,
      content_id: each.contentId,
    })),
  }
}

const toReceipt = ({ message, rejected }: Sent) => ({
  message_id: message.messageId,
  thread_id: message.threadId,
  ...(rejected.length > 0 && { rejected }),
  provider,
})
