// A person decides whether a client may act for the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConsentRequest } from '#accounts/oauth/authorization-server.ts'
import { CallError } from '#core/errors.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, object, text } from '../../doors/shapes.ts'
import {
  type ConsentFields,
  consentPage,
  consentProblemPage,
  proposedFields,
} from '../pages/consent.ts'
import { csrfTokenOf, refuseOtherOrigins } from '../sign-in/cookie.ts'
import { readForms } from '../sign-in/forms.ts'
import { createVisitorCheck, requireCsrfToken, type Visitor } from '../sign-in/visitor.ts'
import { policyOf, readConsentFields } from './consent-form.ts'
import { type OAuthDependencies, oauthRequestOf } from './oauth-request.ts'

export const showConsent = defineRoute({
  method: 'get',
  path: '/oauth/consent/{uid}',
  summary: 'The page on which the person decides.',
  type: html,
  errors: ['bad_request', 'forbidden'],
})
export const decideConsent = defineRoute({
  method: 'post',
  path: '/oauth/consent/{uid}',
  summary: 'The decision of the person, with the limits that they choose.',
  form: true,
  body: object({ csrf: text, decision: { enum: ['allow', 'deny'] } }),
  status: 303,
  type: html,
  errors: ['bad_request', 'forbidden'],
})

export function addConsentRoutes(pages: FastifyInstance, dependencies: OAuthDependencies) {
  const { server, now, readPolicy, held } = dependencies
  const visitorOf = createVisitorCheck(
    dependencies,
    'A key with limits cannot let other apps in. Sign in with an unlimited key of the account.',
  )
  const config = { credentialOfItsOwn: true, textErrors: true }
  readForms(pages)

  const open: Handler<typeof showConsent> = async ({ request }, reply) => {
    const asked = await server.findConsentRequest(oauthRequestOf(request))
    if (asked === undefined) return expired(reply)
    const visitor = await visitorOf(request, reply)
    if (visitor === undefined) return reply
    return await show(request, reply, { asked, visitor, fields: proposedFields })
  }
  addRoute(pages, showConsent, open, { config })

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { asked: ConsentRequest; visitor: Visitor; fields: ConsentFields; problem?: string },
  ) {
    const { asked, visitor, fields, problem } = shown
    const [action = ''] = request.url.split('?')
    const html = consentPage({
      asked,
      fields,
      problem,
      action,
      accountName: visitor.accountName,
      csrfToken: csrfTokenOf(visitor.token),
      endsNext: (await held.read(request)).endsNext?.signIn,
    })
    return sendGuardedPage(reply, html, [formTargetOf(asked.redirectUri)])
  }

  const decide: Handler<typeof decideConsent> = async ({ request }, reply) => {
    refuseOtherOrigins(request)
    const sent = request.body as Readonly<Record<string, string>>
    const oauthRequest = { ...oauthRequestOf(request), method: 'GET' as const }
    const asked = await server.findConsentRequest(oauthRequest)
    if (asked === undefined) return expired(reply)
    const visitor = await visitorOf(request, reply)
    if (visitor === undefined) return reply
    requireCsrfToken(visitor, sent.csrf)
    if (sent.decision !== 'allow') return reply.redirect(await server.deny(oauthRequest), 303)
    const fields = readConsentFields(sent)
    try {
      const { accountId, keyId } = visitor.caller
      const policy = policyOf(fields, { nowMs: now(), readPolicy })
      return reply.redirect(await server.allow(oauthRequest, { accountId, keyId }, policy), 303)
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.status >= 500) throw thrown
      reply.code(thrown.status)
      return await show(request, reply, { asked, visitor, fields, problem: thrown.message })
    }
  }
  addRoute(pages, decideConsent, decide, { config })
}

const expired = (reply: FastifyReply) =>
  sendGuardedPage(
    reply.code(400),
    consentProblemPage(
      'It has expired, or it was opened in another browser. Start again in your app.',
    ),
  )

/** Where the answer to the form may lead, as a source of a content security policy. */
function formTargetOf(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  const isNamed = /^https?:$/.test(protocol) && !hostname.startsWith('[')
  return isNamed ? origin : protocol
}
