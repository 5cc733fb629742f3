// x402 v2, scheme upto: the wallet permits an amount, and the gas wallet takes what the call has cost.
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import type { Clock } from '#core/ports.ts'
import type { EvmChain } from '../../../chains/evm.ts'
import { permit2 } from '../../../chains/permits.ts'
import { chainAway, type Demand, PaymentRefusal, type Rail } from '../../rail.ts'
import { refuse } from '../authorization.ts'
import { challengeIdOf, headerCharactersMax, type PaymentRequirements } from '../payment.ts'
import { claimKeyOf, readUpto } from './permit.ts'
import { readPermit, settlePermits } from './settle.ts'
import { verifyPermit } from './verify.ts'

export type Upto = Pick<Rail, 'parse' | 'verify' | 'simulate' | 'prepare' | 'send' | 'inspect'>

export function createUpto({
  chain,
  clock,
  requirementsFor,
}: {
  readonly chain: EvmChain
  readonly clock: Clock
  readonly requirementsFor: (demand: Demand) => PaymentRequirements
}): Upto {
  const { chainId } = chain
  return {
    async parse(header) {
      if (header.length > headerCharactersMax)
        throw new PaymentRefusal(`The payment is longer than ${headerCharactersMax} characters.`)
      const payment = readUpto(header)
      const identifier = extractPaymentIdentifier(payment as never)
      const challengeId = challengeIdOf(payment)
      return {
        rail: 'x402',
        claimKey: claimKeyOf(chainId, payment.signed.permit),
        credential: header,
        ...(challengeId === undefined ? {} : { challengeId }),
        ...(identifier === null ? {} : { identifier }),
      }
    },
    async verify(presented, demand) {
      const payment = readUpto(presented.credential)
      const nowS = Math.floor(clock.now() / 1_000)
      verifyPermit(payment, requirementsFor(demand), { nowS, chainId })
      const { from, deadline } = payment.signed.permit
      return {
        ...presented,
        payer: from,
        wallet: from,
        micros: demand.micros,
        settlesActual: true,
        expiresAtMs: Number(deadline) * 1_000,
      }
    },
    async simulate({ credential }) {
      const signed = readPermit(credential)
      const { from, amount } = signed.permit
      const verdict = await chain.simulatePermit(signed, amount).catch(chainAway)
      if (verdict.ok) return
      if (verdict.reason !== 'reverted') throw refuse(verdict.reason)
      if ((await chain.balanceOf(from).catch(chainAway)) < amount)
        throw refuse('insufficient_balance')
      if ((await chain.permitAllowance(from).catch(chainAway)) < amount)
        throw new PaymentRefusal(
          `The wallet does not let Permit2 take so much of the token. Approve ${permit2} for the token once, then sign again.`,
        )
      throw refuse(verdict.reason)
    },
    ...settlePermits(chain),
  }
}
