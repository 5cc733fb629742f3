// The faults, in the order of a call: the upstream, the caller, the node, the payer, the seller's own process.
import { until } from '#test/until.ts'
import { cancelAuthorization, carryOutTogether, readX402 } from '../forgeries.ts'
import type { Headers } from '../payers.ts'
import type { Fault, Scene } from './scene.ts'
import type { Behaviour } from './upstream.ts'

const everyMs = 10
const broadcast = /^eth_sendRawTransaction/

const nothing = async ({ sign, repeat }: Scene) => await repeat(await sign())

const upstream = (behaviour: Behaviour) => async (scene: Scene) => {
  scene.upstream.behave(behaviour)
  await nothing(scene)
}

/** Presents a payment until the handler runs for it. */
async function run({ present, upstream }: Scene, payment: Headers) {
  for (;;) {
    const presented = present(payment)
    const isRunning = upstream.waiting(1).then(() => true)
    if (await Promise.race([isRunning, presented.then(() => false)])) return { presented }
  }
}

/** What happens while the handler runs. Then the caller repeats its payment. */
const meanwhile =
  (happens: (scene: Scene, payment: Headers) => Promise<unknown>) => async (scene: Scene) => {
    const { upstream, sign, seller, repeat } = scene
    const payment = await sign()
    upstream.behave('waits')
    const running = await run(scene, payment)
    await happens(scene, payment)
    upstream.release()
    await running.presented
    seller.node.up()
    await repeat(payment)
  }

/** The node fails from the presentation on. Then the caller repeats its payment. */
const node = (fails: (node: Scene['seller']['node']) => void) => async (scene: Scene) => {
  const { seller, sign, present, repeat } = scene
  const payment = await sign()
  fails(seller.node)
  await present(payment)
  seller.node.up()
  await repeat(payment)
}

/** SIGKILL when a point is reached. The caller repeats its payment to the next process. */
const killed =
  (prepare: (scene: Scene) => void, isReached: (scene: Scene) => Promise<boolean>) =>
  async (scene: Scene) => {
    const { seller, upstream, sign, presentInVain, repeat } = scene
    const payment = await sign()
    seller.node.seen.length = 0
    prepare(scene)
    const lost = presentInVain(payment)
    await until(() => isReached(scene), { everyMs })
    await seller.kill()
    await lost
    seller.node.up()
    upstream.release()
    await repeat(payment)
  }

const asked = (method: RegExp) => async (scene: Scene) =>
  scene.seller.node.seen.some((seen) => method.test(seen))

const atOnce =
  (requests: number) =>
  async ({ sign, repeat }: Scene) => {
    const payment = await sign()
    await Promise.all(Array.from({ length: requests }, () => repeat(payment)))
  }

export const withoutFault: Fault = { name: 'nothing fails', happens: nothing }

export const faults: readonly Fault[] = [
  { name: 'the upstream answers 500', happens: upstream('fails') },
  { name: 'the upstream breaks the connection', happens: upstream('breaks the connection') },
  { name: 'the upstream hangs past the deadline', happens: upstream('hangs') },
  { name: 'the upstream breaks off in its body', happens: upstream('breaks off') },
  { name: 'the upstream answers another shape', happens: upstream('answers another shape') },
  { name: 'the upstream answers a page with 200', happens: upstream('answers a page') },
  {
    name: 'the upstream answers when its caller has left',
    async happens({ upstream, sign, presentInVain, repeat }) {
      const payment = await sign()
      upstream.behave('waits')
      const leaving = new AbortController()
      const left = presentInVain(payment, leaving.signal)
      await upstream.waiting(1)
      leaving.abort()
      await left
      upstream.release()
      await repeat(payment)
    },
  },
  {
    name: 'the reply is lost, and the payment repeated',
    async happens({ sign, presentInVain, repeat }) {
      const payment = await sign()
      await presentInVain(payment)
      await repeat(payment)
    },
  },
  {
    name: 'the reply is lost, and a new payment has the same key',
    async happens({ sign, presentInVain, repeat }) {
      const key = { 'idempotency-key': crypto.randomUUID() }
      await presentInVain({ ...(await sign()), ...key })
      await repeat({ ...(await sign()), ...key })
    },
  },
  { name: 'two requests at once with one payment', happens: atOnce(2) },
  { name: 'ten requests at once with one payment', happens: atOnce(10) },
  {
    name: 'two different requests at once with one payment',
    async happens({ sign, repeat }) {
      const payment = await sign()
      await Promise.all([repeat(payment), repeat(payment, 'other')])
    },
  },
  {
    name: 'a used payment for another request',
    async happens({ sign, repeat }) {
      const payment = await sign()
      await repeat(payment)
      await repeat(payment, 'other')
    },
  },
  { name: 'the node is away at verification', happens: node((node) => node.down()) },
  { name: 'the node is away at settlement', happens: meanwhile(async (s) => s.seller.node.down()) },
  { name: 'the node loses the broadcast', happens: node((node) => node.dropRequest(broadcast)) },
  {
    name: 'the node loses the reply to the broadcast',
    happens: node((node) => node.dropReply(broadcast)),
  },
  {
    name: 'the node loses ten replies to the broadcast',
    happens: node((node) => node.dropReply(broadcast, 10)),
  },
  {
    name: 'the node has no receipts for a while',
    happens: node((node) => node.dropReply(/Receipt$/, 20)),
  },
  {
    name: 'the payer has moved its money meanwhile',
    happens: meanwhile(({ chains, payer }) => chains.x402.empty(payer.address)),
  },
  {
    name: 'the payer has cancelled its payment meanwhile',
    happens: meanwhile(({ chains, payer }, payment) => {
      const { nonce } = readX402(payment).payload.authorization
      return cancelAuthorization(chains, payer, nonce as `0x${string}`)
    }),
  },
  {
    name: 'another sender has carried the payment out meanwhile',
    happens: meanwhile(({ chains }, payment) => carryOutTogether(chains, [payment])),
  },
  {
    name: 'killed before the handler',
    happens: killed(({ seller }) => seller.node.swallow('eth_call', 10), asked(/^eth_call$/)),
  },
  {
    name: 'killed during the handler',
    happens: killed(
      ({ upstream }) => upstream.behave('waits'),
      async ({ upstream }) => upstream.runs > 0,
    ),
  },
  {
    name: 'killed after the handler, before settlement',
    happens: killed(({ seller }) => seller.node.swallow(broadcast, 10), asked(broadcast)),
  },
  {
    name: 'killed after settlement, before the reply',
    happens: killed(
      ({ seller }) => seller.node.withholdReply(broadcast, 10),
      async ({ received }) => (await received()) > 0,
    ),
  },
]
