// Reads the credentials of MPP sessions: what a payer says about a payment channel. Everything is checked that needs no
// chain. The id of a channel is the hash of its descriptor, so the descriptor tells who pays, who is paid, and whose
// signature counts.
import { Challenge, type Credential } from 'mppx'
import { Session } from 'mppx/tempo'
import { decodeFunctionData, maxUint256 } from 'viem'
import { z } from 'zod'
import { type Hex, lowerCase } from '../../chains/chain.ts'
import { deserialize, readTempoTransaction } from '../../chains/tempo-transaction.ts'
import type { ChannelDescriptor, ChannelMessage, Funding, Voucher } from '../channel-rail.ts'
import { type Demand, PaymentRefusal } from '../rail.ts'
import { readMeta } from './credential.ts'

const { Channel, escrowAbi, Voucher: Vouchers } = Session.Precompile

/** The chain accepts no transaction that may wait longer than 30 seconds. The rest allows for clocks that differ. */
const validityMsMax = 35_000

const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
    .transform(lowerCase)
const amount = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
const descriptor = z.object({
  payer: hex(40),
  payee: hex(40),
  operator: hex(40),
  token: hex(40),
  salt: hex(64),
  authorizedSigner: hex(40),
  expiringNonceHash: hex(64),
})
const signature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{2,4096}$/)
  .transform(lowerCase)
const channel = { channelId: hex(64), descriptor }
const voucher = { cumulativeAmount: amount, signature }
const transaction = z.string().regex(/^0x76[0-9a-fA-F]{2,8192}$/)
const payload = z.discriminatedUnion('action', [
  z.object({ action: z.literal('open'), ...channel, ...voucher, transaction }),
  z.object({ action: z.literal('topUp'), ...channel, transaction, additionalDeposit: amount }),
  z.object({ action: z.literal('voucher'), ...channel, ...voucher }),
  z.object({ action: z.literal('close'), ...channel, ...voucher }),
])
type Payload = z.infer<typeof payload>

export interface SessionTerms {
  readonly chainId: number
  readonly currency: Hex
  readonly recipient: Hex
  readonly escrow: Hex
  readonly operator: Hex
}

interface Dependencies {
  readonly terms: SessionTerms
  readonly secretKeys: readonly string[]
  readonly realm: () => string
  readonly nowMs: () => number
}

/** Throws a PaymentRefusal. */
export async function readMessage(
  { terms, secretKeys, realm, nowMs }: Dependencies,
  credential: Credential.Credential,
  demand: Demand | undefined,
): Promise<ChannelMessage> {
  const { challenge } = credential
  if (challenge.realm !== realm() || !secretKeys.some((key) => isOurs(challenge, key)))
    throw new PaymentRefusal('The challenge was not issued by this gateway.')
  if (Date.parse(challenge.expires ?? '') <= nowMs())
    throw new PaymentRefusal('The challenge has expired.')
  if (demand !== undefined) requireChallengeFor(demand, challenge)
  const { data } = payload.safeParse(credential.payload)
  if (data === undefined)
    throw new PaymentRefusal(
      'The payment holds no message of a session. Send the action, the channelId, the descriptor, and what the action needs.',
    )
  requireOurChannel(terms, data)
  return {
    action: data.action,
    channelId: data.channelId,
    descriptor: data.descriptor,
    challengeId: challenge.id,
    voucher: 'signature' in data ? readVoucher(terms, data) : undefined,
    funding: 'transaction' in data ? await readFunding(terms, data, nowMs()) : undefined,
  }
}

function isOurs(challenge: Challenge.Challenge, secretKey: string): boolean {
  try {
    return Challenge.verify(challenge, { secretKey })
  } catch {
    return false
  }
}

function requireChallengeFor({ action, bodyDigest }: Demand, challenge: Challenge.Challenge): void {
  if (readMeta(challenge)?.action !== action)
    throw new PaymentRefusal('The challenge was issued for another action.')
  if (challenge.digest !== bodyDigest)
    throw new PaymentRefusal('The challenge was issued for another body.')
}

