// Chats inside the paid call of an action. They are planned and attempted like other chats; the action charges for
// them.
import type { Dispatcher } from 'undici'
import { priceOfUsage } from '#core/model-price.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import { costOfFailure, newProgress, noteFailure, reportedCost, usageOf } from './ending.ts'
import { completeOnce } from './exchange/complete.ts'
import { createAttempts } from './routing/attempts.ts'
import type { Models } from './routing/models.ts'
import { planChat } from './routing/plan.ts'
import type { RouteHealth } from './routing/route-health.ts'
import type { RouteSpeed } from './routing/route-speed.ts'
import { answerTimeouts } from './routing/timeouts.ts'
import { completionOf } from './surface/chat/completion.ts'
import { readChatRequest } from './surface/chat/request.ts'

export function createModelRouter(dependencies: {
  readonly models: Models
  readonly health: RouteHealth
  readonly speed: RouteSpeed
  readonly dispatcher: Dispatcher
  readonly ownNamespace: string
  readonly clock: Clock
  readonly log: Log
  readonly telemetry?: Telemetry | undefined
}): ModelRouter {
  const { models, dispatcher } = dependencies
  return {
    offers() {
      const { prices, tiers, routes } = models.current()
      const byPrice = [...prices]
        .filter(([slug]) => !tiers.cheap.includes(slug))
        .toSorted(([, one], [, other]) => one.prompt - other.prompt)
      return [...tiers.cheap, ...byPrice.map(([slug]) => slug)].flatMap((model) => {
        const price = prices.get(model)
        return price === undefined || routes(model).length === 0 ? [] : [{ model, price }]
      })
    },
    async complete(body, { signal, record, spend }) {
      const chat = readChatRequest({ ...body, stream: false })
      const plan = planChat(dependencies, chat)
      const attempts = createAttempts({
        ...dependencies,
        routes: plan.routes,
        tier: plan.tier,
        gone: signal,
      })
      const progress = newProgress()
      try {
        const { answer, route } = await attempts.run(async (attempt) => {
          const { route } = attempt
          progress.asked = { chat, route, atMs: dependencies.clock.now() }
          const result = await completeOnce({
            dispatcher,
            route,
            chat,
            timeouts: answerTimeouts(plan.offer, attempt, chat),
            gone: signal,
          })
          if (!('kind' in result)) return { answer: result, route, brokeOff: undefined }
          noteFailure(progress, result, dependencies)
          return result
        })
        const { costUsd } = answer
        const { usage } = usageOf(chat, route, answer)
        spend(progress.failedMicros + (reportedCost(answer) ?? priceOfUsage(route.price, usage)))
        return {
          upstream: route.upstream.name,
          model: route.slug,
          completion: completionOf(answer, route.upstream.wire),
          usage,
          costUsd,
        }
      } catch (thrown) {
        const cost = costOfFailure({ ...progress, left: signal.aborted }, dependencies)
        if (cost !== undefined) spend(cost)
        throw thrown
      } finally {
        for (const hop of attempts.hops) record(hop)
      }
    },
  }
}
