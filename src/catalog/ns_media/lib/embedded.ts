// Runs the models of this machine while the vendor's key is missing.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
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
  return new Map<string, StandIn>([
    ['ns_media/generate', { run, check, ...(missing && { missing }) }],
    ['ns_media/upload', fileStoreUpload],
  ])
}

interface UploadInput {
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes?: number
}

/** The gateway's own file store in place of the vendor's. */
const fileStoreUpload: StandIn = {
  check: () => {},
  async run({ input, files }: RunContext<UploadInput>) {
    const { file_name: filename, content_type: mediaType, size_bytes: bytes } = input
    const { fileId, putUrl, getUrl } = await files.expect({ filename, mediaType, bytes })
    return { upload_url: putUrl, file_url: getUrl, file_id: fileId }
  },
}
