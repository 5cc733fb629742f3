// A gateway with the models of the stub upstream for sale.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import type { AtEnd } from './database.ts'
import { type Gateway, type GatewayOptions, startGateway, type TestAccount } from './harness.ts'
import { type Json, type ModelUpstream, startModelUpstream } from './model-upstream.ts'

export interface LlmGateway extends Gateway {
  readonly upstream: ModelUpstream
  readonly configPath: string
}

/** Dollars per million tokens: 100 of prompt and 50 of completion cost 300 micro-dollars. */
export const labPrice = { prompt: 1, completion: 4 }

/**
 * For upstreams that fall silent: tests wait no longer than this. Others have the product's own limits, which a busy
 * machine does not reach.
 */
export const shortTimeouts = {
  first_token_ms: 1_500,
  first_token_last_ms: 1_500,
  idle_ms: 1_500,
  answer_ms: 1_500,
  answer_last_ms: 1_500,
  usage_ms: 500,
}

const labModels = [
  'lab/one',
  'lab/two',
  'lab/three',
  ...['claude', 'answers', 'gemini'].flatMap((name) => [`${name}/one`, `${name}/two`]),
]

export function llmConfig(url: string, more: Json = {}): Json {
  const upstream = (wire: string, path: string, serves: string) => ({
    wire,
    base_url: `${url}/${path}`,
    api_key: 'LAB_API_KEY',
    serves: [`${serves}/*`],
  })
  return {
    upstreams: {
      lab: upstream('openai', 'openai/v1', 'lab'),
      claude: upstream('anthropic', 'anthropic', 'claude'),
      answers: upstream('responses', 'responses/v1', 'answers'),
      gemini: upstream('gemini', 'gemini/v1beta', 'gemini'),
    },
    tiers: {
      cheap: ['lab/one', 'lab/two'],
      mid: ['lab/one', 'claude/two'],
      best: ['claude/one', 'lab/two'],
    },
    prices: Object.fromEntries(labModels.map((slug) => [slug, labPrice])),
    ...more,
  }
}

/** `config` replaces settings of `llmConfig`. A function makes them from the address of the upstream. */
export async function startLlmGateway(
  {
    config,
    ...options
  }: GatewayOptions & { readonly config?: Json | ((upstreamUrl: string) => Json) } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<LlmGateway> {
  const upstream = await startModelUpstream(atEnd)
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-llm-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const configPath = path.join(folder, 'llm.json')
  const own = typeof config === 'function' ? config(upstream.url) : config
  await writeFile(configPath, JSON.stringify(llmConfig(upstream.url, own)))
  const gateway = await startGateway(
    {
      ...options,
      env: { LLM_CONFIG: configPath, LAB_API_KEY: 'upstream-key', ...options.env },
    },
    atEnd,
  )
  return Object.assign(gateway, { upstream, configPath })
}

export function shareLlmGateway(
  options: Parameters<typeof startLlmGateway>[0] = {},
): () => LlmGateway {
  let gateway: LlmGateway | undefined
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    gateway = await startLlmGateway(options, (work) => endings.unshift(work))
  })
  beforeEach(() => {
    gateway?.upstream.reset()
    gateway?.provider.reset()
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway exists only while a test runs.')
    return gateway
  }
}

export const hello = [{ role: 'user', content: 'Hello' }]

export interface ChatResult {
  readonly status: number
  readonly headers: Headers
  /** The body of an answer that is not streamed, or of an error. */
  readonly body: Json
  readonly text: string
  /** The events of a stream, parsed, without [DONE]. */
  readonly events: Json[]
  readonly done: boolean
}

export async function chat(
  { url }: Gateway,
  account: TestAccount,
  body: Json,
  options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<ChatResult> {
  const reply = await fetch(`${url}/api/llm/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      ...options.headers,
    },
    body: JSON.stringify({ messages: hello, ...body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  const text = await reply.text()
  const data = text.split('\n\n').filter((event) => event.startsWith('data: '))
  const events = data.map((event) => event.slice(6)).filter((event) => event !== '[DONE]')
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: isStream ? undefined : JSON.parse(text),
    events: isStream ? events.map((event) => JSON.parse(event)) : [],
    done: data.at(-1) === 'data: [DONE]',
  }
}

export const textOf = ({ body, events }: ChatResult): string =>
  body?.choices?.[0].message.content ??
  events.map((event) => event.choices?.[0]?.delta?.content ?? '').join('')

/** The last transaction of an account, with its timeline. */
export async function lastTransaction(account: TestAccount): Promise<Json> {
  const { body } = await account.get('/api/v1/transactions?limit=1')
  const [last] = body.transactions
  return last === undefined
    ? undefined
    : (await account.get(`/api/v1/transactions/${last.transaction_id}`)).body
}

/** Expects that nothing is held or running, the account has paid this much, and the books balance. */
export async function expectSettled(gateway: LlmGateway, account: TestAccount, paidMicros: number) {
  await expect
    .poll(async () => {
      const [row] = await gateway.database.query(
        `select b.held, b.in_flight, (select coalesce(sum(charged), 0)::bigint from call where account_id = b.account_id) as paid,
             (select coalesce(sum(held), 0)::bigint from inference_day where account_id = b.account_id) as day_held,
             (select coalesce(sum(spent), 0)::bigint from inference_day where account_id = b.account_id) as day_spent
           from balance b where account_id = $1`,
        [account.id],
      )
      return row
    })
    .toEqual({ held: 0, in_flight: 0, paid: paidMicros, day_held: 0, day_spent: paidMicros })
  expect(gateway.upstream.problems).toEqual([])
}
