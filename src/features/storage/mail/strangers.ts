// How much mail an account may send to strangers in a day. A new account may write to a few; the number grows with its
// age and its payments, and shrinks with mail that comes back.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { keptDays } from './limits.ts'
import type { Inbox } from './mail-rows.ts'

export interface StrangerLimits {
  /** On the day on which the account was created. */
  readonly firstDay: number
  /** However old the account is. */
  readonly perDay: number
}

export interface SenderStanding {
  readonly ageDays: number
  readonly hasPaid: boolean
  /** Of the last days. */
  readonly strangers: number
  readonly returned: number
  readonly complaints: number
}

/** Paying proves more than waiting. */
const paidFactor = 5
/** One complaint weighs as much as so many mails that come back. */
const complaintWeight = 10
/** Fewer mails say little about a sender. */
const judgedMails = 50
/** An account with this share of mail that comes back may write to one stranger a day. */
const worstShare = 0.1
const judgedDays = 7
const dayMs = 86_400_000

export function allowanceOf(
  { firstDay, perDay }: StrangerLimits,
  { ageDays, hasPaid, strangers, returned, complaints }: SenderStanding,
): number {
  const grown = Math.min(perDay, firstDay * (1 + Math.max(0, ageDays)) * (hasPaid ? paidFactor : 1))
  const bad = returned + complaints * complaintWeight
  const share = bad / Math.max(judgedMails, strangers)
  const trusted = Math.floor(grown * Math.max(0, 1 - share / worstShare))
  return Math.min(grown, Math.max(1, trusted))
}

/** How a mail that was sent is reported. */
export type MailReportKind = 'returned' | 'complaint'

export interface Strangers {
  /**
   * Counts those of the recipients who are strangers, each once a day. Throws `rate_limited` when they are more than
   * the account may write to.
   */
  take(inbox: Inbox, addresses: readonly string[]): Promise<{ giveBack(): Promise<void> }>
  /** Recipients were refused. */
  refused(inbox: Inbox, count: number): Promise<void>
  /** A report about mail with these Message-IDs has come. What the gateway has not sent is ignored. */
  reported(kind: MailReportKind, messageIds: readonly string[]): Promise<void>
  /** Someone has written to an inbox of the account. */
  met(inbox: Inbox, address: string): Promise<void>
  /** Drops what no longer counts. */
  forgetOld(): Promise<void>
}

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
  readonly limits: StrangerLimits
}

export function createStrangers(dependencies: Dependencies): Strangers {
  const { database, clock, limits } = dependencies
  const days = createMailDays(dependencies)
  const correspondents = createCorrespondents(dependencies)
  return {
    async take({ accountId }, addresses) {
      const unknown = await correspondents.unknownOf(accountId, addresses)
      if (unknown.length === 0) return { giveBack: async () => {} }
      const allowance = allowanceOf(limits, await days.standingOf(accountId))
      const taken = await days.takeWithin(accountId, unknown, allowance)
      return { giveBack: () => days.giveBack(accountId, taken) }
    },
    async refused({ accountId }, count) {
      if (count > 0) await days.add(accountId, 'returned', count)
    },
    async reported(kind, messageIds) {
      const rows = await database.query<{ readonly accountId: string }>(
        `update mail_message set reported = $1 from inbox
         where header_id = any($2) and direction = 'sent' and reported is null and inbox.address = mail_message.inbox
         returning account_id as "accountId"`,
        [kind, messageIds],
      )
      const column = kind === 'returned' ? 'returned' : 'complaints'
      for (const { accountId } of rows) await days.add(accountId, column, 1)
    },
    met: ({ accountId }, address) => correspondents.add(accountId, address),
    async forgetOld() {
      const before = new Date(clock.now() - keptDays * dayMs)
      await database.query('delete from mail_day where day < $1::date', [before])
      await database.query('delete from mail_stranger where day < $1::date', [
        new Date(clock.now() - dayMs),
      ])
      await database.query('delete from mail_correspondent where wrote_at < $1', [before])
    },
  }
}

/** The strangers of a day to whom a mail is the first of this day. */
interface Taken {
  readonly day: string
  readonly addresses: readonly string[]
}

