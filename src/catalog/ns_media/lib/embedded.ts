// Runs the models of this machine while the vendor's key is missing.
import type { StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { MediaModels } from '#core/media-model.ts'
import { createGenerate } from '../generate.ts'
import type { MediaMachine } from './make-outputs.ts'
import type { MediaRequest } from './request.ts'

export function createEmbeddedMedia(models: MediaModels, machine: MediaMachine): StandIns {
  const own = [...models.values()].filter(({ provider }) => provider === 'embedded')
  if (own.length === 0) return new Map()
  const { run } = createGenerate(models, machine)
  const { missing } = machine.speech
  const check = ({ model }: MediaRequest) => {
    if (models.get(model)?.provider === 'embedded') return
    throw fail('provider_not_configured', {
      message: `${model} needs the vendor’s key, which this gateway does not have. Without it, this machine runs ${own.map(({ key }) => key).join(', ')}. Nothing was charged.`,
    })
  }
  return new Map([['ns_media/generate', { run, check, ...(missing && { missing }) }]])
}
