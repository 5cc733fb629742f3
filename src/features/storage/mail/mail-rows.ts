// The rows of inboxes and messages, and the quotas that they count against.
import type { ClientBase } from 'pg'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { domainOf } from '#core/mail-address.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import {
  bytesPerAccountMax,
  bytesPerInboxMax,
  inboxesPerAccountMax,
  keptDays,
  messagesPerInboxMax,
} from './limits.ts'
import type { Authentication, Correspondent, Recipients, StoredAttachment } from './message.ts'

export interface Inbox {
  readonly address: string
  readonly accountId: string
  readonly keyId: string | null
  readonly displayName: string | null
}

/** A message to store. */
export interface NewMessage extends Recipients {
  readonly direction: 'received' | 'sent'
  /** Of the mail as it came. */
  readonly digest: Buffer
  readonly sender: Correspondent
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  readonly headerId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly labels: readonly string[]
  readonly attachments: readonly StoredAttachment[]
  readonly authentication: Authentication | null
}

export interface StoredMessage extends Omit<NewMessage, 'headerId' | 'digest'> {
  readonly id: string
  readonly messageId: string
  readonly headerId: string
  readonly threadId: string
  readonly preview: string
  readonly bytes: number
  readonly createdAt: Date
}

export interface MailRows {
  /** Throws `bad_request` when the address is taken or the account has too many. */
  create(
    caller: Caller,
    inbox: Pick<Inbox, 'address' | 'displayName'>,
    effect: RecordEffect,
  ): Promise<void>
  /** An inbox of the caller. Throws `not_found`. */
  find(caller: Caller, address: string): Promise<Inbox>
  /** Any inbox with this address, for mail that comes in. */
  at(address: string): Promise<Inbox | undefined>
  /** Whether a message of this size fits. */
  hasRoom(inbox: Inbox, bytes: number): Promise<boolean>
  /** Whether the inbox has this mail. */
  has(inbox: Inbox, message: Pick<NewMessage, 'direction' | 'digest'>): Promise<boolean>
  /** Stores a message once. Undefined when it does not fit. */
  add(
    inbox: Inbox,
    message: NewMessage,
    options?: { evenIfFull?: boolean },
  ): Promise<StoredMessage | undefined>
  /** Newest first. `after` is the last id of the previous page. */
  list(inbox: Inbox, page: { limit: number; after: string | undefined }): Promise<StoredMessage[]>
  /** Throws `not_found`. */
  message(inbox: Inbox, messageId: string): Promise<StoredMessage>
  /** Drops messages past their time. */
  forgetOld(): Promise<void>
}

const previewMax = 200
/** Of HTML. It bounds the time that unclosed tags take. */
const previewedMax = 5_000
const tags = /<(style|script|title)\b[\s\S]*?<\/\1>|<[^>]*>/gi
const perSweepStep = 1_000
const inboxColumns = `address, account_id as "accountId", key_id as "keyId", display_name as "displayName"`
const messageColumns = `id, direction, message_id as "messageId", header_id as "headerId", thread_id as "threadId", labels, sender,
  recipients, subject, preview, text_body as text, html_body as html, attachments, in_reply_to as "inReplyTo",
  reference_ids as "references", authentication, bytes, created_at as "createdAt"`

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}

export function createMailRows(dependencies: Dependencies): MailRows {
  return { ...createInboxes(dependencies), ...createMessages(dependencies) }
}

type InboxRows = Pick<MailRows, 'create' | 'find' | 'at' | 'hasRoom'>

