// The actions of ns_sandbox with a key, at a stub of the vendor.
import { sandbox } from '#catalog/ns_sandbox/provider.ts'
import type { JobContext } from '#core/action.ts'
import type { CallError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { silentLog } from '#test/silent-log.ts'
import { modalKey, startStubModal } from './stub-modal.ts'

export async function openModalWorld(clock: Clock = systemClock) {
  const stub = await startStubModal()
  /** The names that boxes were given. */
  const begun: string[] = []
  const provider = sandbox({
    async begin() {
      const name = `tollway-${crypto.randomUUID()}`
      begun.push(name)
      return name
    },
  })
  const service = createService(provider, {
    variables: new Map([
      ['NS_SANDBOX_BASE_URL', stub.url],
      ['NS_SANDBOX_API_KEY', modalKey],
    ]),
    userAgent: 'Tollway/test (tests@example.org)',
    clock,
    log: silentLog,
  })
  const run = async (name: string, body: object, signal = new AbortController().signal) => {
    const action = provider.actions.find((each) => each.name === name)
    if (action === undefined) throw new Error(`There is no ${name}.`)
    const input = action.input.parse(body)
    action.check?.(input)
    const http = service.http.withSignal(signal)
    // Of the context of a call, these actions read the rest not at all.
    const context = { input, http, clock, signal, transactionId: crypto.randomUUID() }
    return action.output.parse(await action.run(context as unknown as JobContext<unknown>))
  }
  return {
    stub,
    begun,
    service,
    run: run as (...given: Parameters<typeof run>) => Promise<UntypedJson>,
    failure: (...given: Parameters<typeof run>) =>
      run(...given).then(
        (answer) => {
          throw new Error(`It answered ${JSON.stringify(answer)}.`)
        },
        (thrown: CallError) => thrown,
      ),
    async close() {
      await service.close()
      await stub.close()
    },
  }
}

export type ModalWorld = Awaited<ReturnType<typeof openModalWorld>>
