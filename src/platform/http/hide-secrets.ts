// Removes the operator's key from the bytes of a reply that callers get as they are.
import { gunzipSync, gzipSync } from 'node:zlib'
import { redactSecrets } from './vendor-text.ts'

/** The same bytes where they hold no secret, in none of the forms in which a vendor may repeat it. */
export function hideSecrets(bytes: Buffer, secrets: readonly string[]): Buffer {
  if (secrets.length === 0) return bytes
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return hideInGzip(bytes, secrets)
  return hidePlain(bytes, secrets)
}

/** The content of a file. A larger one is not opened, because all callers would wait. */
const unpackedBytesMax = 10_000_000

function hideInGzip(bytes: Buffer, secrets: readonly string[]): Buffer {
  try {
    const content = gunzipSync(bytes, { maxOutputLength: unpackedBytesMax })
    const shown = hidePlain(content, secrets)
    return shown === content ? bytes : gzipSync(shown)
  } catch {
    return bytes
  }
}

function hidePlain(bytes: Buffer, secrets: readonly string[]): Buffer {
  // One byte is one character, so that other content stays as it is.
  const text = bytes.toString('latin1')
  const safe = redactWide(redactSecrets(text, secrets), secrets)
  return safe === text ? bytes : Buffer.from(safe, 'latin1')
}

/** In texts of two bytes to a character (UTF-16), which have a zero beside each letter. */
const wideText = /(?:[^\0]\0){5,}[^\0]?/g

function redactWide(text: string, secrets: readonly string[]): string {
  return text.replaceAll(wideText, (wide) => {
    const narrow = wide.replaceAll('\0', '')
    const safe = redactSecrets(narrow, secrets)
    const end = wide.endsWith('\0') ? '\0' : ''
    return safe === narrow ? wide : [...safe].join('\0') + end
  })
}
