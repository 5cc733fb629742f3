// Models that this machine is: they answer without any vendor.
import type { ModelPrice } from '#core/model-price.ts'
import { modelSurfaces, type SentenceEncoder } from '#core/models/surfaces.ts'
import type { Speech } from '#core/speech.ts'
import type { Models, Route } from '../llm/routing/models.ts'
import { machineUpstream } from '../llm/routing/upstreams.ts'

/** What answers on this machine. */
export interface ModelMachine {
  /** Loaded when it is needed. */
  readonly encoder: () => SentenceEncoder
  readonly speech: Speech
}

const localEmbedding = 'embedding-small'
export const localVoice = 'voice'

const embeddingPrice: ModelPrice = {
  surface: 'embeddings',
  prompt: 5_000,
  completion: 0,
  inputs: 2_048,
  input_tokens: 300_000,
}
const voicePrice: ModelPrice = {
  surface: 'speech',
  prompt: 0,
  completion: 0,
  character: 1_000_000,
}

export interface LocalModels extends ModelMachine {
  isHere(route: Route): boolean
}

/** Puts the models of this machine on sale, in the gateway's own namespace. */
export function offerLocalModels(
  models: Pick<Models, 'sellHere'>,
  ownNamespace: string,
  machine: ModelMachine,
): LocalModels {
  const prices = new Map([
    [`${ownNamespace}/${localEmbedding}`, embeddingPrice],
    // Without its programs this machine cannot speak.
    ...(machine.speech.missing === undefined
      ? [[`${ownNamespace}/${localVoice}`, voicePrice] as const]
      : []),
  ])
  const upstream = {
    ...machineUpstream(ownNamespace),
    surfaces: modelSurfaces,
    nameOf: (slug: string) => (prices.has(slug) ? slug : undefined),
  }
  models.sellHere(upstream, prices)
  return { ...machine, isHere: (route) => route.upstream === upstream }
}
