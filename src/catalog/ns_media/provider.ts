import type { MediaModels } from '#core/media-model.ts'
import { defineProvider } from '#core/provider.ts'
import { createGenerate } from './generate.ts'
import type { MediaMachine } from './lib/make-outputs.ts'
import { hosts } from './lib/queue.ts'
import { upload } from './upload.ts'

/** `models`: those that are sold. `machine`: what this machine does for them. */
export const media = ({ models, machine }: { models: MediaModels; machine: MediaMachine }) =>
  defineProvider({
    id: 'ns_media',
    title: 'fal',
    docs: 'https://fal.ai/docs/documentation/model-apis/inference/queue',
    upstream: {
      baseUrl: 'https://{host}',
      hosts: Object.values(hosts),
      credential: {
        aliases: ['FAL_API_KEY'],
        form: 'id:secret',
        attach: (key) => ({ headers: { authorization: `Key ${key}` } }),
      },
      // Sells single generations. It has no queue: the reply to the payment is the result.
      wallet: { rail: 'mpp', baseUrl: 'https://fal.mpp.tempo.xyz' },
      timeoutMs: 240_000,
    },
    actions: [upload, createGenerate(models, machine)],
  })
