// The tools that the gateway sells and runs itself while a model answers. A model sees a function; running it runs
// actions inside the call.
import type { Hop } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import { type CallError, fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import { type ChatFields, isObject } from '../conversation/fields.ts'
import type { HostedKind, HostedTool } from '../conversation/hosted-calls.ts'
import { failedItem } from '../surface/responses/hosted-items.ts'

/** What a model is told of one call of a tool. */
export const resultBytesMax = 32_000
/** How long one call of a tool may take. */
export const toolTimeoutMs = 180_000
const queryCharactersMax = 2_000
const codeBytesMax = 100_000
const sandboxSeconds = 600
const commandSeconds = 120
const searchResults = 8
/** Tokens of what a search finds, by `search_context_size`. */
const searchTokens: Readonly<Record<string, number>> = { low: 1_500, medium: 4_000, high: 7_000 }
const python = 'python3 -'

/** Runs actions inside a paid call, for a caller who has the right to them. */
export interface InnerActions {
  /** The price of a call with this input. Undefined if this gateway or the caller cannot run it. */
  quote(caller: AccountCaller, action: string, input: object): Promise<Micros | undefined>
  /** Never rejects: a failure costs nothing. */
  run(call: InnerCall): Promise<InnerOutcome>
}

export interface InnerCall {
  readonly caller: AccountCaller
  readonly callId: string
  readonly action: string
  readonly input: object
  readonly signal: AbortSignal
}

export interface InnerOutcome {
  /** Undefined where it failed. */
  readonly data: unknown
  readonly error?: CallError | undefined
  readonly chargedMicros: Micros
  readonly costMicros: Micros | undefined
  readonly hops: readonly Hop[]
}

export interface HostedResult {
  /** The item of the answer. It has what the model is told. */
  readonly item: ChatFields
  readonly error?: CallError | undefined
  readonly outcomes: readonly InnerOutcome[]
}

export interface HostedTools {
  /** The function that a model sees. */
  describe(kind: HostedKind): ChatFields
  /** The kinds that this caller can use. */
  offered(caller: AccountCaller): Promise<ReadonlySet<HostedKind>>
  /** The most that one call of the tool costs. */
  priceOf(caller: AccountCaller, kind: HostedKind): Promise<Micros>
  run(
    tool: HostedTool,
    item: ChatFields,
    call: Pick<InnerCall, 'caller' | 'callId' | 'signal'>,
  ): Promise<HostedResult>
}

const functions: Readonly<Record<HostedKind, ChatFields>> = {
  web_search: {
    description:
      'Search the web, the news, papers, registers and other sources. Returns evidence with addresses. Use it for facts that may have changed or that you do not know. In your answer, link what you take from a page to its address, as [title](url).',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What you want to know.' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  code_interpreter: {
    description:
      'Run Python 3 in a sandbox without state between calls. Returns what the program prints.',
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', description: 'A whole program that prints.' } },
      required: ['code'],
      additionalProperties: false,
    },
  },
}

export function createHostedTools({
  inner,
  ownNamespace,
}: {
  readonly inner: InnerActions
  readonly ownNamespace: string
}): HostedTools {
  const search = `${ownNamespace}/onesearch`
  const create = 'ns_sandbox/sandbox-create'
  const exec = 'ns_sandbox/sandbox-exec'
  const actions: Readonly<Record<HostedKind, readonly [id: string, input: object][]>> = {
    web_search: [[search, { query: 'x' }]],
    code_interpreter: [
      [create, { timeout: sandboxSeconds }],
      [exec, { sandbox_id: 'sb-00000000-0000-7000-8000-000000000000', command: python }],
    ],
  }
  async function quote(caller: AccountCaller, kind: HostedKind): Promise<Micros | undefined> {
    const quotes = await Promise.all(
      actions[kind].map(([id, input]) => inner.quote(caller, id, input)),
    )
    return quotes.includes(undefined)
      ? undefined
      : quotes.reduce<number>((sum, micros) => sum + (micros ?? 0), 0)
  }

  return {
    describe: (kind) => functions[kind],
    async offered(caller) {
      const kinds: HostedKind[] = ['web_search', 'code_interpreter']
      const quotes = await Promise.all(kinds.map((kind) => quote(caller, kind)))
      return new Set(kinds.filter((_, place) => quotes[place] !== undefined))
    },
    priceOf: async (caller, kind) => (await quote(caller, kind)) ?? 0,
    async run({ kind, settings }, item, call) {
      const unreadable = unreadableIn(kind, item)
      if (unreadable !== undefined) return failed(item, unreadable, [])
      if (kind === 'web_search') {
        const input = searchInput(item.action.query, settings)
        return searched(item, await inner.run({ ...call, action: search, input }))
      }
      const input = { timeout: sandboxSeconds }
      const opened = await inner.run({ ...call, action: create, input })
      if (opened.error !== undefined) return failed(item, opened.error, [opened])
      const { sandbox_id: id } = opened.data as { sandbox_id: string }
      const ran = await inner.run({
        ...call,
        action: exec,
        input: { sandbox_id: id, command: commandOf(item.code), timeout: commandSeconds },
      })
      return executed({ ...item, container_id: id }, opened, ran)
    },
  }
}

