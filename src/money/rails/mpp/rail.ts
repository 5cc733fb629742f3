// MPP, method tempo, intent charge, pull mode: the wallet signs a transfer on Tempo, the gateway sends it. The library
// writes and checks what goes over the wire; when money moves, and for what, is decided by those who use the rail.
import { type Challenge, Credential, Errors, Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/server'
import { createClient, custom, maxUint256 } from 'viem'
import { Transaction } from 'viem/tempo'
import { tempo as tempoMainnet } from 'viem/tempo/chains'
import { microsToUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Hex, RefusalReason } from '../../chains/chain.ts'
import { refundName } from '../../chains/dollar.ts'
import { readTempoTransaction, type TempoChain, type TempoTransaction } from '../../chains/tempo.ts'
import { blameless, chainAway, type Demand, PaymentRefusal, type Rail } from '../rail.ts'
import { describeChain } from '../rail-chain.ts'
import { isAccepted } from './accept-payment.ts'
import { createChallengeWriter, termsIn } from './challenge.ts'

const decimals = 6
/** The chain accepts no transaction that may wait longer than 30 seconds; clocks differ. */
const validityMsMax = 35_000
/** Nodes behind one address need not know the same newest block. */
const headLagMsMax = 5_000

export interface MppTerms {
  /** Signs challenges; the second one is still accepted while it is being replaced. */
  readonly secretKeys: readonly [string, ...string[]]
  /** Names this gateway to its payers: its host, usually. */
  readonly realm: () => string
  readonly recipient: Hex
  readonly challengeLifetimeMs: number
}

export function createMppRail(room: { chain: TempoChain; clock: Clock } & MppTerms): Rail {
  const { chain, clock, recipient } = room
  // What can be told without the chain is told without it: the validator's one question to it is answered here.
  const offline = createClient({
    chain: { ...tempoMainnet, id: chain.chainId },
    transport: custom({ request: async () => '0x' }),
  })
  const writeChallenge = createChallengeWriter(room.secretKeys[0])
  const validators = room.secretKeys.map((secretKey) =>
    Mppx.create({
      secretKey,
      methods: [
        tempo.charge({
          currency: chain.currency,
          recipient,
          decimals,
          supportedModes: ['pull'],
          getClient: () => offline,
        }),
      ],
    }),
  )

  const requestFor = ({ micros }: Demand) => ({
    amount: microsToUsd(micros),
    decimals,
    currency: chain.currency,
    recipient,
    chainId: chain.chainId,
    supportedModes: ['pull' as const],
  })

  async function validate(credential: Credential.Credential, demand: Demand) {
    const { challenge } = credential
    const meta = readMeta(challenge)
    if (meta?.action !== demand.action)
      throw new PaymentRefusal('The challenge was issued for another action.')
    if (challenge.digest !== demand.bodyDigest)
      throw new PaymentRefusal('The challenge was issued for another body.')
    let refusal: unknown
    for (const validator of validators) {
      try {
        const { details } = await validator.validateCredential(credential, {
          meta,
          realm: room.realm(),
          request: requestFor(demand),
        })
        // What this method's validation resolves to; the library types it for every method at once.
        return details as { readonly mode: 'pull' | 'push' | 'proof'; readonly sender: string }
      } catch (error) {
        refusal ??= error
      }
    }
    throw new PaymentRefusal(explain(refusal), { cause: refusal })
  }

  return {
    id: 'mpp',
    terms: termsIn(chain.currency),
    chain: describeChain(chain, `eip155:${chain.chainId}`, {
      token: chain.currency,
      payTo: recipient,
    }),
    isWanted: (header) => isAccepted(header('accept-payment')),
    offer(demand) {
      const challenge = writeChallenge({
        realm: room.realm(),
        request: requestFor(demand),
        action: demand.action,
        bodyDigest: demand.bodyDigest,
        expiresAtMs: clock.now() + room.challengeLifetimeMs,
      })
      return { headers: { 'www-authenticate': challenge }, written: undefined }
    },
    async parse(header) {
      const credential = deserialize(header)
      return {
        rail: 'mpp',
        claimKey: await claimKeyOf(credential, chain.chainId),
        challengeId: credential.challenge.id,
        credential: header,
      }
    },
    async verify(presented, demand) {
      const credential = deserialize(presented.credential)
      const { mode, sender } = await validate(credential, demand)
      const payer = String(sender).toLowerCase()
      if (mode === 'proof') {
        const expiresAtMs = Date.parse(credential.challenge.expires ?? '')
        return { ...presented, payer, wallet: payer, micros: 0, expiresAtMs }
      }
      const { raw, validBeforeS } = await transactionOf(credential)
      const { calls, nonceKey } = Transaction.deserialize(
        raw as Transaction.TransactionSerializedTempo,
      )
      if (calls?.length !== 1)
        throw new PaymentRefusal('The transaction must make the one transfer and nothing else.')
      // Any other waits behind transactions that its payer never sends, until its time is over.
      if (nonceKey !== maxUint256)
        throw new PaymentRefusal('The transaction must have an expiring nonce.')
      const expiresAtMs = (validBeforeS ?? Number.POSITIVE_INFINITY) * 1_000
      if (expiresAtMs > clock.now() + validityMsMax)
        throw new PaymentRefusal('The transaction must expire within 30 seconds.')
      return { ...presented, payer, wallet: payer, micros: demand.micros, expiresAtMs }
    },
    async simulate(payment) {
      const verdict = await chain
        .simulate((await transactionOf(deserialize(payment.credential))).raw)
        .catch(chainAway)
      if (!verdict.ok) throw refuse(verdict.reason)
    },
    async prepare(credential) {
      const { raw, hash } = await transactionOf(deserialize(credential))
      return { raw, hash, signedAtBlock: Number((await chain.head()).number) }
    },
    async send({ raw, hash }) {
      if (await chain.isMined(hash as Hex)) return 'sent'
      const sent = await chain.broadcast(raw as Hex)
      if (sent.outcome === 'refused' && sent.reason !== 'nonce_used') throw refuse(sent.reason)
      return 'sent'
    },
    async inspect({ hash, expiresAtMs, credential }) {
      const receipt = await chain.receipt(hash as Hex)
      const block = Number(receipt?.blockNumber ?? 0)
      if (receipt?.status === 'reverted')
        return { state: 'dead', reason: 'The transfer was reverted.', byPayer: true, block }
      if (receipt !== undefined) {
        const { challenge } = deserialize(credential)
        const paid = receipt.transfers.some(
          ({ token, to, amount }) =>
            token === chain.currency.toLowerCase() &&
            to === recipient.toLowerCase() &&
            String(amount) === challenge.request.amount,
        )
        return paid
          ? { state: 'settled', hash, block }
          : { state: 'dead', reason: 'The transaction moved something else.', block }
      }
      const { timestampS, number } = await chain.head()
      if (timestampS * 1_000 <= expiresAtMs + headLagMsMax) return { state: 'pending' }
      // It may have been mined between the two questions, or not be deep enough yet.
      return (await chain.isMined(hash as Hex))
        ? { state: 'pending' }
        : { state: 'dead', reason: 'The transaction has expired.', block: Number(number) }
    },
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
    async signRefund({ id, payee, micros, signedAtBlock }) {
      const fromBlock = signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }
      const signed = await chain.signRefund({
        refundId: id,
        to: payee as Hex,
        amount: BigInt(micros),
        ...fromBlock,
      })
      return {
        raw: signed.raw,
        hash: signed.hash,
        signedAtBlock: Number(signed.signedAtBlock),
        validUntilMs: signed.validBeforeS * 1_000,
      }
    },
    async sendRefund({ raw }) {
      await chain.broadcast(raw as Hex)
      return 'sent'
    },
    async inspectRefund({ id, signedAtBlock }, sent) {
      if (sent !== undefined) {
        const receipt = await chain.receipt(sent.hash as Hex)
        if (receipt?.status === 'success')
          return { state: 'settled', hash: sent.hash, block: Number(receipt.blockNumber) }
        const { timestampS } = await chain.head()
        if (receipt === undefined && timestampS * 1_000 <= sent.validUntilMs + headLagMsMax)
          return { state: 'pending' }
      }
      const from = chain.refundAddress
      if (from === undefined) throw new Error('MPP_REFUND_KEY is not set, so refunds wait.')
      const fromBlock = signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }
      const hash = await chain.findTransferWithMemo(from, refundName(id), fromBlock)
      const { number } = await chain.head()
      if (hash === undefined)
        return { state: 'dead', reason: 'The refund is not on the chain.', block: Number(number) }
      const receipt = await chain.receipt(hash)
      return receipt === undefined
        ? { state: 'pending' }
        : { state: 'settled', hash, block: Number(receipt.blockNumber) }
    },
  }
}

