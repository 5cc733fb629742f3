// MPP, method tempo, intent session: a payment channel in the escrow of Tempo (TIP-1034), a voucher per call.
import { Session } from 'mppx/tempo'
import { type Micros, microsToUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { type Hex, hexOf } from '../../chains/chain.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import type { TempoChannels } from '../../chains/tempo-channels.ts'
import type { ChannelRail, ChannelSnapshot } from '../channel-rail.ts'
import { chainAway, type Demand, PaymentRefusal } from '../rail.ts'
import { createChallengeWriter, decimals, type RequestOf } from './challenge.ts'
import { readCredential, refuse } from './credential.ts'
import { readMessage } from './session-message.ts'
import { headLagMsMax } from './settle.ts'

const { Protocol } = Session.Precompile

/** The smallest deposit. Each channel costs the gateway the fee of its close. */
const depositMicrosMin = 100_000
/** A message about a channel asks for nothing, but a challenge of nothing cannot be answered. */
const leastMicros = 1

export interface MppSessions extends ChannelRail {
  /** The challenge for a call. */
  offer(demand: Demand & { readonly voucherMicros: Micros }): string
}

export function createSessions({
  chain,
  channels,
  clock,
  secretKeys,
  realm,
  recipient,
  challengeLifetimeMs,
  depositMicros,
  idleMsMax,
}: {
  readonly chain: TempoChain
  readonly channels: TempoChannels
  readonly clock: Clock
  readonly secretKeys: readonly [string, ...string[]]
  readonly realm: () => string
  readonly recipient: Hex
  readonly challengeLifetimeMs: number
  /** What a payer is advised to deposit. */
  readonly depositMicros: Micros
  readonly idleMsMax: number
}): MppSessions {
  const { escrow, operator } = channels
  const { chainId, currency } = chain
  const terms = { chainId, currency, recipient, escrow, operator }
  const write = createChallengeWriter(secretKeys[0], 'session')

  const snapshotOf = (snapshot: ChannelSnapshot) => ({
    acceptedCumulative: String(snapshot.acceptedMicros),
    chainId,
    channelId: hexOf(snapshot.channelId),
    deposit: String(snapshot.depositMicros),
    descriptor: snapshot.descriptor,
    escrow,
    ...(snapshot.signature && {
      highestVoucher: {
        channelId: hexOf(snapshot.channelId),
        cumulativeAmount: String(snapshot.acceptedMicros),
        signature: snapshot.signature,
      },
    }),
    requiredCumulative: String(snapshot.requiredMicros),
    // Nothing is taken from a channel before its close.
    settled: '0',
    spent: String(snapshot.spentMicros),
  })

  const requestFor = (micros: Micros, channel?: ChannelSnapshot): RequestOf<'session'> => ({
    amount: microsToUsd(micros),
    decimals,
    currency,
    recipient,
    chainId,
    escrowContract: escrow,
    operator,
    sessionProtocol: 'v2',
    suggestedDeposit: microsToUsd(Math.max(depositMicros, micros)),
    unitType: 'request',
    ...(channel && { sessionSnapshot: snapshotOf(channel) }),
  })

  return {
    idleMsMax,
    offer: ({ voucherMicros, channel, action, bodyDigest }) =>
      write({
        realm: realm(),
        request: requestFor(voucherMicros, channel),
        action,
        bodyDigest,
        expiresAtMs: clock.now() + challengeLifetimeMs,
      }),
    challenge: (path) => ({
      'cache-control': 'no-store',
      'www-authenticate': write({
        realm: realm(),
        request: requestFor(leastMicros),
        action: path,
        bodyDigest: undefined,
        expiresAtMs: clock.now() + challengeLifetimeMs,
      }),
    }),
    recall: (snapshot) => ({
      'cache-control': 'no-store',
      'payment-session': snapshot.channelId,
      'payment-session-snapshot': Session.serializeSnapshot(snapshotOf(snapshot)),
    }),
    async read(header, demand) {
      const credential = readCredential(header)
      if (credential.challenge.intent !== 'session') return undefined
      const nowMs = () => clock.now()
      const message = await readMessage({ terms, secretKeys, realm, nowMs }, credential, demand)
      if (message.action === 'open' && (message.funding?.micros ?? 0) < depositMicrosMin)
        throw new PaymentRefusal(
          `A session needs a deposit of at least $${microsToUsd(depositMicrosMin)}.`,
        )
      return message
    },
    async simulate({ raw }) {
      const verdict = await chain.simulate(raw).catch(chainAway)
      if (!verdict.ok) throw refuse(verdict.reason)
    },
    async send(raw) {
      await chain.broadcast(hexOf(raw))
    },
    async outcomeOf(hash) {
      const receipt = await chain.receipt(hexOf(hash))
      if (receipt === undefined) return undefined
      return { succeeded: receipt.status === 'success', block: Number(receipt.blockNumber) }
    },
    async isPast(validUntilMs) {
      const { timestampS } = await chain.head()
      return timestampS * 1_000 > validUntilMs + headLagMsMax
    },
    async stateOf(channelId) {
      const { deposit, closeRequestedAt } = await channels.stateOf(hexOf(channelId))
      return { deposit: Number(deposit), closeRequested: closeRequestedAt !== 0 }
    },
    async signClose({ descriptor, acceptedMicros, capturedMicros, signature }) {
      const { raw, hash, validBeforeS, signedAtBlock } = await channels.signClose(descriptor, {
        accepted: BigInt(acceptedMicros),
        captured: BigInt(capturedMicros),
        signature,
      })
      const signedAt = Number(signedAtBlock)
      return { raw, hash, signedAtBlock: signedAt, validUntilMs: validBeforeS * 1_000 }
    },
    async findClose(channelId) {
      const found = await channels.findClose(hexOf(channelId))
      if (found === undefined) return undefined
      const { captured, hash, blockNumber } = found
      return { capturedMicros: Number(captured), hash, block: Number(blockNumber) }
    },
    receipt({ challengeId, channelId, acceptedMicros, spentMicros, hash }) {
      const receipt = Protocol.createSessionReceipt({
        challengeId,
        channelId: hexOf(channelId),
        acceptedCumulative: BigInt(acceptedMicros),
        spent: BigInt(spentMicros),
        ...(hash === undefined ? {} : { txHash: hexOf(hash) }),
      })
      return {
        headers: {
          'payment-receipt': Protocol.serializeSessionReceipt(receipt),
          'cache-control': 'private',
        },
        event: Protocol.formatReceiptEvent(receipt),
      }
    },
  }
}
