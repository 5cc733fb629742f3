// People sign in with a browser: pages with forms, and /api/v1/sign-in for the console.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { operatorRoles } from '#accounts/operators/role.ts'
import { type Passkeys, passkeyAssertion } from '#accounts/sign-in/passkeys.ts'
import type { BrowserSignIn, SignIns } from '#accounts/sign-in/sign-ins.ts'
import { z } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import { addRoute } from '../../doors/add-route.ts'
import { readInput } from '../../doors/input.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { defineRoute } from '../../doors/route.ts'
import {
  anyObject,
  html,
  integer,
  object,
  objectWith,
  text,
  textOrNull,
} from '../../doors/shapes.ts'
import type { OperatorDoor } from '../operator-door.ts'
import { signInLinkPage } from '../pages/sign-in.ts'
import {
  clearCookie,
  csrfTokenOf,
  readBrowserSecret,
  readCookie,
  readProvenCookie,
  refuseOtherOrigins,
} from '../sign-in/cookie.ts'
import { type SignInDesk, type SignInProof, usedLink } from '../sign-in/credentials.ts'
import { ownPath, readForms, readJsonField } from '../sign-in/forms.ts'
import { endedBy, type HeldSignIns } from '../sign-in/held.ts'
import type { ShowSignIn } from '../sign-in/page.ts'
import { showKey, shownKey } from './keys.ts'

const secret = z.string().min(1).max(200)
/** Exactly one of the three. */
const credential = z.union([
  z.strictObject({ secret }),
  z.strictObject({ link: secret }),
  z.strictObject({ passkey: passkeyAssertion }),
])
const signOut = z.strictObject({
  everywhere: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: from the account in every browser.'),
  all_accounts: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: from every account that this browser is signed in to.'),
})

/** A guess counts as much as a wrong key of a call. */
const wrongCredentialPoints = 4

interface Dependencies {
  desk: SignInDesk
  signIns: SignIns
  held: HeldSignIns
  passkeys: Passkeys
  showSignIn: ShowSignIn
  /** Where people go who wanted no page in particular. */
  startPath: string
  /** Whether a request has come by a listener that answers the operator's routes. */
  mayOperate: OperatorDoor['mayOperate']
  authenticate: Authenticate
  accounts: Accounts
  keys: Keys
  /** The address below which files are kept, if it is not the gateway's own. */
  fileStore: string | undefined
}

type SentForm =
  | {
      readonly next?: string
      readonly secret?: string
      readonly passkey?: string
      readonly account?: string
    }
  | undefined

const nextIn = ({ query }: FastifyRequest) => (query as { next?: string }).next

const shownSignIn = object({
  operator: { type: 'boolean' },
  operator_role: { enum: [...operatorRoles, null] },
  account_id: textOrNull,
  account_name: textOrNull,
  key: { anyOf: [shownKey, { type: 'null' }] },
  other_accounts: {
    ...integer,
    description: 'How many other accounts this browser is signed in to. /sign-in switches.',
  },
  csrf_token: text,
  passkeys_at: {
    ...textOrNull,
    description: 'The only address at which browsers have passkeys for this gateway. Null: none.',
  },
  file_store: {
    ...textOrNull,
    description: 'The address below which files are kept, if it is not the gateway’s own.',
  },
  expires_at: text,
})

