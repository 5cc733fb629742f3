// The pictures of an edit: files of a form, or data addresses in JSON. Both reach the upstream as a form.
import { readDataAddress } from '#core/input/data-address.ts'
import { invalid, isObject } from '../llm/conversation/fields.ts'
import { type FormFile, fieldsOfForm, plainType, type SentForm } from '../surfaces/form.ts'

export interface SentPictures {
  readonly images: readonly FormFile[]
  readonly mask: FormFile | undefined
}

const imagesMax = 16
const kinds: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/** The body of an edit as JSON fields, and its pictures. Throws `bad_request`. */
export function readPictureForm(form: SentForm): {
  readonly body: object
  readonly pictures: SentPictures
} {
  const body = fieldsOfForm(form, {
    numbers: ['n', 'output_compression', 'partial_images', 'max_cost_cents'],
  })
  const images = (form.files.get('image') ?? []).map((file) => requirePicture('image', file))
  const [mask] = (form.files.get('mask') ?? []).map((file) => requirePicture('mask', file))
  return { body, pictures: { images: requireSome('image', images), mask } }
}

export function readPicturesInJson(body: unknown): SentPictures {
  const { images, mask } = isObject(body) ? body : {}
  const list: unknown[] = Array.isArray(images) ? images : []
  return {
    images: requireSome(
      'images',
      list.map((image, place) => readReference(`images[${place}]`, image)),
    ),
    mask: mask == null ? undefined : readReference('mask', mask),
  }
}

function requireSome(name: string, images: readonly FormFile[]): readonly FormFile[] {
  if (images.length === 0 || images.length > imagesMax)
    throw invalid(name, `${name} must be one to ${imagesMax} pictures.`)
  return images
}

function requirePicture(name: string, file: FormFile): FormFile {
  const type = kindOf(file.bytes) ?? plainType(file.type)
  const ending = kinds[type]
  if (ending === undefined || file.bytes.length === 0)
    throw invalid(name, `${name} must be a PNG, JPEG or WebP file.`)
  return { name: `${name}.${ending}`, type, bytes: file.bytes }
}

/** By the first bytes of a file. */
function kindOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return /^RIFF.{4}WEBP/s.test(head) ? 'image/webp' : undefined
}

function readReference(name: string, reference: unknown): FormFile {
  const address = isObject(reference) ? reference.image_url : undefined
  const read = typeof address === 'string' ? readDataAddress(address) : undefined
  if (read === undefined)
    throw invalid(
      'images',
      `${name} must be {"image_url": "data:image/png;base64,…"}. Or send the pictures as a form.`,
    )
  return requirePicture(name.split('[')[0] ?? name, {
    name,
    type: read.mediaType,
    bytes: Buffer.from(read.data, 'base64'),
  })
}
