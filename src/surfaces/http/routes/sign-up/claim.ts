// A person takes over an account that an agent opened, by its claim link.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import { readSignInAddress } from '#accounts/sign-in/addresses.ts'
import { type Claims, usedClaim } from '#accounts/sign-in/claims.ts'
import type { MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import { z } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { readInput } from '../../../doors/input.ts'
import { sendGuardedPage } from '../../../doors/page.ts'
import { defineRoute } from '../../../doors/route.ts'
import { html, object, text } from '../../../doors/shapes.ts'
import { claimPage, usedClaimPage } from '../../pages/claim.ts'
import { readCookie, refuseOtherOrigins } from '../../sign-in/cookie.ts'
import { readForms } from '../../sign-in/forms.ts'
import { endedBy, type HeldSignIns } from '../../sign-in/held.ts'
import { type ClaimedNotice, methodsPage } from '../sign-in-methods.ts'

const claim = z.strictObject({ email: z.email().max(254) })

export const claimForm = defineRoute({
  method: 'get',
  path: '/claim/{token}',
  summary: 'A page to claim an account.',
  type: html,
  errors: ['not_found'],
})
export const claimByForm = defineRoute({
  method: 'post',
  path: '/claim/{token}/owner',
  summary:
    'Claim an account by the form of that page. The browser is signed in and led to the page of ways to sign in.',
  form: true,
  body: object({ email: text }),
  status: 303,
  type: html,
  errors: ['bad_request', 'forbidden', 'not_found'],
})
export const claimAccount = defineRoute({
  method: 'post',
  path: '/claim/{token}',
  summary: 'Claim an account.',
  body: claim,
  answer: object({ account_id: text, owner_email: text }),
  errors: ['bad_request', 'not_found'],
})

export function addClaimRoutes(
  server: FastifyInstance,
  dependencies: {
    accounts: Accounts
    claims: Claims
    mailedLinks: MailedLinks
    held: HeldSignIns
  },
) {
  const { accounts } = dependencies
  addRoute(server, claimAccount, async ({ params, body: { email } }) => {
    const claimed = await accounts.claim(params.token, email)
    if (claimed === undefined) throw usedClaim()
    return { account_id: claimed.accountId, owner_email: email }
  })
  server.register(async (pages) => addPages(pages, dependencies))
}

function addPages(
  pages: FastifyInstance,
  { accounts, claims, mailedLinks, held }: Parameters<typeof addClaimRoutes>[1],
) {
  readForms(pages)

  /** Its address signs in once its owner has opened the link. The account is theirs all the same. */
  async function mailLink(accountId: string, email: string): Promise<ClaimedNotice> {
    if (!mailedLinks.isOn) return 'without-mail'
    try {
      await mailedLinks.askToConfirm({ accountId }, readSignInAddress(email))
      return 'mailed'
    } catch {
      return 'not-mailed'
    }
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    problem?: string,
  ) {
    const account = await accounts.findClaimable(token)
    if (account === undefined) return sendGuardedPage(reply.code(404), usedClaimPage())
    const holds = await held.read(request)
    return sendGuardedPage(
      reply,
      claimPage({
        ...account,
        token,
        problem,
        mailsLinks: mailedLinks.isOn,
        signedInTo: holds.current?.signIn.account?.name,
        endsNext: endedBy(holds, account.accountId),
      }),
    )
  }

  addRoute(pages, claimForm, ({ request, params: { token } }, reply) => show(request, reply, token))

  addRoute(pages, claimByForm, async ({ request, params: { token } }, reply) => {
    refuseOtherOrigins(request)
    try {
      const { email } = readInput(claim, request.body)
      const opened = await claims.open(token, email, readCookie(request))
      await held.enter(request, reply, opened)
      const notice = await mailLink(opened.accountId, email)
      return reply.redirect(`${methodsPage.path}?claimed=${notice}`, 303)
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.status >= 500) throw thrown
      return await show(request, reply.code(thrown.status), token, thrown.message)
    }
  })
}
