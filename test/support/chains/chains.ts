// Two real chains on loopback, funded: one for x402, one for MPP. Everything on them is play money.
import { toHex } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { findAnvil } from './anvil.ts'
import { type DollarChain, startDollarChain } from './dollar-chain.ts'
import type { LocalChain, Wallet } from './local-chain.ts'
import { startTempoChain } from './tempo-chain.ts'

/** The public mnemonic that every development node funds. */
const mnemonic = 'test test test test test test test test test test test junk'
const funds = 1_000_000_000n

export interface Wallets {
  readonly payer: Wallet
  readonly otherPayer: Wallet
  /** Has gas but no dollars. */
  readonly gas: Wallet
  readonly refund: Wallet
  /** Starts without any funds. */
  readonly payTo: Wallet
}

export interface Chains {
  readonly x402: DollarChain
  readonly mpp: LocalChain
  /** The same keys on both chains. Payers and the refund wallet hold 1000 dollars. */
  readonly wallets: Wallets
  /** A new wallet with this many base units on both chains, 1000 dollars by default. */
  createPayer(amount?: bigint): Promise<Wallet>
  stop(): Promise<void>
}

/** Whether this machine can run the chains. If not, tests that need them are skipped with the reason. */
export function chainsAvailable(): { readonly ok: boolean; readonly reason: string } {
  const found = findAnvil()
  return 'reason' in found ? { ok: false, reason: found.reason } : { ok: true, reason: '' }
}

export async function startChains(): Promise<Chains> {
  const issuer = developmentWallet(0)
  const wallets: Wallets = {
    payer: developmentWallet(1),
    otherPayer: developmentWallet(2),
    gas: developmentWallet(3),
    refund: developmentWallet(4),
    payTo: developmentWallet(5),
  }
  const started = await Promise.allSettled([startDollarChain(issuer), startTempoChain(issuer)])
  const stopAll = () =>
    Promise.all(started.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    await stopAll()
    throw failed.reason
  }
  const [x402, mpp] = started.map((one) => (one as PromiseFulfilledResult<LocalChain>).value) as [
    DollarChain,
    LocalChain,
  ]

  async function fund(address: Wallet['address'], amount: bigint): Promise<void> {
    await Promise.all([x402.mint(address, amount), mpp.mint(address, amount)])
  }
  for (const { address } of [wallets.payer, wallets.otherPayer, wallets.refund]) {
    await fund(address, funds)
  }
  return {
    x402,
    mpp,
    wallets,
    async createPayer(amount = funds) {
      const privateKey = generatePrivateKey()
      const wallet = { address: lowerCase(privateKeyToAccount(privateKey).address), privateKey }
      if (amount > 0n) await fund(wallet.address, amount)
      return wallet
    },
    async stop() {
      await stopAll()
    },
  }
}

function developmentWallet(addressIndex: number): Wallet {
  const account = mnemonicToAccount(mnemonic, { addressIndex })
  const privateKey = account.getHdKey().privateKey
  if (privateKey === null) throw new TypeError('A wallet of the mnemonic has no key.')
  return { address: lowerCase(account.address), privateKey: toHex(privateKey) }
}

const lowerCase = (address: string) => address.toLowerCase() as Wallet['address']
