// A person takes over an account that an agent opened, and is signed in to it.
import { fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'
import type { Accounts } from '../accounts.ts'
import { readApiKey } from '../keys/api-key.ts'
import type { Keys } from '../keys/keys.ts'
import type { BrowserSignIn, SignIns } from './sign-ins.ts'

export interface Claims {
  /**
   * Makes the person with this address the owner and signs their browser in, by a key of its own whose secret is thrown
   * away. `earlierToken` is as for `SignIns.open`. Throws `not_found` for a token that is spent or unknown.
   */
  open(
    token: string,
    ownerEmail: string,
    earlierToken?: string,
  ): Promise<{
    readonly accountId: string
    readonly token: string
    readonly signIn: BrowserSignIn
  }>
}

export function createClaims({
  database,
  accounts,
  keys,
  signIns,
}: {
  database: Database
  accounts: Accounts
  keys: Keys
  signIns: SignIns
}): Claims {
  return {
    async open(token, ownerEmail, earlierToken) {
      const { accountId, secret } = await database.transaction(async (client) => {
        const claimed = await accounts.claim(token, ownerEmail, client)
        if (claimed === undefined) throw usedClaim()
        const { secret } = await keys.create(claimed, { name: ownerEmail }, client)
        return { ...claimed, secret }
      })
      const rights = { isOperator: false, keyHash: readApiKey(secret) }
      return { accountId, ...(await signIns.open(rights, earlierToken)) }
    },
  }
}

export const usedClaim = () =>
  fail('not_found', { message: 'This claim link was used before, or never existed.' })
