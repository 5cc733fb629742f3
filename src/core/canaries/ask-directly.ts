// Runs one action against its live provider, outside of a paid call: without money, jobs and callers. It keeps what was
// sent and answered.
import type { Action, RunContext } from '../action.ts'
import { type Service, splitId } from '../catalog.ts'
import { noFiles } from '../files.ts'
import type { Clock, HttpRequest, OnReply, ServiceHttp } from '../ports.ts'
import type { Provider } from '../provider.ts'

export interface AskedExchange {
  readonly provider: Provider
  readonly request: HttpRequest
  readonly reply: Parameters<OnReply>[1]
  readonly redact: ServiceHttp['redact']
}

export interface Asking {
  readonly providers: readonly Provider[]
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Opens a client with the operator's settings that tells of each reply. It is closed after the call. */
  readonly open: (provider: Provider, onReply: OnReply) => Service
  /** What was sent and answered is added here, failures too, also by actions that the action calls. */
  readonly exchanges: AskedExchange[]
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
  const service: Service = asking.open(provider, (request, reply) =>
    asking.exchanges.push({
      provider,
      request,
      reply,
      redact: (text) => service.http.redact(text),
    }),
  )
  try {
    if (service.mode === 'unavailable' && !action.keyless)
      throw new Error(`${id} has no provider here. ${service.reason ?? ''}`)
    const input = action.input.parse(body)
    action.check?.(input)
    const context = {
      input,
      signal: asking.signal,
      clock: asking.clock,
      maxCents: action.example.cents,
      http: service.http.withSignal(asking.signal),
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
    const answer = await action.run(
      context satisfies RunContext<unknown> as Parameters<Action['run']>[0],
    )
    if (action.soldAs === 'tool')
      asking.exchanges.push(toolExchange(action, { provider, input, answer, service }))
    return answer
  } finally {
    await service.close()
  }
}

/** A tool is called without HTTP of its own, so its answer takes the place of a reply. */
const toolExchange = (
  { name }: Action,
  {
    provider,
    service,
    input,
    answer,
  }: { provider: Provider; service: Service; input: unknown; answer: unknown },
): AskedExchange => ({
  provider,
  request: { method: 'POST', path: '/tools/call', body: { name, arguments: input } },
  reply: { status: 200, headers: {}, body: answer },
  redact: service.http.redact,
})

function isOffered(id: string, { providers, open }: Asking): boolean {
  const service = open(findAction(providers, id).provider, () => {})
  void service.close()
  return service.mode !== 'unavailable'
}
