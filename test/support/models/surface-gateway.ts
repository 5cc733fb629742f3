// A gateway that sells the models of the stub vendor of `surface-upstream.ts`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import type { AtEnd } from '../database.ts'
import { type Gateway, type GatewayOptions, startGateway, type TestAccount } from '../harness.ts'
import type { Json } from '../model-upstream.ts'
import { type SurfaceUpstream, startSurfaceUpstream } from './surface-upstream.ts'

export interface SurfaceGateway extends Gateway {
  readonly upstream: SurfaceUpstream
}

/** In the units of the operator's file. A token of text costs a micro-dollar. */
export const surfacePrices: Json = {
  'lab/embed': {
    surface: 'embeddings',
    prompt: 1,
    context: 100,
    inputs: 2_048,
    input_tokens: 5_000,
  },
  'lab/draw': {
    surface: 'images',
    prompt: 5,
    completion: 40,
    image_prompt: 10,
    image_tokens: 500,
    picture_tokens: {
      low: { '1024x1024': 272 },
      medium: { '1024x1024': 1_056, '1024x1536': 1_584 },
    },
  },
  'lab/flat-draw': {
    surface: 'images',
    pictures: {
      standard: { '1024x1024': 0.04, '1792x1024': 0.08 },
      hd: { '1024x1024': '0.080001' },
    },
  },
  'lab/hear': { surface: 'transcriptions', minute: 0.006 },
  'lab/gpt-hear': {
    surface: 'transcriptions',
    prompt: 2,
    audio_prompt: 6,
    completion: 10,
    context: 1_000,
    output: 200,
  },
  'lab/chat': { prompt: 1, completion: 4, batch: { prompt: 0.5, completion: 2 } },
  'lab/moderate': { surface: 'moderations', prompt: 0 },
  'lab/rank': { surface: 'rerank', search: 2, inputs: 250 },
  'lab/jina-rank': { surface: 'rerank', prompt: 3 },
  'lab/tts': { surface: 'speech', character: 15 },
  'lab/tts-tokens': { surface: 'speech', prompt: 1, completion: 12, output: 1_000 },
}

export async function startSurfaceGateway(
  {
    config = () => ({}),
    ...options
  }: GatewayOptions & { readonly config?: (upstreamUrl: string) => Json } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<SurfaceGateway> {
  const upstream = await startSurfaceUpstream(atEnd)
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-surfaces-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const configPath = path.join(folder, 'llm.json')
  const lab = {
    base_url: upstream.url,
    api_key: 'LAB_API_KEY',
    serves: ['lab/*'],
    batch_fields: { service_tier: 'flex' },
  }
  await writeFile(
    configPath,
    JSON.stringify({ upstreams: { lab }, prices: surfacePrices, ...config(upstream.url) }),
  )
  const env = { LLM_CONFIG: configPath, LAB_API_KEY: 'upstream-key', ...options.env }
  return Object.assign(await startGateway({ ...options, env }, atEnd), { upstream })
}

export function shareSurfaceGateway(
  options: Parameters<typeof startSurfaceGateway>[0] = {},
): () => SurfaceGateway {
  let gateway: SurfaceGateway | undefined
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    gateway = await startSurfaceGateway(options, (work) => endings.unshift(work))
  })
  beforeEach(() => gateway?.upstream.reset())
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway exists only while a test runs.')
    return gateway
  }
}

export interface SurfaceResult {
  readonly status: number
  readonly headers: Headers
  /** Of a JSON answer. */
  readonly body: Json
  readonly bytes: Buffer
}

/** Asks a surface: with JSON, or with a form. */
export async function ask(
  { url }: Gateway,
  account: TestAccount,
  surface: string,
  body: object | FormData,
  options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<SurfaceResult> {
  const isForm = body instanceof FormData
  const reply = await fetch(`${url}/api/llm/v1${surface}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: isForm ? body : JSON.stringify(body),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return {
    status: reply.status,
    headers: reply.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  }
}

/** Expects that nothing is held or running, the account has paid this much, and the vendor found no fault. */
export async function expectPaid(
  gateway: SurfaceGateway,
  account: TestAccount,
  paidMicros: number,
): Promise<void> {
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

/** What a call holds while the vendor works on it. */
export async function heldOf(gateway: SurfaceGateway, account: TestAccount): Promise<number> {
  const [row] = await gateway.database.query<{ held: number }>(
    'select held from balance where account_id = $1',
    [account.id],
  )
  return row?.held ?? 0
}
