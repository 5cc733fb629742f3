// A person decides whether a client may act for the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConsentRequest } from '#accounts/oauth/authorization-server.ts'
import { endpoints } from '#accounts/oauth/endpoints.ts'
import type { AccountCaller } from '#core/caller.ts'
import { CallError, fail } from '#core/errors.ts'
import {
  type ConsentFields,
  consentPage,
  consentProblemPage,
  proposedFields,
} from '../pages/consent.ts'
import { sendGuardedPage } from '../pages/page.ts'
import { signInPage } from '../pages/sign-in.ts'
import { csrfTokenOf, isCsrfToken, readCookie, refuseOtherOrigins } from '../sign-in/cookie.ts'
import { readForms } from '../sign-in/forms.ts'
import { policyOf, readConsentFields } from './consent-form.ts'
import { type OAuthDependencies, oauthRequestOf } from './routes.ts'

interface ConsentRoute {
  Params: { uid: string }
  Body: Record<string, string>
}

interface Visitor {
  readonly token: string
  readonly caller: AccountCaller
  readonly accountName: string
}

export function addConsentRoutes(pages: FastifyInstance, dependencies: OAuthDependencies) {
  const { server, now } = dependencies
  const visitorOf = createVisitorCheck(dependencies)
  const config = { credentialOfItsOwn: true, textErrors: true }
  const path = `${endpoints.consent}/:uid`
  readForms(pages)

  pages.get<ConsentRoute>(path, { config }, async (request, reply) => {
    const asked = await server.findConsentRequest(oauthRequestOf(request))
    if (asked === undefined) return expired(reply)
    const visitor = await visitorOf(request, reply)
    if (visitor === undefined) return reply
    return show(request, reply, { asked, visitor, fields: proposedFields })
  })

  pages.post<ConsentRoute>(path, { config }, async (request, reply) => {
    refuseOtherOrigins(request)
    const oauthRequest = { ...oauthRequestOf(request), method: 'GET' as const }
    const asked = await server.findConsentRequest(oauthRequest)
    if (asked === undefined) return expired(reply)
    const visitor = await visitorOf(request, reply)
    if (visitor === undefined) return reply
    if (!isCsrfToken(visitor.token, request.body.csrf ?? ''))
      throw fail('forbidden', { message: 'This form is out of date. Open the page again.' })
    if (request.body.decision !== 'allow')
      return reply.redirect(await server.deny(oauthRequest), 303)
    const fields = readConsentFields(request.body)
    try {
      const { accountId, keyId } = visitor.caller
      const policy = policyOf(fields, now())
      return reply.redirect(await server.allow(oauthRequest, { accountId, keyId }, policy), 303)
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.status >= 500) throw thrown
      reply.code(thrown.status)
      return show(request, reply, { asked, visitor, fields, problem: thrown.message })
    }
  })
}

const expired = (reply: FastifyReply) =>
  sendGuardedPage(
    reply.code(400),
    consentProblemPage(
      'It has expired, or it was opened in another browser. Start again in your app.',
    ),
  )

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { asked: ConsentRequest; visitor: Visitor; fields: ConsentFields; problem?: string },
) {
  const { asked, visitor, fields, problem } = shown
  const [action = ''] = request.url.split('?')
  const html = consentPage({
    ...{ asked, fields, problem, action },
    accountName: visitor.accountName,
    csrfToken: csrfTokenOf(visitor.token),
  })
  return sendGuardedPage(reply, html, [formTargetOf(asked.redirectUri)])
}

/** Where the answer to the form may lead, as a source of a content security policy. */
function formTargetOf(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  const isNamed = /^https?:$/.test(protocol) && !hostname.startsWith('[')
  return isNamed ? origin : protocol
}

/** The account of the person, who must hold an unlimited key. Otherwise undefined, and the reply is sent. */
function createVisitorCheck({ signIns, authenticate, accounts }: OAuthDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Visitor | undefined> => {
    const [next = ''] = request.url.split('?')
    const token = readCookie(request)
    const signIn = token === undefined ? undefined : await signIns.find(token)
    if (token === undefined || signIn?.keyHash === undefined) {
      await reply.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303)
      return undefined
    }
    const caller = await authenticate(signIn.keyHash)
    if (caller.isLimited) {
      const problem =
        'A key with limits cannot let other apps in. Sign in with an unlimited key of the account.'
      await sendGuardedPage(reply.code(403), signInPage({ next, problem }))
      return undefined
    }
    const account = await accounts.find(caller.accountId)
    return { token, caller, accountName: account?.name ?? caller.accountId }
  }
}
