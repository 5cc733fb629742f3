// Measures how many x402 payments one core can check up to their signer, beside viem.
import { randomBytes } from 'node:crypto'
import { recoverTypedDataAddress, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '#money/chains/chain.ts'
import { authorizationTypes } from '#money/chains/dollar.ts'
import {
  authorizationDigest,
  readKeySignature,
  recoverAddress,
  recoverInScript,
} from '#money/rails/x402/signature.ts'

const paymentCount = 50
const roundMs = 1_000
const rounds = 3

const domain = {
  name: 'USDC',
  version: '2',
  chainId: 84532,
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e' as Hex,
}
const typed = {
  domain: { ...domain, verifyingContract: domain.asset },
  types: authorizationTypes,
  primaryType: 'TransferWithAuthorization',
} as const

const payments = await Promise.all(
  Array.from({ length: paymentCount }, async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const message = {
      from: account.address.toLowerCase() as Hex,
      to: domain.asset,
      value: 20_000n,
      validAfter: 0n,
      validBefore: 1_800_000_000n,
      nonce: toHex(randomBytes(32)),
    }
    return { message, signature: await account.signTypedData({ ...typed, message }) }
  }),
)
type Payment = (typeof payments)[number]

function byHand(payment: Payment, recover?: typeof recoverInScript): string | undefined {
  const signature = readKeySignature(payment.signature)
  if (signature === undefined) return undefined
  return recoverAddress(signature, authorizationDigest(domain, payment.message), recover)
}

const contenders: Record<string, (payment: Payment) => string | undefined | Promise<string>> = {
  'viem recoverTypedDataAddress': ({ message, signature }) =>
    recoverTypedDataAddress({ ...typed, message, signature }),
  'by hand, curve in JavaScript': (payment) => byHand(payment, recoverInScript),
  'by hand, native curve': (payment) => byHand(payment),
}

/** Checks per second of this process's own CPU, so that a busy machine disturbs less. */
async function measure(check: (payment: Payment) => unknown): Promise<number> {
  const startedAt = process.cpuUsage()
  const until = performance.now() + roundMs
  let checks = 0
  while (performance.now() < until) {
    for (const payment of payments) {
      const signer = await check(payment)
      if (String(signer).toLowerCase() !== payment.message.from) throw new Error('a wrong signer')
      checks += 1
    }
  }
  const { user, system } = process.cpuUsage(startedAt)
  return (checks * 1_000_000) / (user + system)
}

const best = new Map<string, number>()
for (let round = 0; round < rounds; round += 1) {
  for (const [name, check] of Object.entries(contenders)) {
    best.set(name, Math.max(best.get(name) ?? 0, await measure(check)))
  }
}
const baseline = best.values().next().value ?? 1
console.log('| | checks per CPU second | ratio |\n|---|---|---|')
for (const [name, rate] of best) {
  console.log(`| ${name} | ${Math.round(rate)} | ${(rate / baseline).toFixed(1)} |`)
}