/** What each account has sent, by days of UTC. */
function createMailDays({ database, clock }: Omit<Dependencies, 'limits'>) {
  const today = () => new Date(clock.now()).toISOString().slice(0, 10)
  return {
    async standingOf(accountId: string): Promise<SenderStanding> {
      const [row] = await database.query<Omit<SenderStanding, 'ageDays'> & { createdAt: Date }>(
        `select created_at as "createdAt", has_paid_topup(id) as "hasPaid",
           sum.strangers, sum.returned, sum.complaints
         from account, (
           select coalesce(sum(strangers), 0)::int as strangers, coalesce(sum(returned), 0)::int as returned,
             coalesce(sum(complaints), 0)::int as complaints
           from mail_day where account_id = $1 and day > $2::date - $3::int) sum
         where id = $1`,
        [accountId, today(), judgedDays],
      )
      const none = { hasPaid: false, strangers: 0, returned: 0, complaints: 0 }
      if (row === undefined) return { ...none, ageDays: 0 }
      const { createdAt, ...counted } = row
      return { ...counted, ageDays: Math.floor((clock.now() - createdAt.getTime()) / dayMs) }
    },
    /**
     * Resolves to the addresses that are new today. Throws `rate_limited`. The row of the day is locked first, so that
     * mails at the same time cannot go beyond the allowance, at any gateway.
     */
    takeWithin: (accountId: string, addresses: readonly string[], allowance: number) =>
      database.transaction(async (client): Promise<Taken> => {
        const day = today()
        const { rows: days } = await client.query<{ readonly strangers: number }>(
          `insert into mail_day (account_id, day) values ($1, $2)
           on conflict (account_id, day) do update set strangers = mail_day.strangers
           returning strangers`,
          [accountId, day],
        )
        const { rows: added } = await client.query<{ readonly address: string }>(
          `insert into mail_stranger (account_id, day, address) select $1, $2, unnest($3::text[])
           on conflict do nothing returning address`,
          [accountId, day, addresses],
        )
        if (added.length > 0 && (days[0]?.strangers ?? 0) + added.length > allowance)
          throw tooMany(allowance, secondsToMidnight(clock.now()))
        await client.query(
          'update mail_day set strangers = strangers + $3 where account_id = $1 and day = $2',
          [accountId, day, added.length],
        )
        return { day, addresses: added.map(({ address }) => address) }
      }),
    async giveBack(accountId: string, { day, addresses }: Taken): Promise<void> {
      await database.query(
        `with given as (
           delete from mail_stranger where account_id = $1 and day = $2 and address = any($3) returning 1
         ) update mail_day set strangers = greatest(0, strangers - (select count(*)::int from given))
         where account_id = $1 and day = $2`,
        [accountId, day, addresses],
      )
    },
    async add(accountId: string, column: 'returned' | 'complaints', count: number): Promise<void> {
      await database.query(
        `insert into mail_day (account_id, day, ${column}) values ($1, $2, $3)
         on conflict (account_id, day) do update set ${column} = mail_day.${column} + $3`,
        [accountId, today(), count],
      )
    },
  }
}

/** Who has written to the inboxes of an account. */
function createCorrespondents({ database, clock }: Omit<Dependencies, 'limits'>) {
  return {
    async unknownOf(accountId: string, addresses: readonly string[]): Promise<readonly string[]> {
      const named = new Set(addresses.map((address) => address.toLowerCase()))
      const known = await database.query<{ readonly address: string }>(
        'select address from mail_correspondent where account_id = $1 and address = any($2)',
        [accountId, [...named]],
      )
      for (const { address } of known) named.delete(address)
      return [...named]
    },
    async add(accountId: string, address: string): Promise<void> {
      await database.query(
        `insert into mail_correspondent (account_id, address, wrote_at) values ($1, $2, $3)
         on conflict (account_id, address) do update set wrote_at = excluded.wrote_at`,
        [accountId, address.toLowerCase(), new Date(clock.now())],
      )
    },
  }
}

const secondsToMidnight = (nowMs: number) => Math.ceil((dayMs - (nowMs % dayMs)) / 1_000)

const tooMany = (allowance: number, retryAfterSeconds: number) =>
  fail('rate_limited', {
    message: `Your account may write to ${allowance} ${allowance === 1 ? 'stranger' : 'strangers'} a day, and this mail would be beyond that. People who wrote to you first are not counted. The number grows with the age of the account and a paid top-up, and shrinks when mail comes back. Nothing was sent or charged; try again after midnight UTC.`,
    retryAfterSeconds,
  })