function createInboxes({ database, clock }: Dependencies): InboxRows {
  return {
    create: (caller, { address, displayName }, effect) =>
      database.transaction(async (client) => {
        const { accountId } = caller
        const keyId = caller.kind === 'account' ? caller.keyId : null
        await effect(client, { kind: 'inbox', subject: address })
        await client.query(
          'insert into mail_usage (account_id) values ($1) on conflict do nothing',
          [accountId],
        )
        const room = await client.query(
          'update mail_usage set inboxes = inboxes + 1 where account_id = $1 and inboxes < $2',
          [accountId, inboxesPerAccountMax],
        )
        if (room.rowCount === 0)
          throw fail('bad_request', {
            message: `Your account has ${inboxesPerAccountMax} inboxes, the most that it may have. Nothing was charged.`,
          })
        const made = await client.query(
          `insert into inbox (address, account_id, key_id, display_name, created_at) values ($1, $2, $3, $4, $5)
           on conflict do nothing`,
          [address, accountId, keyId, displayName, new Date(clock.now())],
        )
        if (made.rowCount === 0)
          throw fail('bad_request', {
            message: `The address ${address} is taken. Choose another username. Nothing was charged.`,
          })
      }),
    async find(caller, address) {
      const { accountId, keyId } = ownerOf(caller)
      const [inbox] = await database.query<Inbox>(
        `select ${inboxColumns} from inbox where address = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)`,
        [address, accountId, keyId ?? null],
      )
      if (inbox !== undefined) return inbox
      throw fail('not_found', {
        message:
          'You have no inbox with this address. create_inbox makes one. Nothing was charged.',
      })
    },
    async at(address) {
      const [inbox] = await database.query<Inbox>(
        `select ${inboxColumns} from inbox where address = $1`,
        [address.toLowerCase()],
      )
      return inbox
    },
    async hasRoom({ address }, bytes) {
      const [row] = await database.query(
        `select 1 from inbox join mail_usage using (account_id)
         where address = $1 and messages < $2 and inbox.bytes + $3 <= $4 and mail_usage.bytes + $3 <= $5`,
        [address, messagesPerInboxMax, bytes, bytesPerInboxMax, bytesPerAccountMax],
      )
      return row !== undefined
    },
  }
}

function createMessages({ database, clock }: Dependencies): Omit<MailRows, keyof InboxRows> {
  return {
    async has({ address }, { direction, digest }) {
      const [row] = await database.query(
        'select 1 from mail_message where inbox = $1 and direction = $2 and digest = $3',
        [address, direction, digest],
      )
      return row !== undefined
    },
    add: (inbox, message, { evenIfFull = false } = {}) =>
      database.transaction(async (client) => {
        const bytes = sizeOf(message)
        // The lock on the rows makes messages of one inbox wait for each other, so that both of a conversation find it.
        if (!(await takeRoom(client, inbox, bytes, evenIfFull))) return undefined
        const known = await findMessage(client, inbox, 'direction = $2 and digest = $3', [
          message.direction,
          message.digest,
        ])
        if (known === undefined) return await insertMessage(client, inbox, message, clock.now())
        await giveBack(client, inbox, bytes, 1)
        return known
      }),
    async list({ address }, { limit, after }) {
      const rows = await database.query<MessageRow>(
        `select ${messageColumns} from mail_message where inbox = $1 and ($2::uuid is null or id < $2)
         order by id desc limit $3`,
        [address, after, limit],
      )
      return rows.map(toMessage)
    },
    async message({ address }, messageId) {
      const [row] = await database.query<MessageRow>(
        `select ${messageColumns} from mail_message where inbox = $1 and message_id = $2`,
        [address, messageId],
      )
      if (row !== undefined) return toMessage(row)
      throw fail('not_found', {
        message:
          'The inbox has no message with this message_id. list-messages lists them. Nothing was charged.',
      })
    },
    async forgetOld() {
      const before = new Date(clock.now() - keptDays * 86_400_000)
      for (;;) if ((await forgetSome(database, before)) < perSweepStep) return
    },
  }
}

/** False when the message does not fit. Then nothing changes. */
async function takeRoom(
  client: ClientBase,
  { address, accountId }: Inbox,
  bytes: number,
  evenIfFull: boolean,
) {
  const account = await client.query(
    'update mail_usage set bytes = bytes + $2 where account_id = $1 and ($4 or bytes + $2 <= $3)',
    [accountId, bytes, bytesPerAccountMax, evenIfFull],
  )
  if (account.rowCount === 0) return false
  const inbox = await client.query(
    `update inbox set bytes = bytes + $2, messages = messages + 1
     where address = $1 and ($5 or (bytes + $2 <= $3 and messages < $4))`,
    [address, bytes, bytesPerInboxMax, messagesPerInboxMax, evenIfFull],
  )
  if (inbox.rowCount === 1) return true
  await client.query('update mail_usage set bytes = bytes - $2 where account_id = $1', [
    accountId,
    bytes,
  ])
  return false
}

