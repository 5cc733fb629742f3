// A bank that several processes share, in place of a chain: each cashed note is a file. Blocks are seconds.
import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Bank, Note } from '../../../test/plugins/cash/bank.ts'

/** Every wallet has this much, always. */
const fundsMicros = 1_000_000_000_000
const bankSecret = 'the bank of the day'

const signatureOf = ({ serial, from, to, micros, memo, expiresAtMs }: Note) =>
  createHmac('sha256', bankSecret)
    .update(JSON.stringify([serial, from, to, micros, memo, expiresAtMs]))
    .digest('hex')
const newestBlock = () => Math.floor(Date.now() / 1_000)

export function openSharedBank(folder: string): Bank {
  const fileOf = (serial: string) => path.join(folder, serial)
  return {
    open: () => `wallet-${randomUUID()}`,
    balanceOf: () => fundsMicros,
    sign(terms) {
      const note = { serial: randomUUID(), ...terms }
      return { ...note, signature: signatureOf(note) }
    },
    isGenuine: (note) => note.signature === signatureOf(note),
    cash({ serial, from, to, micros }) {
      const transfer = { hash: serial, block: newestBlock(), from, to, micros }
      try {
        writeFileSync(fileOf(serial), JSON.stringify(transfer), { flag: 'wx' })
      } catch (error) {
        if ((error as { code?: string }).code !== 'EEXIST') throw error
      }
      return true
    },
    setOpen() {},
    find(serial) {
      try {
        return JSON.parse(readFileSync(fileOf(serial), 'utf8'))
      } catch {
        return undefined
      }
    },
    newestBlock,
    transfers: [],
  }
}
