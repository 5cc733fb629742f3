// Asks about wallets that are contracts, which judge their signatures themselves.
import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
} from 'viem'
import type { Hex } from './chain.ts'
import { readSimulation } from './refusal.ts'
import type { Rpc } from './rpc.ts'

export interface ContractWallets {
  /** Whether a contract is deployed at this address. */
  hasCode(address: Hex): Promise<boolean>
  /** Whether the contract at `from` accepts a signature (ERC-1271, ERC-6492, EIP-7702). */
  isValidSignature(from: Hex, digest: Hex, signature: Hex): Promise<boolean>
}

export function createContractWallets(rpc: Rpc): ContractWallets {
  return {
    async hasCode(address) {
      const code = await rpc.call('eth_getCode', [address, 'latest'])
      return code !== '0x'
    },
    async isValidSignature(from, digest, signature) {
      const data = encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        bytecode: erc6492SignatureValidatorByteCode,
        args: [from, digest, signature],
      })
      const [reply] = await rpc.ask([{ method: 'eth_call', params: [{ data }, 'latest'] }])
      const simulated = readSimulation(reply, 'eth_call')
      return 'result' in simulated && BigInt(simulated.result) === 1n
    },
  }
}
