// The page on which a person adds and removes ways to sign in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import {
  readSignInAddress,
  type SignInAddresses,
  usedConfirmation,
} from '#accounts/sign-in/addresses.ts'
import type { MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import type { Passkeys } from '#accounts/sign-in/passkeys.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import { CallError, fail } from '#core/errors.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { readInput } from '../../doors/input.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, objectWith, text } from '../../doors/shapes.ts'
import { signInMethodsPage } from '../pages/sign-in-methods.ts'
import { refuseOtherOrigins } from '../sign-in/cookie.ts'
import { readForms, readJsonField } from '../sign-in/forms.ts'
import { isAtSite, type ShowSignIn } from '../sign-in/page.ts'
import {
  createVisitorCheck,
  csrfField,
  requireCsrfToken,
  type Visitor,
} from '../sign-in/visitor.ts'
import { revokeKey } from './keys.ts'
import { newPasskey } from './passkeys.ts'

interface Dependencies {
  signIns: SignIns
  authenticate: Authenticate
  accounts: Accounts
  keys: Keys
  passkeys: Passkeys
  addresses: SignInAddresses
  mailedLinks: MailedLinks
  showSignIn: ShowSignIn
}

interface Fields {
  readonly csrf?: string
  readonly name?: string
  readonly passkey?: string
  readonly email?: string
  readonly confirm?: string
  readonly remove?: string
}

/** What the page tells besides the ways to sign in. */
interface Told {
  readonly problem?: string
  readonly notice?: string
  readonly confirmation?: { readonly address: string; readonly token: string }
}

/** What a person should know who has just claimed the account. */
const claimedNotices = {
  mailed:
    'The account is yours, and this browser is signed in. A link is on its way to your address: open it here within 15 minutes, and the address signs in from then on.',
  'not-mailed':
    'The account is yours, and this browser is signed in. No mail could be sent to your address. Add a passkey, or the address again, so that you can sign in later.',
  'without-mail':
    'The account is yours, and this browser is signed in. Add a passkey or make an API key, so that you can sign in later.',
} as const

export type ClaimedNotice = keyof typeof claimedNotices

function noticeOfClaim(claimed: string | undefined): Told {
  const known = Object.entries(claimedNotices).find(([name]) => name === claimed)
  return known === undefined ? {} : { notice: known[1] }
}

export const methodsPage = defineRoute({
  method: 'get',
  path: '/sign-in/methods',
  summary: 'A page to add and remove ways to sign in.',
  type: html,
})
export const changeMethods = defineRoute({
  method: 'post',
  path: '/sign-in/methods',
  summary: 'Add or remove a way to sign in by the forms of that page.',
  form: true,
  body: objectWith(
    { csrf: text },
    { name: text, passkey: text, email: text, confirm: text, remove: text },
  ),
  status: 303,
  type: html,
  textErrors: true,
  errors: ['bad_request', 'forbidden', 'not_found'],
})

export function addSignInMethodsPage(server: FastifyInstance, dependencies: Dependencies) {
  const visitorOf = createVisitorCheck(
    dependencies,
    'A key with limits cannot change how people sign in. Sign in with an unlimited key of the account.',
  )
  const config = { credentialOfItsOwn: true, textErrors: true }
  const show = createShow(dependencies)
  const change = createChange(dependencies)

  server.register(async (pages) => {
    readForms(pages)
    const open: Handler<typeof methodsPage> = async ({ request }, reply) => {
      const visitor = await visitorOf(request, reply)
      if (visitor === undefined) return reply
      const { confirm: token, claimed } = request.query as { confirm?: string; claimed?: string }
      if (token === undefined) return await show(request, reply, visitor, noticeOfClaim(claimed))
      const address = await dependencies.addresses.findConfirmation(visitor.caller, token)
      return address === undefined
        ? await show(request, reply.code(404), visitor, { problem: usedConfirmation().message })
        : await show(request, reply, visitor, { confirmation: { address, token } })
    }
    const submit: Handler<typeof changeMethods> = async ({ request }, reply) => {
      refuseOtherOrigins(request)
      const fields = request.body as Fields | undefined
      const visitor = await visitorOf(request, reply)
      if (visitor === undefined) return reply
      requireCsrfToken(visitor, fields?.csrf)
      try {
        const notice = await change(visitor, fields ?? {})
        if (notice !== undefined) return await show(request, reply, visitor, { notice })
      } catch (thrown) {
        if (!(thrown instanceof CallError)) throw thrown
        return await show(request, reply.code(thrown.status), visitor, { problem: thrown.message })
      }
      return reply.redirect(methodsPage.path, 303)
    }
    addRoute(pages, methodsPage, open, { config })
    addRoute(pages, changeMethods, submit, { config })
  })
}

function createShow({ keys, passkeys, mailedLinks }: Dependencies) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    told: Told = {},
  ) => {
    const html = signInMethodsPage({
      confirmation: undefined,
      ...told,
      mailsLinks: mailedLinks.isOn,
      accountName: visitor.accountName,
      csrf: csrfField(visitor),
      methods: await keys.listSignInMethods(visitor.caller.accountId),
      site: passkeys.site()?.origin,
      passkeyOptions: isAtSite(passkeys, request)
        ? await passkeys.askToRegister(visitor.caller)
        : undefined,
    })
    return sendGuardedPage(reply, html)
  }
}

/** Resolves to what the person should know, if the page does not show it. */
function createChange({ keys, passkeys, addresses, mailedLinks }: Dependencies) {
  return async ({ caller }: Visitor, fields: Fields): Promise<string | undefined> => {
    const owner = { accountId: caller.accountId, keyId: caller.keyId }
    if (fields.remove !== undefined) await revokeKey(keys, owner, { keyId: fields.remove })
    else if (fields.confirm !== undefined) await addresses.confirm(owner, fields.confirm)
    else if (fields.email !== undefined) {
      const address = readSignInAddress(fields.email)
      await mailedLinks.askToConfirm(owner, address)
      return `A link is on its way to ${address}. Open it within 15 minutes, in a browser that is signed in to this account.`
    } else if (fields.passkey !== undefined) {
      const { name } = readInput(newPasskey.pick({ name: true }), { name: fields.name })
      const made = readJsonField(newPasskey.shape.passkey, fields.passkey)
      await passkeys.register(owner, name, made)
    } else throw fail('bad_request', { message: 'The form is empty. Fill in one of its fields.' })
    return undefined
  }
}