export const signInPage = defineRoute({
  method: 'get',
  path: '/sign-in',
  summary: 'A page to sign in with a browser.',
  type: html,
})
export const signInByForm = defineRoute({
  method: 'post',
  path: '/sign-in',
  summary: 'Sign in by the form of that page. The answer leads to the path `next`.',
  form: true,
  body: objectWith({ next: text }, { secret: text, passkey: text }),
  status: 303,
  type: html,
  errors: ['invalid_token', 'forbidden'],
})
export const switchAccount = defineRoute({
  method: 'post',
  path: '/sign-in/switch',
  summary:
    'Act for another account that this browser is signed in to, by the form of that page. The answer leads to `next`.',
  form: true,
  body: object({ account: text, next: text }),
  status: 303,
  type: html,
  errors: ['forbidden', 'not_found'],
})
export const linkPage = defineRoute({
  method: 'get',
  path: '/sign-in/{link}',
  summary: 'A page to sign in by a link that works once.',
  type: html,
  errors: ['not_found'],
})
export const signInByLink = defineRoute({
  method: 'post',
  path: '/sign-in/{link}',
  summary: 'Sign in by the link.',
  form: true,
  body: object({ next: text }),
  status: 303,
  type: html,
  errors: ['invalid_token', 'forbidden'],
})
export const readSignIn = defineRoute({
  method: 'get',
  path: '/api/v1/sign-in',
  summary: 'Who is signed in with this browser, and its CSRF token.',
  answer: shownSignIn,
  errors: ['invalid_token', 'forbidden'],
})
export const createSignIn = defineRoute({
  method: 'post',
  path: '/api/v1/sign-in',
  checksInput: true,
  summary:
    'Sign in with an API key, the operator’s token, a passkey or a link. The answer sets a cookie; with it and the header X-CSRF-Token, requests count as those of the key or the operator.',
  body: credential,
  answer: shownSignIn,
  errors: ['bad_request', 'invalid_token', 'forbidden'],
})
export const deleteSignIn = defineRoute({
  method: 'delete',
  path: '/api/v1/sign-in',
  summary:
    'Sign out. With `everywhere=true`, in every browser; with `all_accounts=true`, from all accounts of this browser.',
  query: signOut,
  answer: object({ signed_out: { const: true } }),
  errors: ['bad_request', 'invalid_token'],
})
export const passkeyOptions = defineRoute({
  method: 'post',
  path: '/api/v1/sign-in/passkey-options',
  summary:
    'What a page passes to navigator.credentials.get, to sign in with a passkey. It works once, for 15 minutes.',
  answer: anyObject,
  errors: ['forbidden', 'unavailable'],
})

export function addSignInRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { signIns, held, passkeys, mayOperate } = dependencies
  const show = createShow(dependencies)
  const signIn = createSigningIn(dependencies)

  /** A browser sends its cookie to all ports of a host, so the operator's may also come by the listener for callers. */
  const rightsAt = (request: FastifyRequest, opened: BrowserSignIn): BrowserSignIn => ({
    ...opened,
    operator: mayOperate(request.raw) ? opened.operator : undefined,
  })

  addRoute(server, createSignIn, async ({ request }, reply) => {
    refuseOtherOrigins(request)
    const sent = readInput(credential, request.body)
    const {
      token,
      signIn: opened,
      others,
    } = await signIn(request, reply, proofOf(sent, readBrowserSecret(request)))
    return await show(token, rightsAt(request, opened), others)
  })

  addRoute(server, passkeyOptions, async ({ request }, reply) => {
    refuseOtherOrigins(request)
    reply.header('cache-control', 'no-store')
    return await passkeys.askToSignIn()
  })

  addRoute(server, readSignIn, async ({ request }, reply) => {
    refuseOtherOrigins(request)
    const token = readCookie(request)
    const signedIn = token === undefined ? undefined : await signIns.find(token)
    const found = signedIn && rightsAt(request, signedIn)
    if (token === undefined || !(found?.operator || found?.keyHash))
      throw fail('invalid_token', { message: 'You are not signed in. Sign in at /sign-in.' })
    reply.header('cache-control', 'no-store')
    const { others } = await held.read(request)
    return await show(token, found, others.length)
  })

  addRoute(server, deleteSignIn, async ({ request, query }, reply) => {
    const { everywhere, all_accounts: allAccounts } = query
    const token = readProvenCookie(request)
    if (token === undefined)
      throw fail('invalid_token', {
        message: 'Send the cookie, and its CSRF token in the header X-CSRF-Token.',
      })
    if (allAccounts === 'true') await held.endOthers(request, reply)
    await (everywhere === 'true' ? signIns.endEverywhere(token) : signIns.end(token))
    clearCookie(reply)
    return { signed_out: true }
  })

  server.register(async (pages) => addPages(pages, dependencies, signIn))
}

function proofOf(sent: z.output<typeof credential>, browser: string | undefined): SignInProof {
  if ('passkey' in sent) return { kind: 'passkey', shown: sent.passkey }
  return 'link' in sent
    ? { kind: 'link', token: sent.link, browser }
    : { kind: 'secret', text: sent.secret }
}