async function giveBack(client: ClientBase, inbox: Inbox, bytes: number, messages: number) {
  await client.query('update mail_usage set bytes = bytes - $2 where account_id = $1', [
    inbox.accountId,
    bytes,
  ])
  await client.query(
    'update inbox set bytes = bytes - $2, messages = messages - $3 where address = $1',
    [inbox.address, bytes, messages],
  )
}

async function insertMessage(client: ClientBase, inbox: Inbox, message: NewMessage, now: number) {
  const id = uuidv7(now)
  const own = `<${id}@${domainOf(inbox.address)}>`
  const headerId = message.headerId ?? own
  const said = [...message.references, ...(message.inReplyTo === null ? [] : [message.inReplyTo])]
  // A stranger may send a Message-ID that the inbox knows: the message then has another name, and the same place.
  const namesake = await findMessage(client, inbox, 'message_id = $2', [headerId])
  const parent = await findMessage(client, inbox, 'header_id = any($2)', [said])
  const { to, cc, replyTo } = message
  const { rows } = await client.query<MessageRow>(
    `insert into mail_message (id, inbox, direction, digest, message_id, header_id, thread_id, labels, sender, recipients, subject,
       preview, text_body, html_body, attachments, in_reply_to, reference_ids, authentication, bytes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     returning ${messageColumns}`,
    [
      ...[id, inbox.address, message.direction, message.digest],
      ...[namesake === undefined ? headerId : own, headerId, parent?.threadId ?? id],
      ...[message.labels, message.sender, JSON.stringify({ to, cc, replyTo }), message.subject],
      ...[previewOf(message), message.text, message.html, JSON.stringify(message.attachments)],
      ...[message.inReplyTo, message.references],
      message.authentication === null ? null : JSON.stringify(message.authentication),
      ...[sizeOf(message), new Date(now)],
    ],
  )
  return toMessage(rows[0] as MessageRow)
}

async function findMessage(
  client: ClientBase,
  { address }: Inbox,
  condition: string,
  values: readonly unknown[],
): Promise<StoredMessage | undefined> {
  const { rows } = await client.query<MessageRow>(
    `select ${messageColumns} from mail_message where inbox = $1 and ${condition} order by id desc limit 1`,
    [address, ...values],
  )
  return rows[0] && toMessage(rows[0])
}

async function forgetSome(database: Database, before: Date): Promise<number> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<Inbox & { bytes: number; messages: number; all: number }>(
      `with old as (
         delete from mail_message where id in (select id from mail_message where created_at < $1 order by id limit $2)
         returning inbox, bytes)
       select inbox as address, account_id as "accountId", sum(old.bytes)::bigint as bytes, count(*)::int as messages
       from old join inbox on address = inbox group by inbox, account_id order by account_id, inbox`,
      [before, perSweepStep],
    )
    for (const inbox of rows) await giveBack(client, inbox, inbox.bytes, inbox.messages)
    return rows.reduce((all, { messages }) => all + messages, 0)
  })
}

type MessageRow = Omit<StoredMessage, keyof Recipients> & { readonly recipients: Recipients }

const toMessage = ({ recipients, ...row }: MessageRow): StoredMessage => ({ ...row, ...recipients })

/** What its row takes. */
function sizeOf({ text, html, subject, sender, to, cc, replyTo, references }: NewMessage): number {
  const parts = [text ?? '', html ?? '', subject, sender, ...to, ...cc, ...replyTo, ...references]
  return parts.reduce((all, part) => all + Buffer.byteLength(part), 0)
}

function previewOf({ text, html }: NewMessage): string {
  const shown = text ?? (html ?? '').slice(0, previewedMax).replaceAll(tags, ' ')
  return shown
    .slice(0, previewMax * 10)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, previewMax)
    .toWellFormed()
}
