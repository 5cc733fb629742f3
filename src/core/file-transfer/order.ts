// The files that a call puts into a box and wants out of it, as its body and its answer name them.
import { z } from 'zod'

/** In the body or the answer of one call, all files together. Both ways have a limit of their own. */
export const inlineBytesMax = 10_000_000
/** The same for a call of an action, which has a smaller body, and whose answer is kept with it. */
export const callBytesMax = 500_000
/** From the file store, and into it, all files of one call together. */
export const storedBytesMax = 100_000_000
/** How long the files of one call may take, besides its command. */
export const transferTimeoutMs = 240_000
const filesMax = 100
const pathCharactersMax = 1_000
const unprintable = /[\p{Cc}\p{Cs}]/u

const isPlainPath = (path: string) =>
  !unprintable.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))

const path = z.string().min(1).max(pathCharactersMax).refine(isPlainPath, {
  message: 'must be relative, as in data/in.csv, without control characters, "." and ".."',
})

/** The fields of a call that carries files. `bytesMax`: of all contents in its body or answer. */
export const fileFields = (bytesMax: number) => ({
  files: z
    .array(
      z
        .strictObject({
          path,
          content: z.string().optional().describe('The bytes in base64.'),
          file_id: z.uuid().optional().describe('A file of the file store, instead of content.'),
        })
        .refine(({ content, file_id }) => (content === undefined) !== (file_id === undefined), {
          message: 'Send either content or file_id',
        }),
    )
    .max(filesMax)
    .optional()
    .describe(
      `Written before the command starts. Contents have up to ${bytesMax} bytes together; larger files come from the file store.`,
    ),
  collect: z
    .array(path)
    .max(filesMax)
    .optional()
    .describe(
      `Paths of files to return in base64 when the command has ended, up to ${bytesMax} bytes together.`,
    ),
  save: z
    .array(path)
    .max(filesMax)
    .optional()
    .describe('Paths of files to put into the file store when the command has ended.'),
})

export const carriedFile = z.looseObject({
  path: z.string(),
  size: z.int().optional().describe('In bytes.'),
  content: z.string().optional().describe('In base64, of a file in collect.'),
  file_id: z.string().optional().describe('Of a file in save.'),
  error: z.string().optional().describe('Why there is no file: the code of an error.'),
  message: z.string().optional(),
})

/** What a call carries, as its body says. */
export interface FileOrder {
  readonly files?:
    | readonly {
        readonly path: string
        readonly content?: string | undefined
        readonly file_id?: string | undefined
      }[]
    | undefined
  readonly collect?: readonly string[] | undefined
  readonly save?: readonly string[] | undefined
}

export type CarriedFile = z.output<typeof carriedFile>

/** The files of a body, if it names any. */
export function orderOf({ files, collect, save }: FileOrder): FileOrder | undefined {
  const order = { files, collect, save }
  return Object.values(order).some((list) => list?.length) ? order : undefined
}