type SigningIn = ReturnType<typeof createSigningIn>

function createSigningIn({ desk, held, mayOperate }: Dependencies) {
  return async (request: FastifyRequest, reply: FastifyReply, sent: SignInProof) => {
    try {
      const opened = await desk.signIn(sent, {
        earlierToken: readCookie(request),
        mayOperate: mayOperate(request.raw),
      })
      return { ...opened, others: await held.enter(request, reply, opened) }
    } catch (thrown) {
      if (thrown instanceof CallError && thrown.code === 'invalid_token')
        await request.server.weigh(request, reply, wrongCredentialPoints)
      throw thrown
    }
  }
}

/** What a page needs to know of its sign-in. */
function createShow({ authenticate, accounts, keys, passkeys, fileStore }: Dependencies) {
  return async (token: string, { operator, keyHash, expiresAt }: BrowserSignIn, others: number) => {
    const caller = keyHash === undefined ? undefined : await authenticate(keyHash)
    const [account, key] =
      caller === undefined
        ? []
        : await Promise.all([
            accounts.find(caller.accountId),
            keys.find(caller.accountId, caller.keyId),
          ])
    return {
      operator: operator !== undefined,
      operator_role: operator?.role ?? null,
      account_id: account?.id ?? null,
      account_name: account?.name ?? null,
      key: key === undefined ? null : showKey(key),
      other_accounts: others,
      csrf_token: csrfTokenOf(token),
      passkeys_at: passkeys.site()?.origin ?? null,
      file_store: fileStore ?? null,
      expires_at: expiresAt,
    }
  }
}

function addPages(server: FastifyInstance, dependencies: Dependencies, signIn: SigningIn) {
  const { signIns, held, showSignIn, startPath } = dependencies
  readForms(server)

  /** Leads on to the page that the person wanted, or shows what is wrong. */
  async function enter(request: FastifyRequest, reply: FastifyReply, read: () => SignInProof) {
    refuseOtherOrigins(request)
    const next = ownPath((request.body as SentForm)?.next, startPath)
    try {
      await signIn(request, reply, read())
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.status >= 500) throw thrown
      return await showSignIn(request, reply.code(thrown.status), {
        next,
        problem: thrown.message,
      })
    }
    return reply.redirect(next, 303)
  }

  addRoute(server, signInPage, ({ request }, reply) =>
    showSignIn(request, reply, { next: ownPath(nextIn(request), startPath) }),
  )

  addRoute(server, signInByForm, ({ request }, reply) =>
    enter(request, reply, () => {
      const { secret, passkey } = (request.body as SentForm) ?? {}
      return passkey
        ? { kind: 'passkey', shown: readJsonField(passkeyAssertion, passkey) }
        : { kind: 'secret', text: String(secret ?? '').trim() }
    }),
  )

  addRoute(server, switchAccount, async ({ request }, reply) => {
    refuseOtherOrigins(request)
    const { account = '', next: wanted } = (request.body as SentForm) ?? {}
    const next = ownPath(wanted, startPath)
    if (await held.switchTo(request, reply, account === '' ? null : account))
      return reply.redirect(next, 303)
    const problem = 'This browser is no longer signed in to that account. Sign in again.'
    return await showSignIn(request, reply.code(404), { next, problem })
  })

  addRoute(server, linkPage, async ({ request, params: { link } }, reply) => {
    const next = ownPath(nextIn(request), startPath)
    const found = await signIns.findLink({ token: link, browser: readBrowserSecret(request) })
    if (found !== undefined) {
      const holds = await held.read(request)
      return sendGuardedPage(
        reply,
        signInLinkPage({
          link,
          next,
          to: found,
          current: holds.current?.signIn,
          endsNext: endedBy(holds, found.account?.id),
        }),
      )
    }
    return await showSignIn(request, reply.code(404), { next, problem: usedLink().message })
  })

  addRoute(server, signInByLink, ({ request, params }, reply) =>
    enter(request, reply, () => ({
      kind: 'link',
      token: params.link,
      browser: readBrowserSecret(request),
    })),
  )
}
