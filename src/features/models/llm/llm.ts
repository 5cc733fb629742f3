// The language-model router: chats, models and prices.
import { Agent } from 'undici'
import type { ModelPrices } from '#core/model-price.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Chat, createChat } from './chat.ts'
import type { Meter } from './meter.ts'
import { createModelRouter } from './router.ts'
import { createModels, type Models } from './routing/models.ts'
import { createRouteHealth } from './routing/route-health.ts'

const connectionsPerUpstreamMax = 1_024
const connectTimeoutMs = 3_000
const keepAliveMs = 30_000

export interface Llm {
  readonly models: Models
  /** For actions that use a model inside their own paid call. */
  readonly router: ModelRouter
  createChat(meter: Meter): Chat
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
}): Promise<Llm> {
  const dispatcher = new Agent({
    connections: connectionsPerUpstreamMax,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    allowH2: false,
  })
  const models = await createModels({ ...dependencies, dispatcher })
  const health = createRouteHealth(dependencies)
  return {
    models,
    router: createModelRouter({ ...dependencies, models, health, dispatcher }),
    createChat: (meter) => createChat({ ...dependencies, models, health, dispatcher, meter }),
    async close() {
      models.close()
      await dispatcher.destroy()
    },
  }
}
