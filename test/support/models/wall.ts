// Sixteen faults, each of a first model before a healthy second one. `pass`: the caller received its answer, or the
// true reason why no model could answer. `safe`: the caller was told that the answer broke off, and pays nothing.
import { describe, expect, test } from 'vitest'
import type { TestAccount } from '../harness.ts'
import { expectSettled, type LlmGateway, lastTransaction, shortTimeouts } from '../llm-gateway.ts'
import {
  type Behaviour,
  breaksAfter,
  cuts,
  late,
  refuses,
  resets,
  sentence,
  silence,
} from '../model-upstream.ts'
import type { UpstreamFormat } from './format.ts'
import { type SurfaceReply, surfaceCallers } from './surface-callers.ts'

/** The last model is healthy, and is given its time on a busy machine. */
export const wallTimeouts = {
  ...shortTimeouts,
  first_token_last_ms: 20_000,
  answer_last_ms: 20_000,
}
const text = sentence.join('')
const answers: Behaviour = (it) => it.answer()
/** Events after which each format has sent some words, but not all. */
const begun = 7

interface Fault {
  readonly name: string
  readonly primary: [Behaviour, ...Behaviour[]]
  readonly fallback?: Behaviour
  /** The model that finally answers, if any. */
  readonly by?: 'one' | 'two'
  readonly streamed?: 'safe'
  readonly refused?: string
}

/** Whether an answer whose last event is lost can be told from one that is cut. */
const endsBeforeLast: Readonly<Record<UpstreamFormat, boolean>> = {
  openai: true,
  anthropic: true,
  responses: false,
  gemini: false,
}

const faultsOf = (format: UpstreamFormat): Fault[] => [
  { name: '1: 429 with Retry-After', primary: [refuses(429, { 'retry-after': '1' }), answers] },
  { name: '2: 429 for ever', primary: [refuses(429)] },
  { name: '3: 500 once', primary: [refuses(500), answers] },
  { name: '4: 503 for ever', primary: [refuses(503)] },
  { name: '5: a reset before the headers', primary: [resets] },
  { name: '6: silence', primary: [silence] },
  { name: '7: a first token that comes too late', primary: [late(4_000)] },
  { name: '8: a cut in the middle', primary: [breaksAfter(begun, cuts)], streamed: 'safe' },
  { name: '9: a stall in the middle', primary: [breaksAfter(begun, silence)], streamed: 'safe' },
  {
    name: '10: a malformed answer',
    primary: [
      (it) => {
        if (!it.streams) return it.response.end('{"choices":[{"mess')
        it.openStream()
        const events = it.events()
        it.response.end(
          [...events.slice(0, begun), 'data: {"cho\n\n', ...events.slice(begun)].join(''),
        )
      },
    ],
    streamed: 'safe',
  },
  {
    name: '11: a lost last event',
    primary: [
      (it) => {
        if (!it.streams) return it.answer()
        it.openStream()
        it.response.end(it.events().slice(0, -1).join(''))
      },
    ],
    by: 'one',
    ...(endsBeforeLast[format] ? {} : { streamed: 'safe' as const }),
  },
  {
    name: '12: too much for its context',
    primary: [refuses(400, {}, { code: 'context_length_exceeded' })],
  },
  {
    name: '13: its content filter',
    primary: [refuses(400, {}, { code: 'content_filter' })],
    refused: 'content_policy_violation',
  },
  {
    name: '14: a cut, and a second model that does not continue the answer of the first',
    primary: [breaksAfter(begun, cuts)],
    fallback: (it) =>
      JSON.stringify(it.body).includes(sentence[0] ?? '') ? it.refuse(400) : it.answer(),
    streamed: 'safe',
  },
  { name: '16: the second model’s price', primary: [refuses(502)] },
]

interface Wall {
  readonly gateway: () => LlmGateway
  /** Each fault meets models that have not failed before. */
  readonly forget: (afterMs: number) => void
}