function deserialize(header: string): Credential.Credential {
  try {
    return Credential.deserialize(header)
  } catch (cause) {
    throw new PaymentRefusal('The Authorization header holds no readable payment.', { cause })
  }
}

function readMeta({ meta, opaque }: Challenge.Challenge): Record<string, string> | undefined {
  if (meta !== undefined || opaque === undefined) return meta
  try {
    return JSON.parse(Buffer.from(opaque, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** A transfer counts once by its transaction; a proof of identity by its challenge. */
async function claimKeyOf(credential: Credential.Credential, chainId: number): Promise<string> {
  const { type, hash } = credential.payload as Record<string, unknown>
  if (type === 'proof') return `mpp:${chainId}:proof:${credential.challenge.id}`
  const name = type === 'hash' ? String(hash).toLowerCase() : (await transactionOf(credential)).hash
  return `mpp:${chainId}:${name}`
}

async function transactionOf({ payload }: Credential.Credential): Promise<TempoTransaction> {
  const transaction = await readTempoTransaction(
    String((payload as { signature?: unknown }).signature),
  )
  if (transaction === undefined)
    throw new PaymentRefusal('The payment holds no signed Tempo transaction.')
  return transaction
}

const tooLittle = 'The wallet does not hold enough of the token for the payment and its fee.'
const refusals: Readonly<Record<string, string>> & { readonly refused: string } = {
  insufficient_balance: tooLittle,
  insufficient_gas: tooLittle,
  expired: 'The signed transaction has expired.',
  nonce_used: 'The signed transaction was used before.',
  refused: 'The chain would not carry out the transfer.',
}

function refuse(reason: RefusalReason): PaymentRefusal {
  return new PaymentRefusal(refusals[reason] ?? refusals.refused, {
    blameless: blameless.has(reason),
  })
}

/** The library's own words name requests and nodes; the caller reads what to do. */
function explain(error: unknown): string {
  if (error instanceof Errors.InvalidChallengeError)
    return 'The challenge was not issued for this request by this gateway.'
  if (error instanceof Errors.PaymentExpiredError) return 'The challenge has expired.'
  if (error instanceof PaymentRefusal) return error.message
  return 'The payment does not match its challenge.'
}
