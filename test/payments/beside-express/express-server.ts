// The other side: Express with the protocol's own middleware and facilitator, in a process of its own. It sells what
// the upstream answers, or without an upstream what it was sent.
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { express, paymentMiddleware, x402ResourceServer } from '#oracles/x402-express.ts'
import { portOf } from '#platform/http/port.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import { createStockFacilitator } from '#test/chains/stock-facilitator.ts'
import { askUpstream } from './handler.ts'

/** What it is told in the environment. */
interface Settings {
  readonly RPC_URL: string
  readonly CHAIN_ID: string
  readonly ASSET: string
  readonly PAY_TO: string
  readonly GAS_KEY: Wallet['privateKey']
  readonly AMOUNT: string
  readonly UPSTREAM_URL?: string
}

const settings = process.env as unknown as Settings
const chainId = Number(settings.CHAIN_ID)
const network = `eip155:${chainId}` as const
const facilitator = createStockFacilitator(
  { rpcUrl: settings.RPC_URL, chainId },
  { privateKey: settings.GAS_KEY },
)

/** Work goes on after its caller has left. */
let underway = 0
async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
  underway += 1
  try {
    return await work()
  } finally {
    // What follows in the same turn is still the same work.
    setImmediate(() => {
      underway -= 1
    })
  }
}

const server = new x402ResourceServer({
  verify: (...payment) => counted(() => facilitator.verify(...payment)),
  settle: (...payment) => counted(() => facilitator.settle(...payment)),
  getSupported: async () => facilitator.getSupported() as never,
}).register(network, new ExactEvmScheme())

const price = {
  asset: settings.ASSET,
  amount: settings.AMOUNT,
  extra: { name: 'USDC', version: '2' },
}
const accepts = { scheme: 'exact', network, payTo: settings.PAY_TO, price, maxTimeoutSeconds: 90 }

const app = express()
app.get('/underway', (_, response) => void response.json(underway))
app.use(express.json())
app.use(paymentMiddleware({ 'POST /answer': { accepts } }, server))
app.post('/answer', async (request, response) => {
  const { text = 'hello' } = request.body ?? {}
  response.json(
    settings.UPSTREAM_URL === undefined ? { echo: text } : await counted(() => askUpstream(text)),
  )
})
process.on('disconnect', () => process.exit(0))
const listening = app.listen(0, '127.0.0.1', () => {
  const port = portOf(listening)
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
