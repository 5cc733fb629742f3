import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'

/**
 * Attachments in the vendor's form: it fetches each from a signed address. Throws `not_found`, and
 * `provider_not_configured` where the vendor cannot reach this gateway.
 */
export async function toVendorAttachments(
  files: CallerFiles,
  attachments: readonly { readonly file_id: string; readonly filename?: string | undefined }[] = [],
) {
  if (attachments.length === 0) return undefined
  return await Promise.all(
    attachments.map(async ({ file_id, filename }) => {
      const file = await files.find(file_id)
      const url = await files.address(file_id)
      if (!isReachable(url))
        throw fail('provider_not_configured', {
          message:
            'The vendor fetches attachments from this gateway and cannot reach it. Ask the operator to set PUBLIC_BASE_URL to a public https address. Nothing was sent or charged.',
        })
      return { filename: filename ?? file.filename, content_type: file.mediaType, url }
    }),
  )
}

/** A name, not an address or a machine of this network, by https. */
function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname)
}
