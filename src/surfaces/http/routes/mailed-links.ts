// People ask for a link by mail: to sign in, or to confirm an address that then signs in to their account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  mailedLinkSeconds,
  readSignInAddress,
  type SignInAddresses,
} from '#accounts/sign-in/addresses.ts'
import type { MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import { z } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import { addRoute } from '../../doors/add-route.ts'
import { readInput } from '../../doors/input.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { sourceOf } from '../../doors/rate-limit.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, integer, object, text } from '../../doors/shapes.ts'
import { linkMailedPage } from '../pages/sign-in.ts'
import { refuseOtherOrigins, setBrowserSecret } from '../sign-in/cookie.ts'
import { ownPath, readForms } from '../sign-in/forms.ts'
import type { ShowSignIn } from '../sign-in/page.ts'
import { showKey, shownKey } from './keys.ts'

const email = z.string().min(1).max(254)
const askedLink = z.strictObject({ email, next: z.string().max(2_000).optional() })
const newAddress = z.strictObject({ email })
const confirmation = z.strictObject({ token: z.string().min(1).max(100) })

interface Dependencies {
  mailedLinks: MailedLinks
  addresses: SignInAddresses
  showSignIn: ShowSignIn
  startPath: string
}

export const askLinkByForm = defineRoute({
  method: 'post',
  path: '/sign-in/links',
  summary: 'Ask for a link by mail by the form of the page to sign in.',
  form: true,
  body: object({ email: text, next: text }),
  type: html,
  errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
})
export const askLink = defineRoute({
  method: 'post',
  path: '/api/v1/sign-in/links',
  summary:
    'Ask for a link by mail that signs in, once, in this browser. The answer is the same for every address.',
  body: askedLink,
  checksInput: true,
  status: 202,
  answer: object({ expires_in_seconds: integer }),
  errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
})
export const addAddress = defineRoute({
  method: 'post',
  path: '/api/v1/sign-in-addresses',
  who: 'manager',
  summary: 'Mail a link that confirms an address. From then on, links mailed to it sign in.',
  body: newAddress,
  status: 202,
  answer: object({ email: text, expires_in_seconds: integer }),
  errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
})
export const confirmAddress = defineRoute({
  method: 'post',
  path: '/api/v1/sign-in-addresses/confirm',
  who: 'manager',
  summary:
    'Confirm an address with the token of the mailed link. It is a key without a secret: limit or revoke it as any key.',
  body: confirmation,
  status: 201,
  answer: shownKey,
  errors: ['bad_request', 'forbidden', 'not_found'],
})

export function addMailedLinkRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { mailedLinks, addresses } = dependencies
  const ask = createAsking(dependencies)

  addRoute(server, askLink, async ({ request, body }, reply) => {
    refuseOtherOrigins(request)
    const { email, next } = readInput(askedLink, body)
    await ask(request, reply, { address: readSignInAddress(email), next })
    return { expires_in_seconds: mailedLinkSeconds }
  })

  addRoute(server, addAddress, async ({ caller, body: { email } }) => {
    const address = readSignInAddress(email)
    await mailedLinks.askToConfirm(caller, address)
    return { email: address, expires_in_seconds: mailedLinkSeconds }
  })

  addRoute(server, confirmAddress, async ({ caller, body: { token } }) =>
    showKey(await addresses.confirm(caller, token)),
  )

  server.register(async (pages) => addForm(pages, dependencies, ask))
}

type Ask = ReturnType<typeof createAsking>

function createAsking({ mailedLinks, startPath }: Dependencies) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { address, next }: { address: string; next: unknown },
  ) => {
    const browser = setBrowserSecret(request, reply, mailedLinkSeconds)
    const source = sourceOf(request.ip)
    await mailedLinks.askToSignIn({ address, source, browser, next: ownPath(next, startPath) })
  }
}

type SentForm = { readonly email?: string; readonly next?: string } | undefined

function addForm(pages: FastifyInstance, { showSignIn, startPath }: Dependencies, ask: Ask) {
  readForms(pages)
  addRoute(pages, askLinkByForm, async ({ request }, reply) => {
    refuseOtherOrigins(request)
    const sent = request.body as SentForm
    const next = ownPath(sent?.next, startPath)
    try {
      const address = readSignInAddress(String(sent?.email ?? ''))
      await ask(request, reply, { address, next })
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown
      const problem = thrown.message
      return await showSignIn(request, reply.code(thrown.status), { next, problem })
    }
    return sendGuardedPage(reply, linkMailedPage(next))
  })
}
