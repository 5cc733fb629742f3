// What people sign in with: an API key, the operator's token, a passkey, or a link that works once.
import { createHash, timingSafeEqual } from 'node:crypto'
import { readApiKey } from '#accounts/keys/api-key.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { PasskeyAssertion, Passkeys } from '#accounts/sign-in/passkeys.ts'
import type { BrowserSignIn, ShownLink, SignIns } from '#accounts/sign-in/sign-ins.ts'
import { type CallError, fail } from '#core/errors.ts'

export type SignInProof =
  | { readonly kind: 'secret'; readonly text: string }
  | ({ readonly kind: 'link' } & ShownLink)
  | { readonly kind: 'passkey'; readonly shown: PasskeyAssertion }

export interface SignInDesk {
  /**
   * Signs in. Throws `invalid_token`, `account_frozen`, and `forbidden` for the operator at a listener for callers
   * only.
   */
  signIn(
    credential: SignInProof,
    at: {
      /** The token of an earlier sign-in of the same browser. */
      readonly earlierToken: string | undefined
      /** Whether the operator may sign in at this listener. */
      readonly mayOperate: boolean
    },
  ): Promise<{ readonly token: string; readonly signIn: BrowserSignIn }>
}

export function createSignInDesk({
  signIns,
  passkeys,
  authenticate,
  adminToken,
  operatorUrl,
}: {
  signIns: SignIns
  passkeys: Pick<Passkeys, 'check'>
  authenticate: Authenticate
  adminToken: string
  /** The address of the listener at which the operator signs in. */
  operatorUrl: () => string
}): SignInDesk {
  return {
    async signIn(proof, { earlierToken, mayOperate }) {
      if (proof.kind === 'link') {
        const isElsewhere = !mayOperate && (await signIns.findLink(proof))?.isOperator
        if (isElsewhere) throw otherListenerOfLink(operatorUrl())
        const opened = await signIns.openByLink(proof, earlierToken)
        if (opened === undefined) throw usedLink()
        return opened
      }
      if (proof.kind === 'secret' && isAdminToken(proof.text, adminToken)) {
        if (!mayOperate) throw otherListener(operatorUrl())
        return await signIns.open({ isOperator: true }, earlierToken)
      }
      const keyHash =
        proof.kind === 'passkey' ? await passkeys.check(proof.shown) : readApiKey(proof.text)
      if (keyHash === undefined) throw wrongSecret()
      await authenticate(keyHash)
      return await signIns.open({ isOperator: false, keyHash }, earlierToken)
    },
  }
}

export function isAdminToken(text: string, adminToken: string): boolean {
  const digest = (each: string) => createHash('sha256').update(each).digest()
  return timingSafeEqual(digest(text), digest(adminToken))
}

const wrongSecret = (): CallError =>
  fail('invalid_token', {
    message: 'This is neither an API key nor the operator’s token. Check it and try again.',
  })

const otherListener = (url: string): CallError =>
  fail('forbidden', {
    message: `The operator of this gateway signs in at another address: ${url}/sign-in. Open that one.`,
  })

const otherListenerOfLink = (url: string): CallError =>
  fail('forbidden', {
    message: `This link signs the operator in at another address: open it at ${url}. It was not used here.`,
  })

export const usedLink = (): CallError =>
  fail('invalid_token', {
    message:
      'This link was used before, has expired, or was asked for in another browser. Sign in in another way.',
  })
