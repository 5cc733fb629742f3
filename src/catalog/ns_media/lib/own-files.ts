// The caller's own files among the parameters of a model. A file_id stands wherever the model takes an address, and is
// exchanged for one just before the vendor is asked, because addresses of files expire.
import type { FileNeed } from '#core/calls/file-need.ts'
import type { CallerFiles } from '#core/files.ts'
import { isUuid } from '#core/id.ts'
import type { MediaModel, MediaParameters } from '#core/media-model.ts'

interface Schema {
  readonly format?: unknown
  readonly items?: { readonly format?: unknown }
}

/** How a file is written among parameters that have been read: a form that no caller's address can have. */
const scheme = 'file:'

/** The parameters that hold an address, or a list of them. */
export function addressesOf({ parameters }: Pick<MediaModel, 'parameters'>): readonly string[] {
  const properties = parameters.properties as Readonly<Record<string, Schema>>
  return Object.entries(properties)
    .filter(([, { format, items }]) => format === 'uri' || items?.format === 'uri')
    .map(([name]) => name)
}

export const isAddress = (text: unknown) =>
  fileOf(text) !== undefined || /^https?:\/\//i.test(String(text))

/** A value as the schema of an address reads it. */
export const readAddress = (value: unknown): unknown => eachOf(value, markFile)

const markFile = (value: unknown) =>
  typeof value === 'string' && isUuid(value.toLowerCase())
    ? `${scheme}${value.toLowerCase()}`
    : value

const eachOf = (value: unknown, change: (item: unknown) => unknown) =>
  Array.isArray(value) ? value.map(change) : change(value)

function fileOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(scheme)) return undefined
  const id = value.slice(scheme.length)
  return isUuid(id) ? id : undefined
}

/** The files that a call reads, with the types that their parameters can be. */
export function filesNeeded(model: MediaModel, parameters: MediaParameters): FileNeed[] {
  return addressesOf(model).flatMap((name) => {
    const value = parameters[name]
    const items = Array.isArray(value)
      ? value.map((item, at): [string, unknown] => [`${name}[${at}]`, item])
      : [[name, value] as [string, unknown]]
    return items.flatMap(([field, item]) => {
      const fileId = fileOf(item)
      return fileId === undefined ? [] : [{ fileId, mediaTypes: typesFor(name), field }]
    })
  })
}

/** What models are known to read. Each refuses what it cannot, so the lists keep out mistakes alone. */
const types = {
  video: ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska', 'image/gif'],
  audio: [
    'audio/mpeg',
    'audio/wav',
    'audio/ogg',
    'audio/mp4',
    'audio/aac',
    'audio/flac',
    'video/mp4',
  ],
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/bmp'],
  data: ['application/octet-stream', 'application/zip', 'application/json'],
} as const

function typesFor(name: string): readonly string[] {
  if (name.includes('video')) return types.video
  if (name.includes('audio')) return types.audio
  return name.endsWith('_file_url') ? types.data : types.image
}

/** The parameters as the vendor reads them. Throws as `CallerFiles.address` does. */
export async function withAddresses(
  model: MediaModel,
  parameters: MediaParameters,
  files: Pick<CallerFiles, 'address'>,
): Promise<MediaParameters> {
  const addressFor = async (item: unknown) => {
    const fileId = fileOf(item)
    return fileId === undefined ? item : await files.address(fileId)
  }
  const changed = addressesOf(model)
    .filter((name) => parameters[name] !== undefined)
    .map(async (name) => {
      const value = parameters[name]
      const address = Array.isArray(value)
        ? await Promise.all(value.map(addressFor))
        : await addressFor(value)
      return [name, address]
    })
  return { ...parameters, ...Object.fromEntries(await Promise.all(changed)) }
}
