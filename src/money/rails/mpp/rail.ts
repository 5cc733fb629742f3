// MPP, method tempo, intent charge, pull mode: the wallet signs a transfer on Tempo, and the gateway sends it. The
// library writes and checks what goes over the wire.
import { Receipt } from 'mppx'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Hex } from '../../chains/chain.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import { chainAway, type Demand, type Rail } from '../rail.ts'
import { describeChain } from '../rail-chain.ts'
import { isAccepted } from './accept-payment.ts'
import { createChallengeWriter, createRequests, termsIn } from './challenge.ts'
import { claimKeyOf, readCredential, refuse, transactionOf } from './credential.ts'
import { mppInMcp } from './mcp.ts'
import { createMppRefunds } from './refund.ts'
import { createSessions } from './sessions.ts'
import { createSettler } from './settle.ts'
import { createVerify } from './verify.ts'

export interface MppRailDependencies {
  readonly chain: TempoChain
  readonly clock: Clock
  /** Signs challenges; the second one is still accepted during a rotation. */
  readonly secretKeys: readonly [string, ...string[]]
  /** Names this gateway to its payers: usually its host. */
  readonly realm: () => string
  readonly recipient: Hex
  readonly challengeLifetimeMs: number
  /** Whether the chain has the escrow now. Without it a deposit would be lost, so no session is offered. */
  readonly hasEscrow?: () => boolean
  readonly sessions: {
    /** What a payer is advised to deposit. */
    readonly depositMicros: Micros
    readonly idleMsMax: number
  }
}

export function createMppRail(dependencies: MppRailDependencies): Rail {
  const { chain, clock, recipient, realm, hasEscrow = () => true } = dependencies
  const writeChallenge = createChallengeWriter(dependencies.secretKeys[0])
  const requestAt = createRequests(chain, recipient)
  const { channels } = chain
  const sessions =
    channels && createSessions({ ...dependencies, ...dependencies.sessions, channels })
  const requestFor = ({ micros }: Demand) => requestAt(micros)

  return {
    id: 'mpp',
    terms: termsIn(chain.currency),
    chain: describeChain(chain, `eip155:${chain.chainId}`, {
      token: chain.currency,
      payTo: recipient,
    }),
    mcp: mppInMcp,
    ...(sessions && { channels: sessions }),
    isWanted(header) {
      const accepted = header('accept-payment')
      return (
        isAccepted(accepted, 'charge') ||
        (sessions !== undefined && hasEscrow() && isAccepted(accepted, 'session'))
      )
    },
    offer(demand) {
      const challenge = writeChallenge({
        realm: realm(),
        request: requestFor(demand),
        action: demand.action,
        bodyDigest: demand.bodyDigest,
        expiresAtMs: clock.now() + dependencies.challengeLifetimeMs,
      })
      const { voucherMicros } = demand
      const offers =
        sessions === undefined || voucherMicros === undefined || !hasEscrow()
          ? [challenge]
          : [challenge, sessions.offer({ ...demand, voucherMicros })]
      return { headers: { 'www-authenticate': offers.join(', ') }, written: undefined }
    },
    async parse(header) {
      const credential = readCredential(header)
      return {
        rail: 'mpp',
        claimKey: await claimKeyOf(credential, chain.chainId),
        challengeId: credential.challenge.id,
        credential: header,
      }
    },
    verify: createVerify({ ...dependencies, requestFor }),
    async simulate(payment) {
      const { raw } = await transactionOf(readCredential(payment.credential))
      const verdict = await chain.simulate(raw).catch(chainAway)
      if (!verdict.ok) throw refuse(verdict.reason)
    },
    ...createSettler(chain, recipient),
    receipt: ({ hash }) => ({
      'payment-receipt': Receipt.serialize(
        Receipt.from({
          method: 'tempo',
          status: 'success',
          timestamp: new Date(clock.now()).toISOString(),
          reference: hash,
        }),
      ),
      'cache-control': 'private',
    }),
    ...createMppRefunds(chain),
  }
}