/** The gateway can close this channel, and is paid by it in its own token. */
function requireOurChannel(terms: SessionTerms, { channelId, descriptor: of }: Payload): void {
  const { chainId, escrow } = terms
  const isOurs =
    of.payee === terms.recipient && of.operator === terms.operator && of.token === terms.currency
  if (!isOurs || lowerCase(Channel.computeId({ ...of, chainId, escrow })) !== channelId)
    throw new PaymentRefusal('The channel is not one that the challenge asked for.')
}

function readVoucher(
  { escrow, chainId }: SessionTerms,
  payload: Extract<Payload, { signature: Hex }>,
): Voucher {
  const { channelId, cumulativeAmount, signature, descriptor: of } = payload
  const signed = { channelId, cumulativeAmount: BigInt(cumulativeAmount), signature } as never
  if (!Vouchers.verifyVoucher(escrow, chainId, signed, signerOf(of)))
    throw new PaymentRefusal('The voucher is not signed by the signer of its channel.')
  return { cumulativeMicros: cumulativeAmount, signature }
}

const signerOf = ({ authorizedSigner, payer }: ChannelDescriptor): Hex =>
  BigInt(authorizedSigner) === 0n ? payer : authorizedSigner

/** The transaction must do what the message says and nothing else. */
async function readFunding(
  { escrow, chainId }: SessionTerms,
  payload: Extract<Payload, { transaction: string }>,
  nowMs: number,
): Promise<Funding> {
  const { descriptor: of } = payload
  const signed = await readTempoTransaction(payload.transaction)
  if (signed === undefined) throw new PaymentRefusal('The payment holds no signed transaction.')
  const { raw, hash, from } = signed
  const whole = deserialize(raw)
  const [call, ...others] = whole.calls ?? []
  if (call === undefined || others.length > 0 || lowerCase(call.to ?? '') !== escrow)
    throw new PaymentRefusal('The transaction must make one call of the escrow and nothing else.')
  if (from !== of.payer || signed.chainId !== chainId)
    throw new PaymentRefusal('The transaction is not signed by the payer of the channel.')
  if (whole.nonceKey !== maxUint256)
    throw new PaymentRefusal('The transaction must have an expiring nonce.')
  const validUntilMs = (signed.validBeforeS ?? Number.POSITIVE_INFINITY) * 1_000
  if (validUntilMs > nowMs + validityMsMax)
    throw new PaymentRefusal('The transaction must expire within 30 seconds.')
  const micros = depositOf(payload, call.data)
  if (payload.action === 'open' && nonceHashOf(whole, from) !== of.expiringNonceHash)
    throw new PaymentRefusal('The transaction opens another channel.')
  return { raw, hash, micros, validUntilMs }
}

const nonceHashOf = (transaction: object, sender: Hex) =>
  lowerCase(Channel.computeExpiringNonceHash(transaction as never, { sender }))

/** What the call adds to the deposit. Throws a PaymentRefusal unless it is the call that the message names. */
function depositOf(
  payload: Extract<Payload, { transaction: string }>,
  data: Hex | undefined,
): number {
  const { descriptor: of } = payload
  try {
    const { functionName, args } = decodeFunctionData({ abi: escrowAbi, data: data ?? '0x' })
    if (payload.action === 'open' && functionName === 'open') {
      const [payee, operator, token, deposit, salt, authorizedSigner] = args
      const named = [payee, operator, token, salt, authorizedSigner].map(lowerCase)
      const wanted = [of.payee, of.operator, of.token, of.salt, of.authorizedSigner]
      if (String(named) === String(wanted)) return Number(deposit)
    }
    if (payload.action === 'topUp' && functionName === 'topUp') {
      const [named, deposit] = args
      const isSame = Object.entries(named).every(
        ([name, value]) => lowerCase(value) === of[name as keyof ChannelDescriptor],
      )
      if (isSame && Number(deposit) === payload.additionalDeposit) return Number(deposit)
    }
  } catch (cause) {
    throw new PaymentRefusal('The transaction does not call the escrow.', { cause })
  }
  throw new PaymentRefusal('The transaction does something else than the message says.')
}
