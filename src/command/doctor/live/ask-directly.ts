// Runs one action against its live provider, outside of a gateway: without money, jobs and callers. Keeps what was sent
// and answered.
import type { Action, RunContext } from '#core/action.ts'
import { type Service, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'
import type { HttpReply, HttpRequest, ProviderHttp } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'

export interface AskedExchange {
  readonly provider: Provider
  readonly request: HttpRequest
  readonly reply: HttpReply
}

interface Asking {
  readonly providers: readonly Provider[]
  readonly signal: AbortSignal
  /** Opens a client with the operator's settings. It is closed after the call. */
  readonly open: (provider: Provider) => Service
  /** What was sent and answered is added here, also by actions that the action calls. */
  readonly exchanges: AskedExchange[]
}

const refuse = async () => {
  throw fail('not_found')
}
const noFiles: CallerFiles = {
  find: refuse,
  open: refuse,
  save: refuse,
  address: refuse,
  reserve: refuse,
  release: refuse,
  expect: refuse,
  discard: refuse,
}
const jobId = '01970000-0000-7000-8000-000000000000'

/** Throws an Error with the reason if there is no such action. */
export function findAction(providers: readonly Provider[], id: string) {
  const [service, name] = splitId(id)
  const provider = providers.find((candidate) => candidate.id === service)
  const action = provider?.actions.find((candidate) => candidate.name === name)
  if (provider === undefined || action === undefined)
    throw new Error(
      `There is no action ${id}. Write it <service>/<action>, as in ns_scholar/works.`,
    )
  return { provider, action }
}

/** The action's answer, before its output schema has read it. Throws what the action throws. */
export async function askDirectly(id: string, body: unknown, asking: Asking): Promise<unknown> {
  const { provider, action } = findAction(asking.providers, id)
  const service = asking.open(provider)
  try {
    if (service.mode === 'unavailable' && !action.keyless)
      throw new Error(`${id} has no provider here. ${service.reason ?? ''}`)
    const input = action.input.parse(body)
    action.check?.(input)
    const context = {
      input,
      signal: asking.signal,
      clock: systemClock,
      maxCents: action.example.cents,
      http: listeningHttp(provider, service.http.withSignal(asking.signal), asking.exchanges),
      caller: { kind: 'account', accountId: 'account', keyId: 'key', isLimited: false },
      keepAnswer: () => undefined,
      files: noFiles,
      record: () => {},
      spend: () => {},
      async call(other: string, inner: unknown) {
        const called = findAction(asking.providers, other).action
        return called.output.parse(await askDirectly(other, inner, asking))
      },
      prepare: () => {
        throw new Error(`${id} prepares calls.`)
      },
      available: (other: string) => isOffered(other, asking),
      issued: async () => [],
      purchase: () => {
        throw new Error(`${id} would buy something.`)
      },
      report: async () => {},
      stopReason: async () => undefined,
      checkpoints: new Map(),
      save: async () => {},
      jobId,
      issue: async () => {},
      effect: async () => {},
      later: () => {
        throw new Error(`${id} waits for work of its vendor. Record the action that polls for it.`)
      },
    } as const
    return await action.run(context satisfies RunContext<unknown> as Parameters<Action['run']>[0])
  } finally {
    await service.close()
  }
}

function isOffered(id: string, { providers, open }: Asking): boolean {
  const service = open(findAction(providers, id).provider)
  void service.close()
  return service.mode !== 'unavailable'
}

function listeningHttp(
  provider: Provider,
  http: ProviderHttp,
  exchanges: AskedExchange[],
): ProviderHttp {
  const send = async (request: HttpRequest) => {
    const reply = await http.send(request)
    exchanges.push({ provider, request, reply })
    return reply
  }
  return {
    send,
    get: async (path, rest) => (await send({ ...rest, method: 'GET', path })).body,
    post: async (path, body, rest) => (await send({ ...rest, method: 'POST', path, body })).body,
    sign: http.sign,
  }
}
