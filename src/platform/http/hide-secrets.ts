// Removes the operator's key from the bytes of a reply that callers get as they are.
import { redactSecrets } from './vendor-text.ts'

/** JSON can write a character as an escape, behind which a key would not be found. */
const escaped = /\\(?:u[0-9a-f]{4}|\/)/i

/** The same bytes where they hold no secret, in none of the forms in which a vendor may repeat it. */
export function hideSecrets(bytes: Buffer, secrets: readonly string[]): Buffer {
  if (secrets.length === 0) return bytes
  // One byte is one character, so that other content stays as it is.
  const text = bytes.toString('latin1')
  const safe = redactWide(redactSecrets(text, secrets), secrets)
  const shown = safe === text ? bytes : Buffer.from(safe, 'latin1')
  return escaped.test(safe) ? hideEscaped(shown, secrets) : shown
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

function hideEscaped(bytes: Buffer, secrets: readonly string[]): Buffer {
  try {
    const plain = JSON.stringify(JSON.parse(bytes.toString('utf8')))
    const safe = redactSecrets(plain, secrets)
    return safe === plain ? bytes : Buffer.from(safe)
  } catch {
    return bytes
  }
}