/** A model may write arguments that are not JSON, or leave out what the tool needs. Nothing is run for them. */
function unreadableIn(kind: HostedKind, item: ChatFields): CallError | undefined {
  const [field, value] = kind === 'web_search' ? ['query', item.action.query] : ['code', item.code]
  if (value !== '') return undefined
  return fail('bad_request', {
    message: `The arguments must be a JSON object with ${field}. Call it again with them.`,
  })
}

/** The settings of the vendor's tool that have a counterpart. */
function searchInput(query: string, { filters, search_context_size: size }: ChatFields): object {
  const { allowed_domains: domains, blocked_domains: blocked } = isObject(filters) ? filters : {}
  return {
    query: query.slice(0, queryCharactersMax),
    maxResults: searchResults,
    max_tokens: searchTokens[String(size)] ?? searchTokens.medium,
    ...(isFilled(domains) ? { domains } : {}),
    ...(isFilled(blocked) ? { excludeDomains: blocked } : {}),
  }
}

const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0

/** The program is passed as a word of base64, so that no shell reads it. */
const commandOf = (code: string) => [
  'sh',
  '-c',
  `echo ${Buffer.from(code.slice(0, codeBytesMax)).toString('base64')} | base64 -d | ${python}`,
]

interface Evidence {
  readonly url: string
  readonly title: string
  readonly snippet: string | null
  readonly content: string | null
  readonly published_at: string | null
}

function searched(item: ChatFields, outcome: InnerOutcome): HostedResult {
  if (outcome.error !== undefined) return failed(item, outcome.error, [outcome])
  const { evidence } = outcome.data as { evidence: readonly Evidence[] }
  const found = evidence.map(({ url, title, snippet, content, published_at }) => ({
    url,
    title,
    text: content ?? snippet ?? '',
    ...(published_at === null ? {} : { published_at }),
  }))
  const results = fitting(found)
  const sources = results.map(({ url }) => ({ type: 'url', url }))
  return {
    item: { ...item, status: 'completed', action: { ...item.action, sources }, results },
    outcomes: [outcome],
  }
}

function executed(item: ChatFields, opened: InnerOutcome, ran: InnerOutcome): HostedResult {
  const outcomes = [opened, ran]
  if (ran.error !== undefined) return failed(item, ran.error, outcomes)
  const { stdout, stderr, returncode } = ran.data as {
    stdout: string
    stderr: string
    returncode: number
  }
  const logs = [stdout, stderr, returncode === 0 ? '' : `The program ended with ${returncode}.`]
    .filter((part) => part !== '')
    .join('\n')
  const outputs = [{ type: 'logs', logs: cut(logs === '' ? 'The program printed nothing.' : logs) }]
  return { item: { ...item, status: 'completed', outputs }, outcomes }
}

const failed = (
  item: ChatFields,
  error: CallError,
  outcomes: readonly InnerOutcome[],
): HostedResult => ({
  item: failedItem(item, `The tool failed: ${error.message}`),
  error,
  outcomes,
})

/** The first of them that fit together into what a model is told. */
function fitting<Result>(results: readonly Result[]): readonly Result[] {
  let bytes = 0
  return results.filter((result) => {
    bytes += Buffer.byteLength(JSON.stringify(result))
    return bytes <= resultBytesMax
  })
}

function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= resultBytesMax) return text
  return bytes
    .subarray(0, resultBytesMax)
    .toString()
    .replace(/\ufffd+$/, '')
}
