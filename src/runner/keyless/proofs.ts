// Identifies the wallet that sent a request by a signature. Each proof counts once.
import type { WalletCaller } from '#core/caller.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Rail, WalletProof } from '#money/rails/rail.ts'
import type { Challenges, Sale } from './challenges.ts'
import type { PresentedPayment } from './request.ts'

export interface Proofs {
  /** The wallet that requests its own data, which is free. Throws a challenge for an invalid proof. */
  prove(rail: Rail, payment: PresentedPayment, sale: Sale): Promise<WalletCaller>
  /** Runs `read` and uses up the proof that it finds. Throws a challenge for a missing or used proof. */
  takeProof(sale: Sale, read: () => Promise<WalletProof>): Promise<WalletProof>
}

export function createProofs({
  payments,
  challenges,
}: {
  payments: Pick<Payments, 'useProof' | 'accountOf'>
  challenges: Challenges
}): Proofs {
  async function takeProof(sale: Sale, read: () => Promise<WalletProof>): Promise<WalletProof> {
    const proof = await challenges.refusable(sale, read)
    if (!(await payments.useProof(proof.claimKey, proof.expiresAtMs)))
      throw challenges.challenge('payment_already_used', sale)
    return proof
  }

  return {
    takeProof,
    async prove(rail, { header, signIn, source }, sale) {
      const { wallet } = await takeProof(sale, async () =>
        signIn && rail.signIn !== undefined
          ? rail.signIn.prove(header, sale.demand, source)
          : rail.verify(await rail.parse(header), sale.demand, source),
      )
      return { kind: 'wallet', accountId: await payments.accountOf(wallet) }
    },
  }
}
