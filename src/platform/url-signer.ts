import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock, UrlSigner } from '#core/ports.ts'

export function createUrlSigner({ key, clock }: { key: string; clock: Clock }): UrlSigner {
  const signatureOf = (purpose: string, subject: string, exp: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, subject, exp]))
      .digest()
  return {
    sign(purpose, subject, expiresAtMs) {
      const exp = String(Math.floor(expiresAtMs / 1_000))
      return `exp=${exp}&sig=${signatureOf(purpose, subject, exp).toString('base64url')}`
    },
    accepts(purpose, subject, { exp, sig }) {
      if (typeof exp !== 'string' || typeof sig !== 'string' || !/^\d{1,12}$/.test(exp))
        return false
      const given = Buffer.from(sig, 'base64url')
      const expected = signatureOf(purpose, subject, exp)
      const same = given.length === expected.length && timingSafeEqual(given, expected)
      return same && Number(exp) * 1_000 > clock.now()
    },
  }
}
