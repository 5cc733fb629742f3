// Permits of Permit2 by which an x402 payer lets the gas wallet take at most an amount. Only the gas wallet that the
// permit names can carry one out, once, for any amount up to the permitted one; its payer can cancel it.
import { encodeFunctionData, parseAbi } from 'viem'
import { type Hex, lowerCase, type SimulationResult } from './chain.ts'
import { readSimulation } from './refusal.ts'
import type { Rpc } from './rpc.ts'

/** The same address on every chain. Source: Uniswap, Permit2. */
export const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
/** The same address on every chain. Source: x402, scheme upto on EVM. */
export const uptoProxy = '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002'

export interface Permit {
  readonly from: Hex
  readonly token: Hex
  /** The most that it allows. */
  readonly amount: bigint
  readonly nonce: bigint
  /** Whole seconds; valid until then. */
  readonly deadline: bigint
  readonly to: Hex
  /** The wallet that may carry it out. */
  readonly facilitator: Hex
  readonly validAfter: bigint
}

export interface SignedPermit {
  readonly permit: Permit
  readonly signature: Hex
}

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

/** The call that takes this amount by a permit. */
export const encodePermitSettlement = ({ permit, signature }: SignedPermit, amount: bigint): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'settle',
    args: [
      {
        permitted: { token: permit.token, amount: permit.amount },
        nonce: permit.nonce,
        deadline: permit.deadline,
      },
      amount,
      permit.from,
      { to: permit.to, facilitator: permit.facilitator, validAfter: permit.validAfter },
      signature,
    ],
  })

export interface Permits {
  /** Whether the chain has the contracts that carry permits out. */
  hasPermits(): Promise<boolean>
  /** Whether this amount could be taken now. */
  simulatePermit(signed: SignedPermit, amount: bigint): Promise<SimulationResult>
  /** What the owner lets Permit2 take of the token. */
  permitAllowance(owner: Hex): Promise<bigint>
  /** True when the permit is used or cancelled. */
  isPermitUsed(
    permit: Pick<Permit, 'from' | 'nonce'>,
    options?: { atBlock?: bigint },
  ): Promise<boolean>
}

const noncesPerWordBits = 8n
const lowBits = (1n << noncesPerWordBits) - 1n

export function createPermits({
  rpc,
  asset,
  gasAddress,
}: {
  readonly rpc: Rpc
  readonly asset: Hex
  readonly gasAddress: Hex | undefined
}): Permits {
  const hasCode = async (address: Hex) =>
    (await rpc.call('eth_getCode', [address, 'latest'])) !== '0x'
  return {
    hasPermits: async () => (await hasCode(permit2)) && (await hasCode(uptoProxy)),
    async simulatePermit(signed, amount) {
      const call = { from: gasAddress, to: uptoProxy, data: encodePermitSettlement(signed, amount) }
      const [reply] = await rpc.ask([{ method: 'eth_call', params: [call, 'latest'] }])
      const simulated = readSimulation(reply, 'eth_call')
      return 'reason' in simulated ? { ok: false, reason: simulated.reason } : { ok: true }
    },
    async permitAllowance(owner) {
      const data = encodeFunctionData({ abi, functionName: 'allowance', args: [owner, permit2] })
      return BigInt(await rpc.call('eth_call', [{ to: asset, data }, 'latest']))
    },
    async isPermitUsed({ from, nonce }, { atBlock } = {}) {
      const args = [lowerCase(from), nonce >> noncesPerWordBits] as const
      const data = encodeFunctionData({ abi, functionName: 'nonceBitmap', args })
      const word = await rpc.call('eth_call', [
        { to: permit2, data },
        atBlock === undefined ? 'latest' : `0x${atBlock.toString(16)}`,
      ])
      return ((BigInt(word) >> (nonce & lowBits)) & 1n) === 1n
    },
  }
}
