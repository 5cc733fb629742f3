// What a payment channel has left for another call.
import type { Micros } from '#core/money.ts'
import type { PaymentChannel } from '#money/payments/channel-records.ts'
import type { ChannelSnapshot } from '#money/rails/channel-rail.ts'

/** The least by which a voucher rises. */
export const leastMicros = 1

/** What the vouchers of a channel must come to, so that it can pay for another call. */
export const requiredBy = ({ spentMicros, heldMicros }: PaymentChannel, micros: Micros): Micros =>
  spentMicros + heldMicros + micros

/** For a call that may cost this much. Each call needs a voucher of its own, also where an earlier one left enough. */
export function snapshotOf(channel: PaymentChannel, micros: Micros): ChannelSnapshot {
  const { id, descriptor, depositMicros, acceptedMicros, spentMicros } = channel
  const requiredMicros = Math.max(requiredBy(channel, micros), acceptedMicros + leastMicros)
  return {
    channelId: id,
    descriptor,
    depositMicros,
    acceptedMicros,
    spentMicros,
    requiredMicros,
  }
}

/** For its payer, who has proved to be it: with the highest voucher, and for no call. */
export function snapshotForPayer(channel: PaymentChannel): ChannelSnapshot {
  const { acceptedMicros, signature } = channel
  return {
    ...snapshotOf(channel, 0),
    requiredMicros: acceptedMicros,
    signature: signature ?? undefined,
  }
}
