// The language-model router: chats, models and prices.
import { Agent } from 'undici'
import type { ModelPrices } from '#core/model-price.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SharedCache } from '#core/replicas/shared-state.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import { keepAliveMarginMs } from '#platform/http/keep-alive.ts'
import { atBatchPrices, createEndpoints } from '../batches/endpoints.ts'
import type { RunLine } from '../batches/run-batch.ts'
import { type ModelMachine, offerLocalModels } from '../surfaces/local-models.ts'
import { createModelSurfaces, type ModelSurfaces } from '../surfaces/surfaces.ts'
import { createAnswerCache } from './answer-cache.ts'
import { type Chat, createChat } from './chat.ts'
import type { Meter } from './meter.ts'
import { createModelRouter } from './router.ts'
import { createModels, type Models } from './routing/models.ts'
import { createRouteHealth, type RouteHealth } from './routing/route-health.ts'
import { createRouteSpeed, type RouteSpeed } from './routing/route-speed.ts'
import { type CountTokens, createTokenCount } from './surface/messages/count-tokens.ts'

const connectionsPerUpstreamMax = 1_024
const connectTimeoutMs = 3_000
const keepAliveMs = 30_000

export interface Llm {
  readonly models: Models
  readonly health: Pick<RouteHealth, 'isFailing'>
  readonly speed: Pick<RouteSpeed, 'of'>
  /** For actions that use a model inside their own paid call. */
  readonly router: ModelRouter
  createChat(meter: Meter): Chat
  readonly countTokens: CountTokens
  /** Everything but chats. What this machine answers itself is for sale from then on. */
  createSurfaces(
    meter: Meter,
    machine: ModelMachine,
  ): {
    readonly surfaces: ModelSurfaces
    /** What lines of batches may ask, at the prices of batches. */
    readonly endpoints: ReadonlyMap<string, RunLine>
  }
  close(): Promise<void>
}

/** Throws if the operator's file cannot be used. */
export async function createLlm(dependencies: {
  shipped: ModelPrices
  configPath: string | undefined
  variables: ReadonlyMap<string, string>
  ownNamespace: string
  clock: Clock
  log: Log
  cache?: SharedCache | undefined
  telemetry?: Telemetry | undefined
}): Promise<Llm> {
  const dispatcher = new Agent({
    connections: connectionsPerUpstreamMax,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    keepAliveTimeoutThreshold: keepAliveMarginMs,
    allowH2: false,
  })
  const models = await createModels({ ...dependencies, dispatcher })
  const health = createRouteHealth(dependencies)
  const speed = createRouteSpeed(dependencies)
  const parts = { ...dependencies, models, health, speed, dispatcher }
  return {
    models,
    health,
    speed,
    router: createModelRouter(parts),
    createChat: (meter) =>
      createChat({ ...parts, meter, answers: createAnswerCache(dependencies) }),
    countTokens: createTokenCount(parts),
    createSurfaces(meter, machine) {
      const local = offerLocalModels(models, dependencies.ownNamespace, machine)
      const answering = { ...parts, meter, local }
      // What is asked for when the vendor has room is slow and often refused. That says nothing about other calls.
      const inBatches = {
        ...answering,
        models: atBatchPrices(models),
        health: createRouteHealth(dependencies),
        speed: createRouteSpeed(dependencies),
      }
      return {
        surfaces: createModelSurfaces(answering),
        endpoints: createEndpoints({
          chat: createChat({
            ...inBatches,
            answers: createAnswerCache({ clock: dependencies.clock }),
          }),
          surfaces: createModelSurfaces(inBatches),
        }),
      }
    },
    async close() {
      models.close()
      await dispatcher.destroy()
    },
  }
}
