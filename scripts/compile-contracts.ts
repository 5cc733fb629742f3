// `npm run compile-contracts` compiles the contracts of the local x402 chain to the committed bytecode.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { solc } from '#oracles/solc.ts'

const folder = path.join(import.meta.dirname, '../test/support/chains')
const source = 'tokens.sol'

interface Compiled {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

const input = {
  language: 'Solidity',
  sources: { [source]: { content: await readFile(path.join(folder, source), 'utf8') } },
  settings: {
    optimizer: { enabled: true, runs: 200 },
    viaIR: true,
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    evmVersion: 'paris',
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  },
}
const compiled = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
const problems = (compiled.errors ?? []).filter(({ severity }) => severity === 'error')
if (problems.length > 0) {
  console.error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))
  process.exit(1)
}
const contracts = Object.entries(compiled.contracts[source] ?? {})
  .filter(([, { evm }]) => evm.deployedBytecode.object !== '')
  .map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`] as const)
await writeFile(
  path.join(folder, 'contracts.json'),
  `${JSON.stringify(Object.fromEntries(contracts), undefined, 2)}\n`,
)
console.log(`contracts.json holds ${contracts.map(([name]) => name).join(' and ')}.`)
