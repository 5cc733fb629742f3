// What a payer says about a payment channel besides calls: it adds to the deposit, or closes the channel.
import { type CallError, fail } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type { Channels } from '#money/payments/channels.ts'
import type { ChannelMessage, ChannelRail } from '#money/rails/channel-rail.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import { PaymentRefusal } from '#money/rails/rail.ts'
import { settlementWaitMs } from './order.ts'
import type { PresentedPayment } from './request.ts'
import type { KeylessResponse } from './response.ts'

const comeBackAfterSeconds = 2

/** Undefined: the payment is not about a channel. */
export type AnswerChannelMessage = (request: {
  readonly path: string
  readonly payment: PresentedPayment
}) => Promise<KeylessResponse | undefined>

export function createChannelDesk({
  channels,
  rails: { open },
}: {
  channels: Pick<Channels, 'find' | 'topUp' | 'close'>
  rails: Pick<Rails, 'open'>
}): AnswerChannelMessage {
  async function topUp(message: ChannelMessage): Promise<KeylessResponse> {
    const { funding, channelId } = message
    if (funding === undefined) throw new PaymentRefusal('A top-up needs a transaction.')
    const before = await channels.find(channelId)
    if (before?.state !== 'open' || before.closes) throw closedAlready()
    const channel = await channels.topUp(message, funding, settlementWaitMs)
    if ((channel?.depositMicros ?? 0) < before.depositMicros + funding.micros) throw pending()
    return answer({ channel_id: channelId, deposit_usd: microsToUsd(channel?.depositMicros ?? 0) })
  }

  async function close(message: ChannelMessage, rail: ChannelRail): Promise<KeylessResponse> {
    const { channelId, challengeId, voucher } = message
    const before = await channels.find(channelId)
    if (before === undefined || before.state === 'opening' || before.state === 'failed')
      throw closedAlready()
    const signed = voucher?.cumulativeMicros ?? 0
    if (signed < before.spentMicros + before.heldMicros)
      throw new PaymentRefusal(
        `The session has spent $${microsToUsd(before.spentMicros)}, and $${microsToUsd(before.heldMicros)} is held for calls under way. Sign a voucher for at least both.`,
      )
    const channel = await channels.close(channelId, settlementWaitMs)
    if (channel?.state !== 'closed') throw pending()
    const captured = channel.capturedMicros ?? 0
    const { headers } = rail.receipt({
      challengeId,
      channelId,
      acceptedMicros: signed,
      spentMicros: captured,
      hash: channel.hash ?? undefined,
    })
    const told = {
      channel_id: channelId,
      charged_usd: microsToUsd(captured),
      returned_usd: microsToUsd(channel.depositMicros - captured),
      transaction_hash: channel.hash,
    }
    return answer(told, headers)
  }

  return async ({ path, payment }) => {
    const rail = open.get(payment.rail)?.channels
    if (rail === undefined) return undefined
    try {
      const message = await rail.read(payment.header, undefined)
      if (message?.action === 'topUp') return await topUp(message)
      return message?.action === 'close' ? await close(message, rail) : undefined
    } catch (thrown) {
      if (!(thrown instanceof PaymentRefusal)) throw thrown
      throw fail('payment_invalid', {
        message: thrown.message,
        challenge: { headers: rail.challenge(path), body: {} },
      })
    }
  }
}

const answer = (session: object, headers: KeylessResponse['headers'] = {}): KeylessResponse => ({
  body: JSON.stringify({ ok: true, session }),
  headers,
  replayed: false,
})

const closedAlready = () =>
  new PaymentRefusal('There is no open session with this channel. Open another one.')

const pending = (): CallError =>
  fail('payment_pending', {
    message:
      'The chain has not confirmed it yet, or a call of the session is under way. Send the same request again in a moment.',
    retryAfterSeconds: comeBackAfterSeconds,
  })
