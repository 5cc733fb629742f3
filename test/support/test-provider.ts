// A provider without an upstream that tests control, with one action for each form of price, failure and duration.
import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import { createGate } from './gate.ts'
import { echoed, jobs, type Script } from './gateways/test-jobs.ts'

export interface TestProvider {
  readonly definition: Provider
  /** The inputs of `run`, in order. */
  readonly asked: unknown[]
  /** Lets all current and later calls of `test/slow` end. */
  release(): void
  /** Resolves when this many calls of `test/slow` wait. */
  waiting(calls: number): Promise<void>
  /** Forgets what was asked. Calls that wait end, and later ones wait again. */
  reset(): void
}

const text = z.strictObject({ text: z.string().default('hello') })
const base = { summary: 'Answer what was sent.', input: text, output: echoed } as const
const relayed = {
  summary: 'Answer what another action answers.',
  input: z.strictObject({ to: z.string(), body: z.looseObject({}).default({}) }),
  output: z.looseObject({ data: z.unknown() }),
  price: { cents: 5 },
  example: { input: { to: 'test/echo' }, cents: 5 },
} as const

export function createTestProvider(): TestProvider {
  const asked: unknown[] = []
  const gate = createGate()
  let resets = 0
  const script: Script = {
    asked,
    echo(input) {
      asked.push(input)
      return { echo: input.text }
    },
    wait: gate.wait,
    resets: () => resets,
  }
  const actions = [
    ...answers(script),
    ...waits(script),
    ...failures(script),
    ...prices(script),
    ...orders(script),
    ...jobs(script),
    ...relays(),
    ...handles(script),
  ]
  return {
    definition: defineProvider({ id: 'test', title: 'Provider of the tests', actions }),
    asked,
    release: gate.open,
    waiting: gate.waiting,
    reset() {
      asked.length = 0
      resets += 1
      gate.renew()
    },
  }
}

/** Actions that answer at once and differ in how the runner treats the answer. */
const answers = ({ echo }: Script) => [
  defineAction('echo', {
    ...base,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    run: ({ input }) => echo(input),
  }),
  defineAction('free', {
    ...base,
    price: 'free',
    example: { input: {}, cents: 0 },
    run: ({ input }) => echo(input),
  }),
  defineAction('document', {
    ...base,
    input: z.strictObject({ document: z.string().max(900_000) }),
    price: { cents: 2 },
    example: { input: { document: 'hello' }, cents: 2 },
    run: ({ input }) => echo({ text: input.document }),
  }),
  defineAction('cached', {
    ...base,
    cacheSeconds: 60,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    run: ({ input }) => echo(input),
  }),
  defineAction('retiring', {
    ...base,
    retiring: { sunset: '2027-06-30', successor: 'test/echo' },
    price: { cents: 1 },
    example: { input: {}, cents: 1 },
    run: ({ input }) => echo(input),
  }),
]

/** Actions that end when the test releases them, at their deadline, or never. */
const waits = ({ asked, echo, wait }: Script) => [
  defineAction('slow', {
    ...base,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    async run({ input }) {
      await wait()
      return echo(input)
    },
  }),
  defineAction('slow-fails', {
    ...base,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    async run() {
      await wait()
      throw fail('all_blocked')
    },
  }),
  defineAction('hangs', {
    ...base,
    timeoutMs: 50,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    run: () => new Promise(() => {}),
  }),
  defineAction('sleeps', {
    ...base,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    async run({ input, clock, signal }) {
      await clock.sleep(60_000, signal).catch((reason) => {
        asked.push('woken')
        throw reason
      })
      return echo(input)
    },
  }),
]

/** Actions that fail. */
const failures = ({ asked }: Script) => [
  defineAction('fails', {
    ...base,
    input: z.strictObject({
      code: z.enum([
        'upstream_error',
        'all_blocked',
        'rate_limited',
        'upstream_busy',
        'bad_request',
        'content_policy_violation',
        'crash',
      ]),
    }),
    price: { cents: 2 },
    example: { input: { code: 'crash' }, cents: 2 },
    run({ input }) {
      asked.push(input)
      if (input.code === 'crash') throw new Error('the secret cause sk_live_12345')
      throw fail(input.code, { retryAfterSeconds: input.code === 'rate_limited' ? 7 : undefined })
    },
  }),
  defineAction('nonsense', {
    ...base,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    run: () => ({ echo: 42 }),
  }),
]

