// Challenges of passkeys. They are signed instead of stored, so that a page that asks for one costs no row; an answered
// one is stored, so that an answer counts once.
import { createHash, randomBytes } from 'node:crypto'
import type { Clock, UrlSigner } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export interface PasskeyChallenges {
  /** A challenge for this purpose, such as signing in. */
  issue(purpose: string): string
  /** Whether an answer to this purpose carries a challenge that has not expired. `sent` is the base64url of it. */
  accepts(purpose: string, sent: string): boolean
  /** Resolves to false if it was answered before. */
  use(sent: string): Promise<boolean>
  forgetOld(): Promise<void>
}

const nonceBytes = 16
const challengePattern = /^([\w-]{22})\?exp=(\d{1,12})&sig=([\w-]{43})$/
const lifetimeSeconds = 900
/** An answer that is recorded is remembered for longer than its challenge lives. */
const rememberedSeconds = 2 * lifetimeSeconds

export function createPasskeyChallenges({
  database,
  signer,
  clock,
}: {
  database: Database
  signer: UrlSigner
  clock: Clock
}): PasskeyChallenges {
  const subjectOf = (purpose: string, nonce: string) => `${purpose} ${nonce}`
  return {
    issue(purpose) {
      const nonce = randomBytes(nonceBytes).toString('base64url')
      const expiresAtMs = clock.now() + lifetimeSeconds * 1_000
      return `${nonce}?${signer.sign('passkey', subjectOf(purpose, nonce), expiresAtMs)}`
    },
    accepts(purpose, sent) {
      const [, nonce = '', exp, sig] = challengePattern.exec(textOf(sent)) ?? []
      return signer.accepts('passkey', subjectOf(purpose, nonce), { exp, sig })
    },
    async use(sent) {
      const used = await database.query(
        `insert into used_challenge (hash, expires_at) values ($1, now() + $2 * interval '1 second')
         on conflict do nothing returning 1`,
        [hashOf(challengePattern.exec(textOf(sent))?.[1] ?? ''), rememberedSeconds],
      )
      return used.length > 0
    },
    async forgetOld() {
      await database.query('delete from used_challenge where expires_at < now()')
    },
  }
}

const textOf = (sent: string) => Buffer.from(sent, 'base64url').toString()

const hashOf = (nonce: string) => createHash('sha256').update(nonce).digest()
