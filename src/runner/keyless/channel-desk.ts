// What a payer says about a payment channel besides calls: it opens the channel, vouches for more, adds to the deposit,
// or closes the channel.
import { type CallError, fail } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type { Channels } from '#money/payments/channels.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { ChannelMessage, ChannelRail } from '#money/rails/channel-rail.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import { PaymentRefusal, type RailId } from '#money/rails/rail.ts'
import { settlementWaitMs } from './order.ts'
import type { PresentedPayment } from './request.ts'
import type { KeylessResponse } from './response.ts'

const comeBackAfterSeconds = 2

/** Undefined: the payment is not about a channel. */
export type AnswerChannelMessage = (request: {
  readonly path: string
  readonly payment: PresentedPayment
}) => Promise<KeylessResponse | undefined>

interface Dependencies {
  channels: Pick<Channels, 'find' | 'open' | 'accept' | 'topUp' | 'close'>
  payments: Pick<Payments, 'accountOf'>
  rails: Pick<Rails, 'open'>
}

export function createChannelDesk(dependencies: Dependencies): AnswerChannelMessage {
  const { open } = dependencies.rails
  const funding = createFunding(dependencies)
  const close = createClose(dependencies)

  return async ({ path, payment }) => {
    const rail = open.get(payment.rail)?.channels
    if (rail === undefined) return undefined
    try {
      const message = await rail.read(payment.header, undefined)
      if (message === undefined) return undefined
      if (message.action === 'open') return await funding.open(message, rail, payment.rail)
      if (message.action === 'voucher') return await funding.vouch(message, rail)
      return message.action === 'topUp' ? await funding.topUp(message) : await close(message, rail)
    } catch (thrown) {
      if (!(thrown instanceof PaymentRefusal)) throw thrown
      throw fail('payment_invalid', {
        message: thrown.message,
        challenge: { headers: rail.challenge(path), body: {} },
      })
    }
  }
}

/** The payer puts money into a channel, or vouches for more of it. */
function createFunding({ channels, payments }: Dependencies) {
  async function describe(
    { channelId }: ChannelMessage,
    headers: KeylessResponse['headers'] = {},
  ): Promise<KeylessResponse> {
    const channel = await channels.find(channelId)
    if (channel === undefined) throw closedAlready()
    const { depositMicros, acceptedMicros, spentMicros } = channel
    const amounts = {
      deposit_usd: microsToUsd(depositMicros),
      vouched_usd: microsToUsd(acceptedMicros),
      charged_usd: microsToUsd(spentMicros),
    }
    return answer({ channel_id: channelId, ...amounts }, headers)
  }

  async function vouch(message: ChannelMessage, rail: ChannelRail): Promise<KeylessResponse> {
    const { channelId, challengeId, voucher } = message
    if (voucher === undefined) throw new PaymentRefusal('The message holds no voucher.')
    const outcome = await channels.accept(channelId, voucher)
    if (outcome === 'channel_closed') throw closedAlready()
    if (outcome === 'beyond_deposit')
      throw new PaymentRefusal('The voucher is above the deposit. Add to the deposit first.')
    const acceptedMicros = voucher.cumulativeMicros
    const channel = await channels.find(channelId)
    const spentMicros = Math.min(channel?.spentMicros ?? 0, acceptedMicros)
    const receipt = { challengeId, channelId, acceptedMicros, spentMicros }
    return await describe(message, rail.receipt(receipt).headers)
  }

  async function open(
    message: ChannelMessage,
    rail: ChannelRail,
    railId: RailId,
  ): Promise<KeylessResponse> {
    const { funding, descriptor } = message
    if (funding === undefined) throw new PaymentRefusal('A session is opened by a transaction.')
    const accountId = await payments.accountOf(descriptor.payer)
    const state = await channels.open(
      message,
      funding,
      { rail: railId, accountId },
      settlementWaitMs,
    )
    if (state === 'opening') throw pending()
    if (state === 'failed')
      throw new PaymentRefusal('The chain did not carry out the deposit. Open another session.')
    return await vouch(message, rail)
  }

  async function topUp(message: ChannelMessage): Promise<KeylessResponse> {
    const { funding, channelId } = message
    if (funding === undefined) throw new PaymentRefusal('A top-up needs a transaction.')
    const before = await channels.find(channelId)
    if (before?.state !== 'open' || before.closes) throw closedAlready()
    const state = await channels.topUp(message, funding, settlementWaitMs)
    if (state === 'pending') throw pending()
    if (state === 'failed')
      throw new PaymentRefusal('The chain did not carry out the top-up. Send another one.')
    return await describe(message)
  }

  return { open, vouch, topUp }
}

function createClose({ channels }: Dependencies) {
  return async (message: ChannelMessage, rail: ChannelRail): Promise<KeylessResponse> => {
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