/** One action for each form of price. */
const prices = ({ asked, wait }: Script) => [
  defineAction('rows', {
    summary: 'Deliver rows, fewer than asked for.',
    input: z.strictObject({ rows: z.int().min(1).max(100), delivered: z.int().min(0) }),
    output: z.looseObject({ rows: z.array(z.int()) }),
    price: {
      cents: 0.5,
      per: (input) => input.rows,
      unit: 'row',
      atMost: 100,
      used: (output) => output.rows.length,
    },
    example: { input: { rows: 10, delivered: 10 }, cents: 5 },
    run: ({ input }) => ({ rows: Array.from({ length: input.delivered }, (_, row) => row) }),
  }),
  defineAction('miss', {
    summary: 'Find something, or not.',
    input: z.strictObject({ found: z.boolean() }),
    output: z.looseObject({ found: z.boolean() }),
    price: { cents: 10, used: (output) => (output.found ? 1 : 0) },
    example: { input: { found: true }, cents: 10 },
    run: ({ input }) => ({ found: input.found }),
  }),
  defineAction('capped', {
    summary: 'Cost what it costs, below a cap.',
    input: z.strictObject({ costs: z.number(), waits: z.literal(true).optional() }),
    output: z.looseObject({ cost: z.number() }),
    price: { upToCents: 25, settle: ({ output }) => output.cost },
    example: { input: { costs: 3 }, cents: 25 },
    costUsd: (output) => output.cost / 100,
    run: ({ input }) => Promise.resolve(input.waits && wait()).then(() => ({ cost: input.costs })),
  }),
  defineAction('purchase', {
    summary: 'Buy at a price that varies.',
    input: z.strictObject({ costs: z.number() }),
    output: z.looseObject({ cost: z.number() }),
    price: {
      upToCents: 'maxCost',
      fromCents: 0,
      atMostCents: 1_000,
      basis: 'what the seller asks',
      settle: ({ output }) => output.cost,
    },
    example: { input: { costs: 3 }, cents: 25 },
    run({ input }) {
      asked.push(input)
      return { cost: input.costs }
    },
  }),
]

/** Actions that order from a seller. */
const orders = ({ asked }: Script) => [
  defineAction('buy', {
    summary: 'Order something from a seller who answers in every way that sellers do.',
    input: z.strictObject({
      seller: z.enum(['takes', 'refuses', 'breaks off', 'mumbles', 'hangs']),
      orders: z.int().min(1).max(2).default(1),
    }),
    output: z.looseObject({ order_id: z.string(), cost: z.number() }),
    timeoutMs: 500,
    price: {
      upToCents: 'maxCost',
      fromCents: 0,
      atMostCents: 1_000,
      basis: 'what the seller asks',
      settle: ({ output }) => output.cost,
    },
    example: { input: { seller: 'takes' }, cents: 0 },
    async run({ input, purchase }) {
      const order = () =>
        purchase(async (reference) => {
          asked.push(reference)
          if (input.seller === 'refuses') throw fail('bad_request')
          if (input.seller === 'breaks off') throw fail('upstream_error')
          if (input.seller === 'hangs') await new Promise(() => {})
          return input.seller === 'mumbles' ? {} : { order_id: 'order-1', cost: 7 }
        })
      for (let more = input.orders - 1; more > 0; more -= 1) await order()
      return order()
    },
  }),
]

/** Actions that run other actions. */
const relays = () => [
  defineAction('relay', {
    ...relayed,
    run: async ({ input, call, available }) => ({
      available: available(input.to),
      data: await call(input.to, input.body),
    }),
  }),
  defineAction('brief-relay', {
    ...relayed,
    timeoutMs: 50,
    run: async ({ input, call }) => ({ data: await call(input.to, input.body) }),
  }),
  defineAction('tolerant-relay', {
    ...relayed,
    run: async ({ input, call, available }) => ({
      available: available(input.to),
      data: await call(input.to, input.body).catch(({ code }) => ({ failed: code })),
    }),
  }),
]

const isKept = z.literal(true).optional()

/** Actions that issue ids and accept them. */
const handles = ({ asked }: Script) => [
  defineAction('launch', {
    summary: 'Start some work under an id of the vendor’s.',
    input: z.strictObject({ id: z.string(), fails: z.boolean().default(false), isKept }),
    output: z.looseObject({ id: z.string() }),
    price: { cents: 10 },
    example: { input: { id: 'work-1' }, cents: 10 },
    issues: ({ id }, { isKept }) => ({ kind: 'work', id, ...(isKept && { isKept }) }),
    run({ input }) {
      asked.push(input)
      if (input.fails) throw fail('upstream_error')
      return { id: input.id }
    },
  }),
  defineAction('poll', {
    summary: 'Ask how far some work is.',
    input: z.strictObject({ id: z.string() }),
    output: z.looseObject({ id: z.string(), status: z.string() }),
    price: { cents: 1 },
    example: { input: { id: 'work-1' }, cents: 1 },
    owned: ({ id }) => ({ kind: 'work', id }),
    run({ input }) {
      asked.push(input)
      return { id: input.id, status: 'completed' }
    },
  }),
  defineAction('discard', {
    summary: 'Remove the result of some work.',
    input: z.strictObject({ id: z.string() }),
    output: z.looseObject({}),
    ...({ price: 'free', ends: true } as const),
    example: { input: { id: 'work-1' }, cents: 0 },
    owned: ({ id }) => ({ kind: 'work', id }),
    run: () => ({}),
  }),
  defineAction('list', {
    summary: 'List one’s own work.',
    input: z.strictObject({}),
    output: z.looseObject({ ids: z.array(z.string()) }),
    price: { cents: 1 },
    example: { input: {}, cents: 1 },
    run: async ({ issued }) => ({ ids: await issued('work') }),
  }),
]
