// Pays a call over MPP, without an account. Start `npm run chain`, then the gateway and this program with the variables
// that it prints: `npx node examples/pay-mpp.ts https://example.com`.
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/chains'

const {
  MPPX_PRIVATE_KEY: privateKey,
  MPPX_RPC_URL: rpcUrl,
  TOLLWAY_URL: gateway = 'http://127.0.0.1:4020',
} = process.env
if (!privateKey) throw new Error('Set MPPX_PRIVATE_KEY to the key of the wallet that pays.')
const [url = 'https://example.com'] = process.argv.slice(2)

const { fetch: pay } = Mppx.create({
  polyfill: false,
  methods: [
    tempo({
      account: privateKeyToAccount(privateKey as `0x${string}`),
      getClient: () => createClient({ chain: tempoChain, transport: http(rpcUrl) }),
    }),
  ],
})

const response = await pay(`${gateway}/api/run/tollway/onescrape`, {
  method: 'POST',
  // A client that lost the answer repeats the request with this key, and gets the answer without paying again.
  headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify({ urls: [url] }),
})
console.log(response.status, await response.json())

const receipt = response.headers.get('payment-receipt')
if (receipt !== null) console.log('Paid in', Receipt.deserialize(receipt).reference)
