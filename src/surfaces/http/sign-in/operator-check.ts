// Who sends a request to the operator's routes: the holder of ADMIN_TOKEN, or a person, with a token of their own or
// signed in with a browser.
import { readApiKey } from '#accounts/keys/api-key.ts'
import type { Operators } from '#accounts/operators/operators.ts'
import { type Operator, tokenHolder } from '#accounts/operators/role.ts'
import type { BrowserSignIn, SignIns } from '#accounts/sign-in/sign-ins.ts'
import { isAdminToken } from './credentials.ts'

export interface OperatorProof {
  readonly token?: string | undefined
  /** The cookie of a browser, which proves to be on a page of this gateway. */
  readonly cookie?: string | undefined
}

export interface OperatorCheck {
  /** Whether it is ADMIN_TOKEN, which is known without the database. */
  isAdminToken(token: string): boolean
  /** Undefined for a credential with which nothing is operated. */
  find(proof: OperatorProof): Promise<Operator | undefined>
}

export function createOperatorCheck({
  adminToken,
  signIns,
  operators,
}: {
  readonly adminToken: string
  readonly signIns: Pick<SignIns, 'find'>
  readonly operators: Pick<Operators, 'ofKey' | 'recordUse'>
}): OperatorCheck {
  return {
    isAdminToken: (token) => isAdminToken(token, adminToken),
    async find({ token, cookie }) {
      if (token === undefined)
        return cookie === undefined ? undefined : recorded(await signIns.find(cookie))
      if (isAdminToken(token, adminToken)) return tokenHolder
      const keyHash = readApiKey(token)
      return keyHash && recorded({ keyHash, operator: await operators.ofKey(keyHash) })
    },
  }

  function recorded(found: Pick<BrowserSignIn, 'operator' | 'keyHash'> | undefined) {
    const { operator, keyHash } = found ?? {}
    if (operator?.person !== undefined && keyHash !== undefined) operators.recordUse(keyHash)
    return operator
  }
}
