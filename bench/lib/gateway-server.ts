// A server under measurement, in a process of its own: the framework alone with a constant answer, or the whole
// gateway.
import Fastify from 'fastify'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { silentLog } from '#test/silent-log.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'

const noop = defineProvider({
  id: 'bench',
  title: 'Nothing, paid',
  actions: [
    defineAction('noop', {
      summary: 'Do nothing.',
      input: z.strictObject({ text: z.string() }),
      output: z.looseObject({ echo: z.string() }),
      price: { cents: 0.01 },
      example: { input: { text: 'hello' }, cents: 0.01 },
      run: ({ input }) => ({ echo: input.text }),
    }),
    free('free', {}),
    free('open', { open: true }),
  ],
})

/** An action that does nothing, for nothing. */
function free(name: string, rest: { open?: true }) {
  return defineAction(name, {
    summary: 'Do nothing.',
    input: z.strictObject({ text: z.string() }),
    output: z.looseObject({ echo: z.string() }),
    price: 'free',
    example: { input: { text: 'hello' }, cents: 0 },
    ...rest,
    run: ({ input }) => ({ echo: input.text }),
  })
}

const [what = 'constant', accounts = '1'] = process.argv.slice(2)
process.send?.(what === 'constant' ? await startConstant() : await startGateway(Number(accounts)))
process.on('disconnect', () => process.exit(0))

async function startConstant() {
  const server = Fastify()
  server.all('/api/run/:service/:action', async () => ({
    ok: true,
    data: { echo: 'hello' },
    charged_cents: 1,
  }))
  return { url: await server.listen({ port: 0, host: '127.0.0.1' }), keys: [] }
}

async function startGateway(accountCount: number) {
  const app = await createApp({
    config: readConfig({
      ...process.env,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '10000000',
      CALLS_IN_FLIGHT_MAX: '100000',
      ADMIN_TOKEN: 'token-of-the-benchmark',
    }),
    log: silentLog,
    plugins: [{ id: 'bench', providers: [noop] }],
  })
  const keys = []
  const limitedKeys = []
  const accountIds = []
  for (let index = 0; index < accountCount; index += 1) {
    const { accountId } = await app.accounts.create()
    await app.ledger.credit(accountId, 1e12, 'benchmark')
    const { key, secret } = await app.keys.create({ accountId })
    keys.push(secret)
    const limits = { dayMicrosMax: 1e11, monthMicrosMax: 1e11 }
    limitedKeys.push((await app.keys.create({ accountId }, limits)).secret)
    accountIds.push({ accountId, keyId: key.id })
  }
  return { url: await app.listen(), keys, limitedKeys, accountIds }
}
