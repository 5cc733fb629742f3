// Puts files where the models can read them: into the vendor's own storage. What is there once is not sent again.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { JobContext } from '#core/action.ts'
import type { EgressUploader } from '#platform/egress/uploader.ts'

export interface StagedFile {
  readonly mediaType: string
  readonly bytes: number
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** Sends a file that exists while this runs. */
type Send = (source: StagedFile) => Promise<string>

/** Resolves to the address that a model is given. `name` names the file within its job. */
export type Stage = (name: string, provide: (send: Send) => Promise<string>) => Promise<string>

type Context = Pick<JobContext<unknown>, 'call' | 'checkpoints' | 'save' | 'signal'>

export function createStage(
  { call, checkpoints, save, signal }: Context,
  uploader: Pick<EgressUploader, 'put'>,
): Stage {
  async function send(name: string, { mediaType, bytes, open }: StagedFile): Promise<string> {
    const extension = mediaType.split('/')[1] ?? 'bin'
    const { upload_url, file_url } = await call('ns_media/upload', {
      file_name: `${name.replaceAll(' ', '-')}.${extension}`,
      content_type: mediaType,
    })
    await uploader.put({ url: upload_url, mediaType, bytes, content: await open(), signal })
    return file_url
  }

  return async (name, provide) => {
    const checkpoint = `staged ${name}`
    const known = checkpoints.get(checkpoint)
    if (typeof known === 'string') return known
    const address = await provide((source) => send(name, source))
    await save(checkpoint, address)
    return address
  }
}

const typesByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
}

/** A file of this machine. */
export async function sourceOf(place: string): Promise<StagedFile> {
  const { size: bytes } = await stat(place)
  const extension = place.split('.').at(-1)?.toLowerCase() ?? ''
  const mediaType = typesByExtension[extension] ?? 'application/octet-stream'
  return { mediaType, bytes, open: async () => createReadStream(place) }
}
