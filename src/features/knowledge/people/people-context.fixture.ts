// Runs an action of this room as the runner would: the catalog's own actions inside it, with their schemas and prices,
// and a vendor of the test in place of theirs.
import { providers } from '#catalog/providers.ts'
import type { Action, JobContext, PreparedCall } from '#core/action.ts'
import { type Catalog, createCatalog, splitId } from '#core/catalog.ts'
import { fail, toCallError } from '#core/errors.ts'
import { noFiles } from '#core/files.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, HttpReply, HttpRequest, ProviderHttp, ServiceHttp } from '#core/ports.ts'
import { quotePrice, settlePrice } from '#core/price.ts'

export const catalog: Catalog = createCatalog(
  providers.map((provider) => ({
    provider,
    mode: 'live',
    http: {} as ServiceHttp,
    close: async () => {},
  })),
)

/** The upstream of one provider. It throws for a request that the vendor would not understand. */
type StrictVendor = (request: HttpRequest) => {
  readonly status?: number
  readonly body: unknown
}
export type StrictVendors = Readonly<Record<string, StrictVendor>>

/** A clock that no one waits for. */
function createQuickClock(): Clock {
  let now = Date.parse('2026-11-22')
  return {
    now: () => now,
    async sleep(delayMs) {
      now += delayMs
    },
  }
}

function createHttp(upstream: StrictVendor): ProviderHttp {
  const send = async (request: HttpRequest): Promise<HttpReply> => {
    const { status = 200, body } = upstream(request)
    if (status === 429) throw fail('rate_limited')
    if (status >= 400 && !request.accept?.includes(status)) throw fail('upstream_error')
    return { status, headers: {}, body: structuredClone(body) }
  }
  return {
    send,
    get: async (path, options) => (await send({ ...options, method: 'GET', path })).body,
    post: async (path, body, options) =>
      (await send({ ...options, method: 'POST', path, body })).body,
    sign: () => ({ issuer: '', token: '' }),
  }
}

interface CallOptions {
  readonly vendors: StrictVendors
  readonly clock?: Clock
  readonly checkpoints?: Map<string, unknown>
  /** Own actions that may be called, by id. */
  readonly own?: Readonly<Record<string, Action>>
}

/** A call as it was answered inside the action, with its part of the price. */
interface InnerCall {
  readonly id: string
  readonly charged: Micros
}

/** `calls` and `checkpoints` fill as the action runs. Providers without a vendor are not available. */
export function contextOf<Input>(
  input: Input,
  options: CallOptions,
): JobContext<Input> & { readonly calls: InnerCall[] } {
  const { vendors, clock = createQuickClock(), own = {} } = options
  const checkpoints = options.checkpoints ?? new Map<string, unknown>()
  const calls: InnerCall[] = []
  const refuse = () => {
    throw new Error('People are found without this.')
  }

  const prepare = async (id: string, body: unknown, step?: string): Promise<PreparedCall> => {
    const known = step === undefined ? undefined : (checkpoints.get(step) as Answer | undefined)
    if (known !== undefined)
      return { quote: { kind: 'exact', micros: known.charged }, run: async () => known }
    const [service, name] = splitId(id)
    const action = own[id] ?? catalog.find(service, name)?.action
    const vendor = vendors[service]
    if (action === undefined) throw fail('not_found')
    if (own[id] === undefined && vendor === undefined) throw fail('provider_not_configured')
    const parsed = action.input.safeParse(body)
    if (!parsed.success) throw fail('bad_request', { message: String(parsed.error) })
    const quote = quotePrice(action.price, parsed.data)
    return {
      quote,
      async run() {
        const inner = contextOf(parsed.data, { vendors, clock, own })
        const data = await answer(action, { ...inner, http: createHttp(vendor ?? refuse) })
        const charged = settlePrice(action.price, quote, parsed.data, data)
        calls.push({ id, charged })
        if (step !== undefined) checkpoints.set(step, { data, charged })
        return { data, charged }
      },
    }
  }

  return {
    input,
    clock,
    calls,
    checkpoints,
    prepare,
    files: noFiles,
    maxCents: 500,
    jobId: 'job',
    signal: new AbortController().signal,
    caller: { kind: 'account', accountId: 'account', keyId: 'key', isLimited: false },
    http: createHttp(refuse),
    keepAnswer: () => undefined,
    record: () => {},
    spend: () => {},
    call: async (id, body, step) => (await (await prepare(id, body, step)).run()).data,
    available: (id) => vendors[splitId(id)[0]] !== undefined,
    issued: async () => [],
    purchase: refuse,
    report: async () => {},
    stopReason: async () => undefined,
    save: async (name, value) => void checkpoints.set(name, value),
    issue: async () => {},
    effect: async () => {},
    later: refuse,
  }
}

async function answer(action: Action, context: JobContext<unknown>): Promise<unknown> {
  try {
    return action.output.parse(await action.run(context))
  } catch (thrown) {
    throw toCallError(thrown)
  }
}

interface Answer {
  readonly data: unknown
  readonly charged: Micros
}
