// The queries of signed addresses, as the documents describe them. The routes check the signatures.
import { z } from '#core/action.ts'

export const signature = z.object({ exp: z.string(), sig: z.string() })
/** Of an address that a key may have asked for. */
export const signatureOfKey = signature.extend({ key: z.string().optional() })
