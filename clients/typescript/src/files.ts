// Files of the caller: their bytes go to and come from signed addresses.
import { readAnswer } from './answers.ts'
import type { Actions } from './catalog/actions.ts'
import { TollwayError } from './errors.ts'
import type { Transport } from './transport.ts'

export type FileRecord = Actions['files/get']['output']
type Upload = Actions['files/upload']

export interface UploadOptions extends Omit<Upload['input'], 'size_bytes'> {
  readonly maxCostCents?: number
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface Files {
  /** Stores a file for 1¢. The other actions of files are called by `run`. Throws `file_quota_exceeded`. */
  upload(content: Blob | Uint8Array<ArrayBuffer>, options: UploadOptions): Promise<FileRecord>
  /** Throws `not_found`, `file_pending`. */
  download(fileId: string, options?: { readonly signal?: AbortSignal }): Promise<Blob>
}

export function openFiles({
  transport,
  pay,
}: {
  readonly transport: Transport
  readonly pay: (action: string, input: object, options: object) => Promise<{ data: unknown }>
}): Files {
  const find = async (fileId: string, signal: AbortSignal | undefined) => {
    const json = { file_id: fileId }
    const { data } = await transport.send(
      { method: 'POST', at: '/api/run/files/get', json, repeatable: true, signal },
      readAnswer<FileRecord>,
    )
    return data
  }

  return {
    async upload(content, { maxCostCents, idempotencyKey, signal, ...described }) {
      const bytes = content instanceof Blob ? content.size : content.byteLength
      const options = { maxCostCents, idempotencyKey, signal }
      const reserved = await pay('files/upload', { ...described, size_bytes: bytes }, options)
      const { put_url, file_id } = reserved.data as Upload['output']
      try {
        const sent = { method: 'PUT', at: put_url, bytes: content, signal } as const
        await transport.send(sent, (response) => response.arrayBuffer())
      } catch (error) {
        // The bytes arrived by a request whose answer was lost.
        const arrived = error instanceof TollwayError && error.code === 'file_already_uploaded'
        if (!arrived) throw error
      }
      return await find(file_id, signal)
    },
    async download(fileId, { signal } = {}) {
      const { get_url } = await find(fileId, signal)
      return await transport.send({ method: 'GET', at: get_url, signal }, (file) => file.blob())
    },
  }
}
