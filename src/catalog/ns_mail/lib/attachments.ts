import type { CallerFiles } from '#core/files.ts'

/** Attachments in the vendor's form: it fetches each from a signed address. Throws `not_found`. */
export async function toVendorAttachments(
  files: CallerFiles,
  attachments: readonly { readonly file_id: string; readonly filename?: string | undefined }[] = [],
) {
  if (attachments.length === 0) return undefined
  return await Promise.all(
    attachments.map(async ({ file_id, filename }) => {
      const file = await files.find(file_id)
      const url = await files.address(file_id)
      return { filename: filename ?? file.filename, content_type: file.mediaType, url }
    }),
  )
}
