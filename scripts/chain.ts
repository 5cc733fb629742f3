// `npm run chain` starts two local chains with play money and prints the settings of a gateway that is paid on them.
import { randomBytes } from 'node:crypto'
import { findAnvil } from '#test/chains/anvil.ts'
import { installOracles } from './install-oracles.ts'

if ('reason' in findAnvil() && !installOracles('`npm run chain`')) process.exit(1)
const found = findAnvil()
if ('reason' in found) {
  console.error(found.reason)
  process.exit(1)
}
// Its libraries take seconds to load, and what is missing is said before.
const { startChains } = await import('#test/chains/chains.ts')
const chains = await startChains()
const { x402, mpp, wallets } = chains
// Prices that are known only after the call are paid by the scheme upto.
await x402.plantPermits()

const settings = {
  X402_NETWORK: `eip155:${x402.chainId}`,
  X402_RPC_URL: x402.rpcUrl,
  X402_ASSET: x402.asset,
  X402_ASSET_NAME: 'USDC',
  X402_ASSET_VERSION: '2',
  X402_PAY_TO: wallets.payTo.address,
  X402_GAS_KEY: wallets.gas.privateKey,
  X402_REFUND_KEY: wallets.refund.privateKey,
  MPP_SECRET_KEY: randomBytes(32).toString('hex'),
  MPP_CHAIN_ID: mpp.chainId,
  MPP_RPC_URL: mpp.rpcUrl,
  MPP_CURRENCY: mpp.asset,
  MPP_RECIPIENT: wallets.payTo.address,
  MPP_REFUND_KEY: wallets.refund.privateKey,
}
const lines = Object.entries(settings).map(([name, value]) => `export ${name}=${value}`)

console.log(`Two local chains are running. The keys below are known to everybody: never put real money on them.

1. In the terminal of the gateway, then start it with \`npm start\`:

${lines.join('\n')}

2. In the terminal of the payer, whose wallet ${wallets.payer.address} holds 1000 play dollars on each chain:

export MPPX_PRIVATE_KEY=${wallets.payer.privateKey}
export MPPX_RPC_URL=${mpp.rpcUrl}

3. Pay a call, here with the MPP command line (x402 clients sign with the same key, for chain ${x402.chainId}):

npx mppx http://127.0.0.1:4020/api/run/tollway/onescrape -J '{"urls":["http://127.0.0.1:4020/docs/use"]}'

Ctrl-C ends both chains, and nothing of them is kept.`)

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  await chains.stop()
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
