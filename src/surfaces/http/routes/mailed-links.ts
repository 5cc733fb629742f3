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
import { readInput } from '../input.ts'
import { sendGuardedPage } from '../pages/page.ts'
import { linkMailedPage } from '../pages/sign-in.ts'
import { sourceOf } from '../rate-limit.ts'
import { requireCaller } from '../server.ts'
import { refuseOtherOrigins, setBrowserSecret } from '../sign-in/cookie.ts'
import { ownPath, readForms } from '../sign-in/forms.ts'
import type { ShowSignIn } from '../sign-in/page.ts'
import { requireManager, showKey } from './keys.ts'

const email = z.string().min(1).max(254)
export const askedLink = z.strictObject({ email, next: z.string().max(2_000).optional() })
export const newAddress = z.strictObject({ email })
export const confirmation = z.strictObject({ token: z.string().min(1).max(100) })

interface Dependencies {
  mailedLinks: MailedLinks
  addresses: SignInAddresses
  showSignIn: ShowSignIn
  startPath: string
}

export function addMailedLinkRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { mailedLinks, addresses } = dependencies
  const ask = createAsking(dependencies)

  server.post('/api/v1/sign-in/links', async (request, reply) => {
    refuseOtherOrigins(request)
    const asked = readInput(askedLink, request.body)
    await ask(request, reply, { address: readSignInAddress(asked.email), next: asked.next })
    reply.code(202)
    return { expires_in_seconds: mailedLinkSeconds }
  })

  server.post('/api/v1/sign-in-addresses', async (request, reply) => {
    const owner = requireManager(requireCaller(request))
    const address = readSignInAddress(readInput(newAddress, request.body).email)
    await mailedLinks.askToConfirm(owner, address)
    reply.code(202)
    return { email: address, expires_in_seconds: mailedLinkSeconds }
  })

  server.post('/api/v1/sign-in-addresses/confirm', async (request, reply) => {
    const owner = requireManager(requireCaller(request))
    const { token } = readInput(confirmation, request.body)
    reply.code(201)
    return showKey(await addresses.confirm(owner, token))
  })

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

interface FormRoute {
  Body: { email?: string; next?: string } | undefined
}

function addForm(pages: FastifyInstance, { showSignIn, startPath }: Dependencies, ask: Ask) {
  readForms(pages)
  pages.post<FormRoute>('/sign-in/links', async (request, reply) => {
    refuseOtherOrigins(request)
    const next = ownPath(request.body?.next, startPath)
    try {
      const address = readSignInAddress(String(request.body?.email ?? ''))
      await ask(request, reply, { address, next })
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown
      const problem = thrown.message
      return await showSignIn(request, reply.code(thrown.status), { next, problem })
    }
    return sendGuardedPage(reply, linkMailedPage(next))
  })
}
