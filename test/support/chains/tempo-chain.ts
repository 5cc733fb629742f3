// The MPP chain: a Tempo node with USDC.e at its real address, and the liquidity that lets fees be paid in it.
import { gunzipSync } from 'node:zlib'
import { createClient, http, publicActions, stringToHex } from 'viem'
import { tempo } from 'viem/chains'
import { Account, Addresses, tempoActions } from 'viem/tempo'
import { startNode } from './anvil.ts'
import { type LocalChain, mining, openChain, type Wallet } from './local-chain.ts'

const usdcE = '0x20c000000000000000000000b9537d11c60e8b50'
const chainId = 4217
/** The node's estimates are too low for the first write of a token. */
const gas = 3_000_000n
const liquidity = 10n ** 12n

// Earlier hardforks drop a second expiring-nonce transaction or refuse the clients' calls.
const flags = ['--network', 'tempo', '--hardfork', 'T3', '--chain-id', String(chainId), ...mining]

interface State {
  readonly accounts: Record<string, { storage: Record<string, string> }>
}

export async function startTempoChain(issuer: Wallet): Promise<LocalChain> {
  const node = await startNode(flags)
  const client = createClient({
    account: Account.fromSecp256k1(issuer.privateKey),
    chain: { ...tempo, feeToken: Addresses.pathUsd },
    transport: http(node.rpcUrl),
    pollingInterval: 25,
  })
    .extend(publicActions)
    .extend(tempoActions())
  const { token } = await client.token.createSync({
    name: 'Bridged USDC (Stargate)',
    symbol: 'USDC.e',
    currency: 'USD',
    quoteToken: Addresses.pathUsd,
    admin: issuer.address,
    salt: stringToHex('local', { size: 32 }),
    gas,
  })
  // The factory chooses the address of its token, so the token is moved to the address that clients expect.
  const dump: string = await node.rpc('anvil_dumpState')
  const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as State
  const slots = Object.entries(state.accounts[token.toLowerCase()]?.storage ?? {})
  await node.rpc('anvil_setCode', [usdcE, '0xef'])
  await Promise.all(
    slots.map(([slot, value]) =>
      node.rpc('anvil_setStorageAt', [
        usdcE,
        `0x${slot.slice(2).padStart(64, '0')}`,
        `0x${value.slice(2).padStart(64, '0')}`,
      ]),
    ),
  )
  await client.token.grantRolesSync({ token: usdcE, to: issuer.address, roles: ['issuer'], gas })
  let minting: Promise<unknown> = Promise.resolve()
  const chain: LocalChain = {
    ...openChain(node, chainId, usdcE),
    // One after the other, because two at once would be signed with the same nonce.
    mint(to, amount) {
      const minted = minting.then(async () => {
        const { receipt } = await client.token.mintSync({ token: usdcE, to, amount, gas })
        if (receipt.status !== 'success') throw new Error('The mint was reverted.')
      })
      minting = minted.catch(() => {})
      return minted
    },
  }
  await client.amm.mintSync({
    userTokenAddress: usdcE,
    validatorTokenAddress: Addresses.pathUsd,
    validatorTokenAmount: liquidity,
    to: issuer.address,
    gas,
  })
  return chain
}
