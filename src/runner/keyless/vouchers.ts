// Calls that are paid by the voucher of a payment channel. The voucher is accepted in the transaction that holds the
// call's highest price, so a call runs only when it is paid for, and no chain is asked. The end of the call makes its
// cost spent in the transaction that stores its answer.
import { type CallError, fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { VoucherRefusal } from '#money/payments/channel-records.ts'
import type { Channels } from '#money/payments/channels.ts'
import type { Payments } from '#money/payments/payments.ts'
import type {
  ChannelMessage,
  ChannelRail,
  ChannelSnapshot,
  Voucher,
} from '#money/rails/channel-rail.ts'
import { PaymentRefusal, type Rail, type RequestHeader } from '#money/rails/rail.ts'
import type { CallRules } from '../execute/call-rules.ts'
import type { Calls } from '../history/calls.ts'
import { holdRefusal } from '../run/hold-refusal.ts'
import type { MeteredDelivery } from '../run/meter.ts'
import { type EarlierAnswer, holdMarginMs } from './acceptance.ts'
import type { Challenges } from './challenges.ts'
import { leastMicros, requiredBy, snapshotOf } from './channel-state.ts'
import { settlementWaitMs, untilStored } from './order.ts'
import type { Replayable, Replays } from './replay.ts'
import type { PresentedPayment } from './request.ts'

/** The header in which a payer names the channel that it will pay from. */
export const channelHeader = 'payment-session'
const comeBackAfterSeconds = 2

/** A voucher that the gateway has accepted. */
export interface SignedVoucher {
  readonly message: ChannelMessage
  readonly voucher: Voucher
  readonly rail: ChannelRail
}

/** A voucher that was accepted for its call. */
export interface AcceptedVoucher extends SignedVoucher {
  readonly callId: string
  readonly accountId: string
  readonly micros: Micros
}

export interface ToldPayer {
  readonly headers: Readonly<Record<string, string>>
  /** Sent after the last event of a stream. */
  readonly event: string
}

export interface Vouchers {
  /** For a call that may cost this much: by how much the voucher must rise, and the channel that the payer names. */
  demandOf(
    header: RequestHeader | undefined,
    micros: Micros,
  ): Promise<{ readonly voucherMicros: Micros; readonly channel?: ChannelSnapshot }>
  /** Undefined: the payment is not a voucher. Throws a challenge for one that cannot pay. */
  accept(
    rail: Rail,
    payment: PresentedPayment,
    call: Replayable,
    options: {
      readonly lifetimeMs: number
      /** Called when the chain has the channel, before the voucher pays for the call. */
      readonly onOpen: (opened: SignedVoucher) => void
    },
  ): Promise<AcceptedVoucher | EarlierAnswer | undefined>
  /** What the payer is told about its channel at this moment. */
  tell(accepted: SignedVoucher): Promise<ToldPayer>
  /** Ends the call: charges it, or voids it. */
  end(accepted: AcceptedVoucher, end: MeteredDelivery): Promise<void>
}

interface Dependencies {
  readonly ledger: Pick<Ledger, 'settle'>
  readonly calls: Pick<Calls, 'find'>
  readonly payments: Pick<Payments, 'find' | 'accountOf'>
  readonly channels: Pick<Channels, 'find' | 'accept' | 'claim' | 'open'>
  readonly challenges: Challenges
  readonly replays: Replays
  readonly rules: CallRules
  readonly clock: Clock
  readonly callsAtOnceMax: number
}

export function createVouchers(dependencies: Dependencies): Vouchers {
  const { ledger, channels, clock } = dependencies
  return {
    async demandOf(header, micros) {
      const named = header?.(channelHeader)?.toLowerCase()
      const found = named === undefined ? undefined : await channels.find(named)
      if (found?.state !== 'open' || found.closes) return { voucherMicros: micros }
      const channel = snapshotOf(found, micros)
      return { voucherMicros: channel.requiredMicros - channel.acceptedMicros, channel }
    },
    accept: createAccept(dependencies),
    async tell({ message: { channelId, challengeId }, voucher, rail }) {
      const channel = await untilStored(clock, () => channels.find(channelId))
      return rail.receipt({
        challengeId,
        channelId,
        acceptedMicros: voucher.cumulativeMicros,
        // A later voucher may have paid for calls that ended before this one.
        spentMicros: Math.min(channel?.spentMicros ?? 0, voucher.cumulativeMicros),
      })
    },
    async end({ callId, accountId }, { failed, chargedMicros, costMicros, output, timeline }) {
      const ended = await untilStored(clock, () =>
        ledger.settle({
          callId,
          accountId,
          ...(failed === undefined
            ? { state: 'settled', charged: chargedMicros, output: output ?? '' }
            : { state: 'voided', charged: 0, ...failed }),
          cost: costMicros,
          timeline: JSON.stringify(timeline),
        }),
      )
      // The call was presumed lost and voided meanwhile: nothing was charged.
      if (failed === undefined && ended.outcome === 'gone') throw fail('upstream_error')
    },
  }
}

function createAccept(dependencies: Dependencies): Vouchers['accept'] {
  const { payments, channels, challenges, replays, rules, clock } = dependencies
  const claim = createClaim(dependencies)

  /** The answer of a call that this voucher, or this idempotency key, has paid for. */
  async function findEarlier(
    message: ChannelMessage,
    { claimKey, rail, header }: { claimKey: string; rail: string; header: string },
    call: Replayable,
  ): Promise<EarlierAnswer | undefined> {
    const { challengeId } = message
    const known = await payments.find(claimKey)
    if (known !== undefined && known.state !== 'released') {
      const presented = { rail, claimKey, challengeId, credential: header }
      return { earlier: known, answer: await replays.present(known, presented, call) }
    }
    const { idempotencyKey: key } = call
    if (key === undefined) return undefined
    const earlier = await replays.findByKey(message.descriptor.payer, key, call)
    return earlier && { earlier, answer: await replays.rejoin(earlier, call) }
  }

  async function open(message: ChannelMessage, rail: Rail, accountId: string, call: Replayable) {
    const { funding } = message
    if (funding === undefined) return false
    const state = await challenges.refusable(call, () =>
      channels.open(message, funding, { rail: rail.id, accountId }, settlementWaitMs),
    )
    // A wallet that is challenged would deposit again.
    if (state === 'opening') throw pendingDeposit()
    if (state === 'failed')
      throw challenges.challenge(
        'payment_invalid',
        call,
        'The chain did not carry out the deposit. Nothing was charged. Open another session.',
      )
    return state === 'open'
  }

  return async (rail, payment, call, { lifetimeMs, onOpen }) => {
    const chain = rail.channels
    if (chain === undefined) return undefined
    const read = await challenges.refusable(call, async () => {
      const message = await chain.read(payment.header, call.demand)
      return message && { message, voucher: voucherIn(message) }
    })
    if (read === undefined) return undefined
    const { message, voucher } = read
    const claimKey = `${rail.id}:channel:${message.channelId}:${voucher.cumulativeMicros}`
    const named = { claimKey, rail: rail.id, header: payment.header }
    const earlier = await findEarlier(message, named, call)
    if (earlier !== undefined) return earlier
    const accountId = await payments.accountOf(message.descriptor.payer)
    const { action, micros } = call.demand
    const quote = { kind: 'cap', micros } as const
    await rules.permit({ payer: 'wallet', accountId, keyId: undefined, action, quote, orders: [] })
    // The deposit stays where this call is refused, and its client must not forget it.
    if (await open(message, rail, accountId, call)) {
      await channels.accept(message.channelId, voucher)
      onOpen({ message, voucher, rail: chain })
    }
    const offer = { rail: rail.id, message, voucher, claimKey, micros }
    const callId = uuidv7(clock.now())
    const claimed = await claim(offer, { callId, accountId, lifetimeMs }, call, named)
    if (claimed !== undefined) return claimed
    return { callId, accountId, micros, message, voucher, rail: chain }
  }
}

const pendingDeposit = (): CallError =>
  fail('payment_pending', {
    message:
      'The chain has not confirmed the deposit yet. Send the same request with the same payment again. Do not pay again.',
    retryAfterSeconds: comeBackAfterSeconds,
  })

function voucherIn({ action, voucher }: ChannelMessage): Voucher {
  if (voucher === undefined || action === 'close')
    throw new PaymentRefusal(
      `Send the ${action} of a session without a body, and calls with a voucher.`,
    )
  return voucher
}

/** Undefined: the voucher is claimed for this call. */
function createClaim({ calls, channels, challenges, replays, callsAtOnceMax }: Dependencies) {
  async function refuse(
    outcome: VoucherRefusal,
    { message, voucher, micros }: Parameters<Channels['claim']>[0],
    call: Replayable,
  ): Promise<CallError> {
    const channel = await channels.find(message.channelId)
    if (outcome === 'channel_closed' || channel === undefined)
      return challenges.challenge(
        'payment_invalid',
        call,
        'The session is closed, so nothing was charged. Open another one.',
      )
    const required = requiredBy(channel, micros)
    const voucherMicros = Math.max(leastMicros, required - voucher.cumulativeMicros)
    const advice =
      outcome === 'beyond_deposit'
        ? `The voucher is above the deposit of ${channel.depositMicros}. Add to the deposit first.`
        : `The session has spent ${channel.spentMicros} and this call may cost ${micros}, so its voucher must come to ${required}.`
    const demand = { ...call.demand, voucherMicros, channel: snapshotOf(channel, micros) }
    return challenges.challenge(
      'payment_invalid',
      { ...call, demand },
      `${advice} Nothing was charged.`,
    )
  }

  return async (
    offer: Parameters<Channels['claim']>[0],
    of: { readonly callId: string; readonly accountId: string; readonly lifetimeMs: number },
    call: Replayable,
    { rail, header }: { readonly rail: string; readonly header: string },
  ): Promise<EarlierAnswer | undefined> => {
    const { claimKey, message } = offer
    const claimed = await channels.claim(offer, {
      ...of,
      lifetimeMs: of.lifetimeMs + holdMarginMs,
      action: call.demand.action,
      requestDigest: call.digest,
      idempotencyKey: call.idempotencyKey,
      atOnceMax: callsAtOnceMax,
    })
    const { outcome } = claimed
    if (outcome === 'claimed') return undefined
    if (outcome === 'joined' || outcome === 'used') {
      const earlier = await replays.get(claimed.paymentId)
      const { challengeId } = message
      const presented = { rail, claimKey, challengeId, credential: header }
      return { earlier, answer: await replays.present(earlier, presented, call) }
    }
    if (outcome === 'replay') {
      const { paymentId } = (await calls.find(of, claimed.callId)) ?? {}
      const earlier = await replays.get(paymentId ?? '')
      return { earlier, answer: await replays.rejoin(earlier, call) }
    }
    if (outcome === 'channel_closed' || outcome === 'beyond_deposit' || outcome === 'voucher_short')
      throw await refuse(outcome, offer, call)
    throw holdRefusal({ outcome, available: null }, { kind: 'cap', micros: offer.micros })
  }
}
