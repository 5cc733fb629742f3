// Pays a call over x402, without an account. Start `npm run chain`, then the gateway and this program with the
// variables that it prints: `npx node examples/pay-x402.ts https://example.com`.
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const { MPPX_PRIVATE_KEY: privateKey, TOLLWAY_URL: gateway = 'http://127.0.0.1:4020' } = process.env
if (!privateKey) throw new Error('Set MPPX_PRIVATE_KEY to the key of the wallet that pays.')
const [url = 'https://example.com'] = process.argv.slice(2)

const wallet = privateKeyToAccount(privateKey as `0x${string}`)
const pay = wrapFetchWithPayment(
  fetch,
  new x402Client().register('eip155:*', new ExactEvmScheme(wallet)),
)

const response = await pay(`${gateway}/api/run/tollway/onescrape`, {
  method: 'POST',
  // A client that lost the answer repeats the request with this key, and gets the answer without paying again.
  headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify({ urls: [url] }),
})
console.log(response.status, await response.json())

const receipt = response.headers.get('payment-response')
if (receipt !== null) console.log('Paid in', decodePaymentResponseHeader(receipt).transaction)
