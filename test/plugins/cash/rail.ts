import { randomUUID } from 'node:crypto'
import {
  type ChainVerdict,
  type Demand,
  PaymentRefusal,
  type Rail,
  type RailChain,
  type RailTerms,
  type RefundOrder,
} from 'tollway'
import type { Bank, Note, SignedNote } from './bank.ts'

const refundLifetimeMs = 60_000

const terms: RailTerms = {
  id: 'cash',
  inPrice: { method: 'note' },
  inOpenApi: { method: 'note', currency: 'USD' },
  offer: { method: 'note', intent: 'charge', currency: 'USD' },
}

/** The terms of a challenge. The note that answers it must state the same. */
export interface CashChallenge {
  readonly id: string
  readonly to: string
  readonly micros: number
  readonly memo: string
}

export interface CashPayment {
  readonly challengeId: string
  readonly note: SignedNote
}

export const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())

const memoOf = ({ action, bodyDigest }: Demand) => `${action} ${bodyDigest}`

export function createCashRail({
  bank,
  till,
  now,
}: {
  bank: Bank
  /** The wallet that receives payments and pays refunds. */
  till: string
  now: () => number
}): Rail {
  const verdictOf = (serial: string, expiresAtMs: number): ChainVerdict => {
    const transfer = bank.find(serial)
    if (transfer !== undefined)
      return { state: 'settled', hash: transfer.hash, block: transfer.block }
    return now() <= expiresAtMs
      ? { state: 'pending' }
      : { state: 'dead', reason: 'The note has expired.', block: bank.newestBlock() }
  }

  return {
    id: 'cash',
    terms,
    chain: chainOf(bank, till),
    offer(demand) {
      const { micros } = demand
      const challenge: CashChallenge = { id: randomUUID(), to: till, micros, memo: memoOf(demand) }
      return { headers: { 'cash-challenge': encode(challenge) }, written: undefined }
    },
    async parse(header) {
      const { note, challengeId } = readPayment(header)
      return { rail: 'cash', claimKey: `cash:${note.serial}`, challengeId, credential: header }
    },
    async verify(presented, demand) {
      const { note } = readPayment(presented.credential)
      const { from: payer, expiresAtMs, micros } = note
      if (!bank.isGenuine(note)) throw new PaymentRefusal('The bank has not issued this note.')
      if (note.to !== till || note.memo !== memoOf(demand) || micros !== demand.micros)
        throw new PaymentRefusal('The note does not match its challenge.')
      if (expiresAtMs <= now()) throw new PaymentRefusal('The note has expired.')
      return { ...presented, payer, wallet: payer, micros, expiresAtMs }
    },
    async simulate({ payer, micros }) {
      if (bank.balanceOf(payer) < micros) throw new PaymentRefusal('The wallet has too little.')
    },
    async prepare(credential) {
      const { note } = readPayment(credential)
      return { raw: credential, hash: note.serial, signedAtBlock: bank.newestBlock() }
    },
    async send({ raw }) {
      const { note } = readPayment(raw)
      if (!bank.cash(note)) throw new PaymentRefusal('The wallet has too little.')
      return 'sent'
    },
    inspect: async ({ hash, expiresAtMs }) => verdictOf(hash, expiresAtMs),
    receipt: ({ hash }) => ({ 'cash-receipt': hash }),
    async signRefund(order) {
      const validUntilMs = now() + refundLifetimeMs
      const note = refundNote(order, till, validUntilMs)
      return { raw: encode(note), hash: note.serial, validUntilMs }
    },
    async sendRefund({ raw }) {
      if (!bank.cash(decode(raw))) throw new Error('The till has too little.')
      return 'sent'
    },
    inspectRefund: async ({ id }, sent) => verdictOf(serialOf(id), sent?.validUntilMs ?? 0),
  }
}

const serialOf = (refundId: string) => `refund-${refundId}`

const refundNote = (
  { id, payee, micros }: RefundOrder,
  till: string,
  expiresAtMs: number,
): Note => ({
  serial: serialOf(id),
  from: till,
  to: payee,
  micros,
  memo: 'refund',
  expiresAtMs,
})

function readPayment(header: string): CashPayment {
  try {
    const { challengeId, note } = decode(header) as CashPayment
    if (typeof challengeId === 'string' && typeof note.serial === 'string')
      return { challengeId, note }
  } catch {
    // Refused below.
  }
  throw new PaymentRefusal('The Cash-Payment header holds no note.')
}

/** A block is final at once. */
function chainOf(bank: Bank, till: string): RailChain {
  return {
    network: 'bank',
    token: 'note',
    payTo: till,
    refundWallet: till,
    async progress() {
      const number = bank.newestBlock()
      return { newest: { number, hash: String(number) }, final: number, reorganised: false }
    },
    balanceOf: async (wallet) => bank.balanceOf(wallet),
    transfers: async ({ from, to, fromBlock, toBlock }) =>
      bank.transfers.filter(
        (transfer) =>
          (from === undefined || transfer.from === from) &&
          (to === undefined || transfer.to === to) &&
          transfer.block >= fromBlock &&
          transfer.block <= toBlock,
      ),
  }
}
