// Nonces for signing in. Each one carries its expiry and a code of this gateway, so that the gateway stores a nonce
// only when it is used.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const timeCharacters = 12
const macCharacters = 32
const noncePattern = /^[0-9a-f]{60}$/

export interface SignInNonces {
  issue(expiresAtMs: number): string
  /** Whether the nonce was issued here and has not expired. */
  isValid(nonce: string, nowMs: number): boolean
}

export function createSignInNonces(signInKey: string): SignInNonces {
  const macOf = (text: string) =>
    createHmac('sha256', signInKey).update(text).digest('hex').slice(0, macCharacters)

  return {
    issue(expiresAtMs) {
      const time = expiresAtMs.toString(16).padStart(timeCharacters, '0')
      const text = time + randomBytes(8).toString('hex')
      return text + macOf(text)
    },
    isValid(nonce, nowMs) {
      if (!noncePattern.test(nonce)) return false
      const [text, mac] = [nonce.slice(0, -macCharacters), nonce.slice(-macCharacters)]
      return (
        timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(text))) &&
        Number.parseInt(text.slice(0, timeCharacters), 16) > nowMs
      )
    },
  }
}
