// A bank in memory in place of a chain. Wallets draw notes on it, and each note is cashed once. Every transfer is a
// block.
import { createHmac, randomUUID } from 'node:crypto'
import type { Micros, TokenTransfer } from 'tollway'

/** A cheque. It moves its amount once, when the till cashes it. */
export interface Note {
  readonly serial: string
  readonly from: string
  readonly to: string
  readonly micros: Micros
  /** The request that it pays for. */
  readonly memo: string
  readonly expiresAtMs: number
}

export interface SignedNote extends Note {
  readonly signature: string
}

export interface Bank {
  /** A wallet with this much money. */
  open(micros: Micros): string
  balanceOf(wallet: string): Micros
  sign(note: Omit<Note, 'serial'>): SignedNote
  isGenuine(note: SignedNote): boolean
  /**
   * Moves the money of a note. A note that was cashed before moves nothing. False: the wallet has too little. Throws
   * while the bank is closed.
   */
  cash(note: Note): boolean
  setOpen(isOpen: boolean): void
  find(serial: string): TokenTransfer | undefined
  newestBlock(): number
  readonly transfers: readonly TokenTransfer[]
}

function createBank(): Bank {
  const balances = new Map<string, Micros>()
  const transfers: TokenTransfer[] = []
  const secret = randomUUID()
  let isOpen = true
  const balanceOf = (wallet: string) => balances.get(wallet) ?? 0
  const signatureOf = ({ serial, from, to, micros, memo, expiresAtMs }: Note) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([serial, from, to, micros, memo, expiresAtMs]))
      .digest('hex')
  const find = (serial: string) => transfers.find(({ hash }) => hash === serial)

  return {
    open(micros) {
      const wallet = `wallet-${randomUUID()}`
      balances.set(wallet, micros)
      return wallet
    },
    balanceOf,
    sign(terms) {
      const note = { serial: randomUUID(), ...terms }
      return { ...note, signature: signatureOf(note) }
    },
    isGenuine: (note) => note.signature === signatureOf(note),
    cash({ serial, from, to, micros }) {
      if (!isOpen) throw new Error('The bank is closed.')
      if (find(serial) !== undefined) return true
      if (balanceOf(from) < micros) return false
      balances.set(from, balanceOf(from) - micros)
      balances.set(to, balanceOf(to) + micros)
      transfers.push({ hash: serial, block: transfers.length + 1, from, to, micros })
      return true
    },
    setOpen(open) {
      isOpen = open
    },
    find,
    newestBlock: () => transfers.length,
    transfers,
  }
}

/** The one bank of this process. */
export const bank = createBank()
