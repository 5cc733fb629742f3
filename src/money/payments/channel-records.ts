// The rows of payment channels. Each step is one statement.
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Hex } from '../chains/chain.ts'
import type {
  ChannelClose,
  ChannelDescriptor,
  ChannelMessage,
  Funding,
  Voucher,
} from '../rails/channel-rail.ts'
import type { RailId } from '../rails/rail.ts'
import type { ClaimOutcome, PaidCall } from './payments.ts'

export interface PaymentChannel {
  readonly id: string
  readonly rail: RailId
  readonly accountId: string
  readonly descriptor: ChannelDescriptor
  readonly state: 'opening' | 'open' | 'closing' | 'closed' | 'failed'
  readonly depositMicros: Micros
  /** The highest voucher. */
  readonly acceptedMicros: Micros
  readonly signature: Hex | null
  readonly spentMicros: Micros
  readonly heldMicros: Micros
  readonly closes: boolean
  readonly capturedMicros: Micros | null
  /** What opens it, then what closes it. */
  readonly raw: string | null
  readonly hash: string | null
  readonly validUntil: Date | null
  /** Why it could not be continued the last time. */
  readonly error: string | null
  readonly createdAt: Date
  readonly usedAt: Date
  readonly closedAt: Date | null
}

/** Refusals of a voucher. */
export type VoucherRefusal = 'channel_closed' | 'beyond_deposit' | 'voucher_short'
export type VoucherClaim = ClaimOutcome | { readonly outcome: VoucherRefusal }

const columns = `id, rail, account_id as "accountId", descriptor, state, deposit as "depositMicros", accepted as "acceptedMicros",
  signature, spent as "spentMicros", held as "heldMicros", closes, captured as "capturedMicros", raw_tx as raw, tx_hash as hash,
  valid_until as "validUntil", error, created_at as "createdAt", used_at as "usedAt", closed_at as "closedAt"`

export type ChannelRecords = ReturnType<typeof createChannelRecords>

