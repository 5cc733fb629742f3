// Encrypts text that is stored. The key derives from a secret outside the database, so the database alone reveals
// nothing.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** Sealing the same text twice gives different bytes. */
export function sealText(text: string, secret: string): Buffer {
  const salt = randomBytes(saltBytes)
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, deriveKey(secret, salt), nonce)
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([salt, nonce, sealing.getAuthTag(), sealed])
}

/** Undefined if the secret is wrong or the bytes were changed. */
export function openSealedText(bytes: Buffer, secret: string): string | undefined {
  const [salt, nonce, tag, sealed] = split(bytes, [saltBytes, nonceBytes, tagBytes])
  try {
    const opening = createDecipheriv(cipher, deriveKey(secret, salt), nonce).setAuthTag(tag)
    return Buffer.concat([opening.update(sealed), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function deriveKey(secret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, 'tollway sealed text', keyBytes))
}

function split(bytes: Buffer, [salt, nonce, tag]: [number, number, number]) {
  return [
    bytes.subarray(0, salt),
    bytes.subarray(salt, salt + nonce),
    bytes.subarray(salt + nonce, salt + nonce + tag),
    bytes.subarray(salt + nonce + tag),
  ] as const
}
