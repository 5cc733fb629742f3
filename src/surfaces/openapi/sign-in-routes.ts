// The addresses at which people sign in with a browser.
import { askedLink, confirmation, newAddress } from '../http/routes/mailed-links.ts'
import { newPasskey } from '../http/routes/passkeys.ts'
import { credential, signOut } from '../http/routes/sign-in.ts'
import {
  anyObject,
  type Described,
  integer,
  type Method,
  object,
  objectWith,
  text,
  textOrNull,
} from './described.ts'

const page = 'text/html'

type Routes = Record<string, Partial<Record<Method, Described>>>

const pages: Routes = {
  '/sign-in': {
    get: { summary: 'A page to sign in with a browser.', type: page },
    post: {
      summary: 'Sign in by the form of that page. The answer leads to the path `next`.',
      form: true,
      body: objectWith({ next: text }, { secret: text, passkey: text }),
      status: 303,
      type: page,
      errors: ['invalid_token', 'forbidden'],
    },
  },
  '/sign-in/methods': {
    get: { summary: 'A page to add and remove ways to sign in.', type: page },
    post: {
      summary: 'Add or remove a way to sign in by the forms of that page.',
      form: true,
      body: objectWith(
        { csrf: text },
        { name: text, passkey: text, email: text, confirm: text, remove: text },
      ),
      status: 303,
      type: page,
      textErrors: true,
      errors: ['bad_request', 'forbidden', 'not_found'],
    },
  },
  '/sign-in/links': {
    post: {
      summary: 'Ask for a link by mail by the form of the page to sign in.',
      form: true,
      body: object({ email: text, next: text }),
      type: page,
      errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
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
}

/** `key`: how a key is shown. */
export const signInRoutes = (key: object): Routes => ({
  ...pages,
  ...apiRoutes(key),
  ...methodRoutes(key),
})

function apiRoutes(key: object): Routes {
  const signIn = object({
    operator: { type: 'boolean' },
    account_id: textOrNull,
    account_name: textOrNull,
    key: { anyOf: [key, { type: 'null' }] },
    csrf_token: text,
    file_store: {
      ...textOrNull,
      description: 'The address below which files are kept, if it is not the gateway’s own.',
    },
    expires_at: text,
  })
  return {
    '/api/v1/sign-in': {
      get: {
        summary: 'Who is signed in with this browser, and its CSRF token.',
        answer: signIn,
        errors: ['invalid_token', 'forbidden'],
      },
      post: {
        summary:
          'Sign in with an API key, the operator’s token, a passkey or a link. The answer sets a cookie; with it and the header X-CSRF-Token, requests count as those of the key or the operator.',
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
    '/api/v1/sign-in/passkey-options': {
      post: {
        summary:
          'What a page passes to navigator.credentials.get, to sign in with a passkey. It works once, for 15 minutes.',
        answer: anyObject,
        errors: ['forbidden', 'unavailable'],
      },
    },
    '/api/v1/sign-in/links': {
      post: {
        summary:
          'Ask for a link by mail that signs in, once, in this browser. The answer is the same for every address.',
        body: askedLink,
        status: 202,
        answer: object({ expires_in_seconds: integer }),
        errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
      },
    },
  }
}

/** By which a person adds ways to sign in. */
const methodRoutes = (key: object): Routes => ({
  '/api/v1/sign-in-addresses': {
    post: {
      summary: 'Mail a link that confirms an address. From then on, links mailed to it sign in.',
      security: 'apiKey',
      body: newAddress,
      status: 202,
      answer: object({ email: text, expires_in_seconds: integer }),
      errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
    },
  },
  '/api/v1/sign-in-addresses/confirm': {
    post: {
      summary:
        'Confirm an address with the token of the mailed link. It is a key without a secret: limit or revoke it as any key.',
      security: 'apiKey',
      body: confirmation,
      status: 201,
      answer: key,
      errors: ['bad_request', 'forbidden', 'not_found'],
    },
  },
  '/api/v1/passkeys/options': {
    post: {
      summary:
        'What a page passes to navigator.credentials.create, to make a passkey. It works once, for 15 minutes.',
      security: 'apiKey',
      answer: anyObject,
      errors: ['forbidden', 'unavailable'],
    },
  },
  '/api/v1/passkeys': {
    post: {
      summary:
        'Add a passkey that signs in to the account. It is a key without a secret: limit or revoke it as any key.',
      security: 'apiKey',
      body: newPasskey,
      status: 201,
      answer: key,
      errors: ['bad_request', 'forbidden', 'unavailable'],
    },
  },
})
