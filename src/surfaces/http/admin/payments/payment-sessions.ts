// /api/v1/admin/payment-sessions: the deposits of wallets that pay by payment channels.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type { PaymentChannel } from '#money/payments/channel-records.ts'
import type { Channels } from '#money/payments/channels.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../../doors/route.ts'
import { list, object, text, textOrNull, truth } from '../../../doors/shapes.ts'
import type { Operations } from '../operations.ts'

const listedMax = 200
const noSession = 'There is no such payment session.'

const amount = (description: string) => ({ ...text, description })

const paymentSession = object({
  payment_session_id: text,
  rail: text,
  payer: text,
  account_id: text,
  state: { enum: ['opening', 'open', 'closing', 'closed'] },
  is_closing: {
    ...truth,
    description: 'It takes no more calls, and is closed when those under way have ended.',
  },
  deposit_usd: amount('What the wallet has deposited.'),
  vouched_usd: amount('The highest voucher.'),
  held_usd: amount('What its calls under way may cost.'),
  charged_usd: amount('What its calls have cost.'),
  settled_usd: amount('What its chain has paid to the gateway. Nothing before the close.'),
  opened_at: text,
  used_at: text,
  closes_at: { ...textOrNull, description: 'When it is closed unless a call uses it.' },
  closed_at: textOrNull,
  reason: { ...textOrNull, description: 'Why it could not be continued the last time.' },
  transaction_hash: { ...textOrNull, description: 'What opens it, then what closes it.' },
})

const sessionsQuery = z.strictObject({
  /** Default: those that hold a deposit. */
  status: z.enum(['open', 'closed']).default('open'),
})

export const listPaymentSessions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/payment-sessions`,
  who: 'operator',
  summary: 'The deposits of wallets in payment sessions, the last used first.',
  query: sessionsQuery,
  answer: object({ payment_sessions: list(paymentSession) }),
})
export const closePaymentSession = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/payment-sessions/{id}`,
  who: 'operator',
  role: 'support',
  summary:
    'Close a payment session: what was charged is taken, and the rest goes back to its wallet.',
  answer: paymentSession,
})

export interface PaymentSessionDependencies {
  channels: Pick<Channels, 'find' | 'list' | 'close' | 'idleMsMax'>
}

export function addPaymentSessionRoutes(
  admin: FastifyInstance,
  { channels, operations }: PaymentSessionDependencies & { operations: Operations },
) {
  const show = (channel: PaymentChannel) => showChannel(channel, channels.idleMsMax(channel.rail))
  addRoute(admin, listPaymentSessions, async ({ query: { status } }) => {
    const found = await channels.list(status, listedMax)
    return { payment_sessions: found.map(show) }
  })
  addRoute(admin, closePaymentSession, async ({ request, params: { id } }) => {
    const found = await channels.find(id)
    if (found === undefined || found.state === 'failed')
      throw fail('not_found', { message: noSession })
    await operations.announce(request, { action: 'payment_session.close', subject: id })
    // Its transaction is mined later: the list shows how far it is.
    return show((await channels.close(id, 0)) ?? found)
  })
}

function showChannel(channel: PaymentChannel, idleMsMax: number | undefined) {
  const { usedAt, state, closes } = channel
  const isClosing = state === 'closing' || (state !== 'closed' && closes)
  const closesAt =
    idleMsMax === undefined || state !== 'open' || isClosing
      ? null
      : new Date(usedAt.getTime() + idleMsMax)
  return {
    payment_session_id: channel.id,
    rail: channel.rail,
    payer: channel.descriptor.payer,
    account_id: channel.accountId,
    state,
    is_closing: isClosing,
    deposit_usd: microsToUsd(channel.depositMicros),
    vouched_usd: microsToUsd(channel.acceptedMicros),
    held_usd: microsToUsd(channel.heldMicros),
    charged_usd: microsToUsd(channel.spentMicros),
    settled_usd: microsToUsd(channel.capturedMicros ?? 0),
    opened_at: channel.createdAt,
    used_at: usedAt,
    closes_at: closesAt,
    closed_at: channel.closedAt,
    reason: state === 'closed' ? null : channel.error,
    transaction_hash: channel.hash,
  }
}
