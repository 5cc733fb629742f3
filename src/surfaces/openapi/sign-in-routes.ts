// The addresses at which people sign in with a browser.
import { credential, signOut } from '../http/routes/sign-in.ts'
import { type Described, type Method, object, text, textOrNull } from './described.ts'

const page = 'text/html'

export function signInRoutes(key: object): Record<string, Partial<Record<Method, Described>>> {
  const signIn = object({
    operator: { type: 'boolean' },
    account_id: textOrNull,
    account_name: textOrNull,
    key: { anyOf: [key, { type: 'null' }] },
    csrf_token: text,
    expires_at: text,
  })
  return {
    '/sign-in': {
      get: { summary: 'A page to sign in with a browser.', type: page },
      post: {
        summary: 'Sign in by the form of that page. The answer leads to the path `next`.',
        form: true,
        body: object({ next: text, secret: text }),
        status: 303,
        type: page,
        errors: ['invalid_token', 'forbidden'],
      },
    },
    '/sign-in/{link}': {
      get: {
        summary: 'A page to sign in by a link that works once.',
        type: page,
        errors: ['not_found'],
      },
      post: {
        summary: 'Sign in by the link.',
        form: true,
        body: object({ next: text }),
        status: 303,
        type: page,
        errors: ['invalid_token', 'forbidden'],
      },
    },
    '/api/v1/sign-in': {
      get: {
        summary: 'Who is signed in with this browser, and its CSRF token.',
        answer: signIn,
        errors: ['invalid_token', 'forbidden'],
      },
      post: {
        summary:
          'Sign in with an API key, the operator’s token or a link. The answer sets a cookie; with it and the header X-CSRF-Token, requests count as those of the key or the operator.',
        body: credential,
        answer: signIn,
        errors: ['bad_request', 'invalid_token', 'forbidden'],
      },
      delete: {
        summary: 'Sign out. With `everywhere=true`, in every browser.',
        query: signOut,
        answer: object({ signed_out: { const: true } }),
        errors: ['bad_request', 'invalid_token'],
      },
    },
  }
}
