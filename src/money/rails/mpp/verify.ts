// Checks whether a credential matches the demand, as far as possible without the chain.
import { type Credential, Errors } from 'mppx'
import { Mppx, tempo } from 'mppx/server'
import { createClient, custom, maxUint256 } from 'viem'
import { tempo as tempoMainnet } from 'viem/tempo/chains'
import type { Clock } from '#core/ports.ts'
import type { Hex } from '../../chains/chain.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import type { TempoTransaction } from '../../chains/tempo-transaction.ts'
import { type Demand, PaymentRefusal, type Rail } from '../rail.ts'
import { decimals, type requestOf } from './challenge.ts'
import { readCalls, readCredential, readMeta, transactionOf } from './credential.ts'

/** The chain accepts no transaction that may wait longer than 30 seconds. The rest allows for clocks that differ. */
const validityMsMax = 35_000

export function createVerify(dependencies: {
  chain: TempoChain
  clock: Clock
  recipient: Hex
  secretKeys: readonly string[]
  realm: () => string
  requestFor: (demand: Demand) => ReturnType<typeof requestOf>
}): Rail['verify'] {
  const { clock, realm, requestFor } = dependencies
  const validators = createValidators(dependencies)

  async function validate(credential: Credential.Credential, demand: Demand) {
    const meta = readMeta(credential.challenge)
    requireChallengeFor(demand, { action: meta?.action, digest: credential.challenge.digest })
    let refusal: unknown
    for (const validator of validators) {
      try {
        const { details } = await validator.validateCredential(credential, {
          ...(meta === undefined ? {} : { meta }),
          realm: realm(),
          request: requestFor(demand),
        })
        // The library declares one result type for all methods; this is the type of this method.
        return details as { readonly mode: 'pull' | 'push' | 'proof'; readonly sender: string }
      } catch (error) {
        refusal ??= error
      }
    }
    throw new PaymentRefusal(explain(refusal), { cause: refusal })
  }

  return async (presented, demand) => {
    const credential = readCredential(presented.credential)
    const { mode, sender } = await validate(credential, demand)
    const payer = String(sender).toLowerCase()
    if (mode === 'proof') {
      const expiresAtMs = Date.parse(credential.challenge.expires ?? '')
      return { ...presented, payer, wallet: payer, micros: 0, expiresAtMs }
    }
    const expiresAtMs = checkTransaction(await transactionOf(credential), clock.now())
    return { ...presented, payer, wallet: payer, micros: demand.micros, expiresAtMs }
  }
}

/** One validator for each secret. Its only question to the chain is answered here, so nothing leaves the process. */
function createValidators({
  chain,
  recipient,
  secretKeys,
}: Pick<Parameters<typeof createVerify>[0], 'chain' | 'recipient' | 'secretKeys'>) {
  const offline = createClient({
    chain: { ...tempoMainnet, id: chain.chainId },
    transport: custom({ request: async () => '0x' }),
  })
  const method = tempo.charge({
    currency: chain.currency,
    recipient,
    decimals,
    supportedModes: ['pull'],
    getClient: () => offline,
  })
  return secretKeys.map((secretKey) => Mppx.create({ secretKey, methods: [method] }))
}

function requireChallengeFor(
  { action, bodyDigest }: Demand,
  challenge: { readonly action: string | undefined; readonly digest: string | undefined },
): void {
  if (challenge.action !== action)
    throw new PaymentRefusal('The challenge was issued for another action.')
  if (challenge.digest !== bodyDigest)
    throw new PaymentRefusal('The challenge was issued for another body.')
}

/** Returns when the transaction expires. Throws a PaymentRefusal. */
function checkTransaction(transaction: TempoTransaction, nowMs: number): number {
  const { calls, nonceKey } = readCalls(transaction)
  if (calls?.length !== 1)
    throw new PaymentRefusal('The transaction must make the one transfer and nothing else.')
  // Any other nonce waits behind transactions that the payer may never send.
  if (nonceKey !== maxUint256)
    throw new PaymentRefusal('The transaction must have an expiring nonce.')
  const expiresAtMs = (transaction.validBeforeS ?? Number.POSITIVE_INFINITY) * 1_000
  if (expiresAtMs > nowMs + validityMsMax)
    throw new PaymentRefusal('The transaction must expire within 30 seconds.')
  return expiresAtMs
}

/** The library's messages name requests and nodes; the caller needs to know what to do. */
function explain(error: unknown): string {
  if (error instanceof Errors.InvalidChallengeError)
    return 'The challenge was not issued for this request by this gateway.'
  if (error instanceof Errors.PaymentExpiredError) return 'The challenge has expired.'
  if (error instanceof PaymentRefusal) return error.message
  return 'The payment does not match its challenge.'
}
