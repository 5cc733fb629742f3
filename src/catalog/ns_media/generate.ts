import { defineJob, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { type MediaModel, type MediaModels, quoteMedia } from '#core/media-model.ts'
import { deliveredOutput } from './lib/delivered-output.ts'
import { type MediaMachine, makeOutputs } from './lib/make-outputs.ts'
import { filesNeeded } from './lib/own-files.ts'
import { centsRangeOf, costUsdOf } from './lib/price-range.ts'
import { createRequestSchema } from './lib/request.ts'

export function createGenerate(models: MediaModels, machine: MediaMachine) {
  const find = (key: string): MediaModel => {
    const model = models.get(key)
    if (model === undefined)
      throw fail('bad_request', { message: `The model ${key} is no longer sold here.` })
    return model
  }
  const ranges = [...models.values()].map(centsRangeOf)
  return defineJob('generate', {
    summary: 'Make an image, a video, speech or music with a model of your choice.',
    notes:
      'GET /api/catalog lists the models with their parameters and prices. Images and audio are answered in the response; videos answer with a job_id, which the result action polls. Repeating a call is a new generation: read a lost answer with the result action. The vendor’s addresses expire, so send store to keep the outputs as files (files/get). To pass a file of your own, send its file_id (files/upload) in place of an address.',
    synonyms: [
      'generate an image',
      'text to image',
      'text to video',
      'animate a photo',
      'text to speech',
      'make music',
    ],
    questions: [
      'draw me a picture of a lighthouse',
      'turn this photo into a short video',
      'read this text aloud',
      'compose some background music',
    ],
    errors: ['content_policy_violation'],
    input: createRequestSchema(models),
    output: z.looseObject({
      model: z.string(),
      type: z.string(),
      provider: z.string().describe('Who made it: a vendor, or this machine.'),
      output_url: z.url().describe('The first output.'),
      outputs: z.array(deliveredOutput),
    }),
    timeoutMs: 300_000,
    answersInline: ({ model }) => find(model).mode === 'inline',
    price: {
      centsFor: ({ model, parameters }) => quoteMedia(find(model).price, parameters) / 1e4,
      fromCents: Math.min(...ranges.map(([least]) => least)),
      atMostCents: Math.max(...ranges.map(([, most]) => most)),
      basis: 'the price of the model in GET /api/catalog',
    },
    example: {
      input: { model: 'flux/dev', prompt: 'A lighthouse at dusk', image_size: '1024x1024' },
      cents: 2.5,
    },
    check({ model }) {
      if (find(model).provider === 'embedded' && machine.speech.missing !== undefined)
        throw fail('provider_not_configured', { message: machine.speech.missing })
    },
    costUsd: ({ model }, { parameters }) => costUsdOf(find(model), parameters),
    reads: ({ model, parameters }) => filesNeeded(find(model), parameters),
    async run(context) {
      const { key, type, provider } = find(context.input.model)
      const outputs = await makeOutputs(context, find(key), machine)
      const isOwn = provider === 'embedded'
      return {
        model: key,
        type,
        provider: isOwn ? 'espeak-ng on this machine' : 'fal',
        ...(isOwn && { notes: 'Formant synthesis: clear, and recognisably a machine.' }),
        output_url: outputs[0]?.url,
        outputs,
      }
    },
  })
}
