// A gateway of `npm run bench day`, in a process of its own. The first one opens the accounts.
import { defineAction, defineJob, defineSession, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import type { SessionResource } from '#core/session.ts'
import { readPluggedConfig } from '#plugins/plugged-config.ts'
import { silentLog } from '#test/silent-log.ts'
import { createApp } from '../../src/app.ts'
import { actionCount, vendorCount } from './day-plan.ts'

const creditMicros = 1_000_000_000_000
const openedAtOnce = 50
const jobMs = 200

const input = z.strictObject({ text: z.string() })
const output = z.looseObject({ echo: z.string() })
const text = { summary: 'Answer a text.', input, output } as const
const sample = { text: 'hello' }

/** Five actions each, with prices from a tenth of a cent to half a cent. */
const vendors = Array.from({ length: vendorCount }, (_, vendor) =>
  defineProvider({
    id: `day_vendor_${vendor}`,
    title: `Vendor ${vendor} of the day`,
    upstream: { baseUrl: `${process.env.VENDORS_URL}/vendor-${vendor}`, timeoutMs: 5_000 },
    actions: Array.from({ length: actionCount / vendorCount }, (_, place) =>
      defineAction(`action_${place}`, {
        ...text,
        price: { cents: (place + 1) / 10 },
        example: { input: sample, cents: (place + 1) / 10 },
        run: ({ input, http }) => http.post('/answer', input),
      }),
    ),
  }),
)

const resource: SessionResource = {
  state: {},
  perSecond: { place: 1 },
  run: async () => ({ stdout: '', stderr: '', exitCode: 0, timedOut: false }),
  alive: async () => true,
  close: async () => {},
}
const own = defineProvider({
  id: 'day_own',
  title: 'Jobs and sessions of the day',
  actions: [
    defineJob('job', {
      ...text,
      price: { cents: 1 },
      example: { input: sample, cents: 1 },
      jobsAtOnceMax: 1_000,
      async run({ input, clock, signal }) {
        await clock.sleep(jobMs, signal)
        return { echo: input.text }
      },
    }),
    defineSession('session', {
      summary: 'Open a place.',
      input: z.strictObject({}),
      price: {
        perHourCents: { place: 36 },
        reserveCents: 1,
        atMostCents: 100,
        basis: '1¢ per 100 s',
      },
      sessionsAtOnceMax: { perAccount: 1_000, perMachine: 10_000 },
      example: { input: {}, cents: 1 },
      session: {
        reach: 'machine',
        policy: {},
        open: async () => resource,
        adopt: async () => resource,
        discard: async () => {},
      },
    }),
  ],
})

const { config, plugins } = await readPluggedConfig({
  ...process.env,
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '10000000',
  CALLS_IN_FLIGHT_MAX: '100000',
})
const app = await createApp({
  config,
  log: silentLog,
  plugins: [{ id: 'day', providers: [...vendors, own] }, ...plugins],
})
const [accounts = '0'] = process.argv.slice(2)
const keys = await openAccounts(Number(accounts))
process.send?.({ url: await app.listen(), keys })
process.on('message', () => void app.close().then(() => process.exit(0)))
process.on('disconnect', () => process.exit(0))

async function openAccounts(count: number): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const opening = Array.from({ length: Math.min(openedAtOnce, count - keys.length) }, openAccount)
    keys.push(...(await Promise.all(opening)))
  }
  return keys
}

async function openAccount(): Promise<string> {
  const { accountId } = await app.accounts.create()
  await app.ledger.credit(accountId, creditMicros, 'day')
  return (await app.keys.create({ accountId })).secret
}
