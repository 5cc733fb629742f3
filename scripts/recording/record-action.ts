// Runs one action against its live provider and keeps the exchanges as a fixture that replays.
import { providers } from '#catalog/providers.ts'
import { type AskedExchange, askDirectly, findAction } from '#core/canaries/ask-directly.ts'
import {
  attachedInFixtures,
  fixtureItemsMax,
  recordExchange,
  shortenLists,
} from '#core/canaries/kept-exchange.ts'
import { createMask, secretsOf, textsIn } from '#core/canaries/mask.ts'
import type { Log } from '#core/ports.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import type { Exchange, Fixture } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'

const timeoutMs = 300_000

export interface Recording {
  readonly fixture: Fixture
  /** Masked, except the input of the example. */
  readonly input: unknown
}

/** Throws an Error with the reason if nothing can be recorded. */
export async function recordAction(
  id: string,
  options: {
    /** Undefined: the action's example. */
    readonly input?: unknown
    /** The operator's variables: keys and base URLs. */
    readonly variables: ReadonlyMap<string, string>
    readonly userAgent: string
    readonly log: Log
  },
): Promise<Recording> {
  const { variables, userAgent, log } = options
  const { provider, action } = findAction(providers, id)
  if (provider.upstream === undefined && provider.through === undefined)
    throw new Error(`${id} is answered by this machine: there is no reply to record.`)
  if (action.irrevocable)
    throw new Error(`${id} buys something that cannot be given back, and is not recorded.`)
  const exchanges: AskedExchange[] = []
  const sent = options.input ?? action.example.input
  const answer = await askDirectly(id, sent, {
    providers,
    signal: AbortSignal.timeout(timeoutMs),
    clock: systemClock,
    open: (one, onReply) =>
      createService(one, { variables, userAgent, log, clock: systemClock, onReply }),
    exchanges,
  })
  action.output.parse(answer)
  const mask = createMask({
    secrets: secretsOf(variables),
    keep: [
      ...providers.flatMap((one) =>
        textsIn(attachedInFixtures(one, { method: 'POST', path: '/' })),
      ),
      ...(options.input === undefined ? textsIn(action.example.input) : []),
    ],
  })
  const input = options.input === undefined ? sent : mask.apply(sent)
  const clean = mask.apply(exchanges.map(recordExchange).map(shortenLists)) as Exchange[]
  const { output, error } = await replayAction(provider, action.name, { exchanges: clean, input })
  if (error !== undefined) {
    throw new Error(`The masked recording of ${id} does not replay: ${error.message}`)
  }
  const source = `Recorded on ${new Date().toISOString().slice(0, 10)} with npm run record; secrets and data of people are masked, lists are cut to ${fixtureItemsMax}.`
  return { fixture: { origin: 'recorded', source, exchanges: clean, output }, input }
}