export function createChannelRecords({
  database,
  clock,
  gatewayNumber,
}: {
  database: Database
  clock: Clock
  gatewayNumber: number
}) {
  return {
    async find(id: string): Promise<PaymentChannel | undefined> {
      const [channel] = await database.query<PaymentChannel>(
        `select ${columns} from channel where id = $1`,
        [id],
      )
      return channel
    },
    /** The open channel of this payer that is named, otherwise the one that was used last. */
    async findOf(
      accountId: string,
      named: string | undefined,
    ): Promise<PaymentChannel | undefined> {
      const [channel] = await database.query<PaymentChannel>(
        `select ${columns} from channel
         where account_id = $1 and state = 'open' and not closes and signature is not null
         order by id = $2 desc, used_at desc limit 1`,
        [accountId, named ?? ''],
      )
      return channel
    },
    /** Those that hold money, or those that were closed, the last used first. */
    list: (which: 'open' | 'closed', limit: number) =>
      database.query<PaymentChannel>(
        `select ${columns} from channel where state = any($1) order by used_at desc, id limit $2`,
        [which === 'open' ? ['opening', 'open', 'closing'] : ['closed'], limit],
      ),
    /** Why it could not be continued. */
    async delayed(id: string, reason: string): Promise<void> {
      await database.query(
        `update channel set error = $2 where id = $1 and state in ('opening', 'open', 'closing')
           and error is distinct from $2`,
        [id, reason],
      )
    },
    /** Accepts a voucher that no call claims. */
    async accept(
      id: string,
      { cumulativeMicros, signature }: Voucher,
    ): Promise<'accepted' | 'channel_closed' | 'beyond_deposit'> {
      const [row] = await database.query<{
        outcome: 'accepted' | 'channel_closed' | 'beyond_deposit'
      }>('select voucher_accept($1, $2, $3) as outcome', [id, cumulativeMicros, signature])
      if (row === undefined) throw new Error('PostgreSQL returned no row for a voucher.')
      return row.outcome
    },
    /** Stored before the transaction is sent, with its voucher: a client that loses its memory goes on from that. */
    async opening(
      { channelId, descriptor, voucher }: ChannelMessage,
      { raw, hash, micros, validUntilMs }: Funding,
      { rail, accountId }: { readonly rail: RailId; readonly accountId: string },
    ): Promise<void> {
      const accepted = (voucher?.cumulativeMicros ?? 0) <= micros ? voucher : undefined
      await database.query(
        `insert into channel (id, rail, account_id, payer, descriptor, deposit, raw_tx, tx_hash, valid_until, accepted,
           signature)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing`,
        [
          channelId,
          rail,
          accountId,
          descriptor.payer,
          JSON.stringify(descriptor),
          micros,
          raw,
          hash,
          new Date(validUntilMs),
          accepted?.cumulativeMicros ?? 0,
          accepted?.signature ?? null,
        ],
      )
    },
    async funded(id: string, depositMicros: Micros): Promise<void> {
      await database.query('select channel_funded($1, $2)', [id, depositMicros])
    },
    async failed(id: string, reason: string): Promise<void> {
      await database.query(
        `update channel set state = 'failed', error = $2, raw_tx = null where id = $1 and state = 'opening'`,
        [id, reason],
      )
    },
    /** From now on it takes no calls, and closes when those under way have ended. */
    async closes(id: string): Promise<void> {
      await database.query(
        `update channel set closes = true, next_check_at = now() where id = $1 and state in ('opening', 'open')`,
        [id],
      )
    },
    /** False: another gateway has signed a close, or calls are under way. */
    async closing({ id, raw, spentMicros }: PaymentChannel, close: ChannelClose): Promise<boolean> {
      const [row] = await database.query<{ closing: boolean | null }>(
        'select channel_closing($1, $2, $3, $4, $5, $6) as closing',
        [id, raw, spentMicros, close.raw, close.hash, new Date(close.validUntilMs)],
      )
      return row?.closing === true
    },
    async closed(
      id: string,
      {
        capturedMicros,
        hash,
        block,
      }: { capturedMicros: Micros; hash: string | null; block: number | null },
    ): Promise<void> {
      await database.query('select channel_closed($1, $2, $3, $4)', [
        id,
        capturedMicros,
        hash,
        block,
      ])
    },
    /** Takes up channels that are due: other gateways leave them alone for a while. */
    take: (options: { readonly limit: number; readonly openEveryMs: number }) =>
      database.query<PaymentChannel & { readonly idleMs: number }>(
        `update channel set next_check_at = now()
           + case when state = 'open' and not closes then $2 * interval '1 ms' else interval '5 seconds' end
         where id in (
           select id from channel where state in ('opening', 'open', 'closing') and next_check_at <= now()
           order by next_check_at limit $1 for update skip locked
         ) returning ${columns}, (extract(epoch from now() - used_at) * 1000)::bigint as "idleMs"`,
        [options.limit, options.openEveryMs],
      ),
    /** Accepts a voucher for one call and holds it, both or neither. */
    async claim(
      {
        rail,
        message: { channelId, challengeId, descriptor },
        voucher: { cumulativeMicros, signature },
        claimKey,
        micros,
      }: VoucherOffer,
      call: PaidCall,
    ): Promise<VoucherClaim> {
      const offer = {
        id: uuidv7(clock.now()),
        claim_key: claimKey,
        rail,
        payer: descriptor.payer,
        challenge_id: challengeId,
        expires_at: new Date(clock.now() + call.lifetimeMs),
      }
      const hold = {
        call: call.callId,
        account: call.accountId,
        action: call.action,
        inference: false,
        amount: micros,
        idempotency: call.idempotencyKey,
        digest: `\\x${call.requestDigest.toString('hex')}`,
        lifetime_ms: call.lifetimeMs,
        job: false,
      }
      const values = [channelId, cumulativeMicros, signature, offer, hold, call.atOnceMax]
      const [row] = await database.query<{
        outcome: VoucherClaim['outcome']
        call_id: string
        payment_id: string
      }>('select * from voucher_claim($1, $2, $3, $4, $5, $6, $7)', [gatewayNumber, ...values])
      if (row === undefined) throw new Error('PostgreSQL returned no row for a voucher.')
      const { outcome, call_id: callId, payment_id: paymentId } = row
      // The union is what voucher_claim writes.
      return { outcome, callId, paymentId } as VoucherClaim
    },
  }
}

/** A voucher that is to pay for one call. */
export interface VoucherOffer {
  readonly rail: RailId
  readonly message: ChannelMessage
  readonly voucher: Voucher
  readonly claimKey: string
  /** The highest price of the call. */
  readonly micros: Micros
}
