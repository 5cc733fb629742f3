// The callers of a run, and how their requests reach gateways.
import { type CallError, toCallError } from '#core/errors.ts'
import { createClock } from '../machine/globals.ts'
import type { Random } from '../machine/random.ts'
import { createProcess, type Process } from '../machine/scheduler.ts'
import type { Account } from './accounts.ts'
import { runCaller, type Send } from './caller.ts'
import type { Reply } from './gateway.ts'
import { troubleAfterReply } from './trouble.ts'
import type { World } from './world.ts'

const answersWithinMs = 75_000
/** What callers are told when something goes wrong. */
const failures: ReadonlySet<string> = new Set(['unavailable', 'upstream_error', 'payment_pending'])

function createSend(world: World, process: Process, random: Random): Send {
  const { scheduler, faults, violate } = world
  return (ask) =>
    new Promise((resolve) => {
      const host = random.pick(world.hosts)
      const request = { lose: () => answer(undefined) }
      let isAnswered = false
      function answer(reply: Reply | CallError | undefined) {
        if (isAnswered) return
        isAnswered = true
        if (reply !== undefined) troubleAfterReply(world, host)
        host.asked.delete(request)
        const arrived = faults.happens('reply lost') ? undefined : reply
        scheduler.after(process, faults.latencyMs(), () => resolve(arrived))
      }
      scheduler.after(world.process, faults.latencyMs(), () => {
        const { gateway, process: serving } = host
        // A host that is down refuses the connection.
        if (gateway === undefined) return answer(undefined)
        host.asked.add(request)
        scheduler.after(serving, 0, () => {
          ask(gateway).then(
            (reply) => serving.isDead || answer(reply),
            (error) => serving.isDead || answer(toCallError(error)),
          )
        })
        scheduler.after(world.process, answersWithinMs, () => {
          if (!isAnswered) violate('a request was not answered in time')
        })
      })
    })
}

/** Returns the number of callers that have not come to their end. */
export function startCallers(world: World, accounts: readonly Account[], random: Random) {
  const { scenario, scheduler, violate } = world
  const onlyChats = random.chance(0.4)
  let left = scenario.callers
  for (let index = 0; index < scenario.callers; index += 1) {
    const own = random.fork()
    const process = createProcess(`caller-${index}`)
    const account = own.pick(accounts)
    const caller = {
      random: own,
      caller: account,
      callsMax: scenario.calls,
      hasJobs: scenario.hasJobs,
      onlyChats,
      send: createSend(world, process, own),
      sleep: createClock(scheduler, process).sleep,
      ...createEars(world, account, process),
    }
    const ended = () => {
      left -= 1
    }
    scheduler.after(process, 100, () => {
      runCaller(caller).then(ended, (error) => violate(`a caller ended: ${error.stack}`))
    })
  }
  return () => left
}

/** What becomes of the answers that a caller receives. */
function createEars(world: World, account: Account, { name }: Process) {
  const { scenario, promises, trace, violate } = world
  const { accountId, callMicrosMax } = account
  return {
    onRefused({ code, message }: CallError) {
      trace(`${name} is refused: ${code}`)
      if (scenario.faultsMost === 0 && failures.has(code))
        violate(`a call failed although nothing went wrong: ${code}, ${message}`)
    },
    onTold(
      reply: Reply,
      asked: { idempotencyKey: string | undefined; isChat: boolean; isJob: boolean },
    ) {
      trace(`${name} is told ${JSON.stringify({ ...reply, ...asked })}`)
      const wrong = promises.tell({ ...reply, ...asked, accountId }, world)
      if (wrong !== undefined) violate(wrong)
      if ((reply.charged ?? 0) > (callMicrosMax ?? Number.POSITIVE_INFINITY))
        violate(`a key with a limit for each call was charged ${reply.charged}`)
    },
  }
}