/** The format of the first model, and the tier whose models are `<..>/one` and `<..>/two`. */
export interface WalledTier {
  readonly format: UpstreamFormat
  readonly tier: string
  readonly one: string
  readonly two: string
}

export function describeWall(wall: Wall, tiers: readonly WalledTier[]) {
  const rows = Object.entries(surfaceCallers).flatMap(([surface, ask]) =>
    tiers.map((tier) => ({ name: `${surface} over ${tier.format}`, ask, tier })),
  )
  describe.each(rows)('$name', ({ ask, tier }) => {
    const askTier = (account: TestAccount, stream: boolean) =>
      ask(wall.gateway(), account, { model: tier.tier, stream })
    const faults = faultsOf(tier.format)

    test.each(faults)('a whole answer passes $name', async (fault) => {
      expect(await outcomeOf(wall, fault, tier, (account) => askTier(account, false))).toBe('pass')
    })
    test.each(faults)('a stream passes or says that it broke off, $name', async (fault) => {
      expect(await outcomeOf(wall, fault, tier, (account) => askTier(account, true))).toBe(
        fault.streamed ?? 'pass',
      )
    })
    test.each([false, true])(
      '15: a model that is down and comes back (stream: %s)',
      async (stream) => {
        await expectFlap(wall, tier, (account) => askTier(account, stream))
      },
    )
  })
}

type Ask = (account: TestAccount) => Promise<SurfaceReply>

async function outcomeOf(
  { gateway: shared, forget }: Wall,
  fault: Fault,
  { tier, one, two }: WalledTier,
  ask: Ask,
): Promise<string> {
  const gateway = shared()
  const account = await gateway.account(100)
  forget(60_000)
  gateway.upstream.behave('one', ...fault.primary)
  gateway.upstream.behave('two', fault.fallback ?? answers)
  const reply = await ask(account)
  if (reply.status !== 200) {
    await expectSettled(gateway, account, 0)
    return reply.code === fault.refused ? 'pass' : `status ${reply.status} ${reply.code}`
  }
  if (reply.failed) {
    await expectSettled(gateway, account, 0)
    return text.startsWith(reply.text) && !reply.done ? 'safe' : 'fail'
  }
  const asked = gateway.upstream.asked.length
  const by = fault.by ?? (reply.streams || asked > 1 ? 'two' : 'one')
  await expectSettled(gateway, account, 300)
  const last = await lastTransaction(account)
  const model = reply.headers.get('x-model')
  const attempts = Number(reply.headers.get('x-attempts'))
  expect(last.inference).toMatchObject({ requested: tier, model })
  expect(last.timeline.filter((step: { event: string }) => step.event === 'hop')).toHaveLength(
    attempts,
  )
  if (reply.text !== text) return 'partial'
  const asExpected = reply.streams
    ? model === (by === 'one' ? one : two) && attempts === (by === 'one' ? 1 : 2)
    : attempts === asked
  return asExpected && reply.done ? 'pass' : 'fail'
}

async function expectFlap({ gateway: shared, forget }: Wall, { one, two }: WalledTier, asks: Ask) {
  const gateway = shared()
  const account = await gateway.account(100)
  forget(60_000)
  gateway.upstream.behave('one', refuses(503))
  gateway.upstream.behave('two', answers)
  const ask = async () => {
    const reply = await asks(account)
    expect(reply.text).toBe(text)
    return [reply.headers.get('x-model'), reply.headers.get('x-attempts')]
  }
  for (let call = 0; call < 3; call += 1) expect(await ask()).toEqual([two, '2'])
  // Its failures are recorded, so calls no longer wait for it.
  expect(await ask()).toEqual([two, '1'])
  gateway.upstream.behave('one', answers)
  forget(5_000)
  expect(await ask()).toEqual([one, '1'])
  expect(await ask()).toEqual([one, '1'])
  await expectSettled(gateway, account, 6 * 300)
}
