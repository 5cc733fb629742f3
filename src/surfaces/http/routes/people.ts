// People see what was given out about them, and opt out. A mailed link shows that an address is theirs.
import type { FastifyInstance } from 'fastify'
import type { AttemptCounter, AttemptLimit } from '#accounts/attempts.ts'
import type { SendMailToPerson } from '#accounts/sign-in/mailed-links.ts'
import { z } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import { type PeopleRights, personLinkSeconds } from '#features/knowledge/people/rights.ts'
import { addRoute } from '../../doors/add-route.ts'
import { readInput } from '../../doors/input.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { sourceOf } from '../../doors/rate-limit.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, object, text } from '../../doors/shapes.ts'
import { askPersonPage, optedOutPage, personLinkMailedPage, personPage } from '../pages/people.ts'
import { readForms } from '../sign-in/forms.ts'

const hourSeconds = 3_600
const limits = {
  address: limit('people links to an address', 5, 'At most 5 links an hour go to one address.'),
  source: limit('people links of a source', 30, 'At most 30 links an hour go out for one place.'),
}

function limit(name: string, attemptsMax: number, message: string): AttemptLimit {
  return { name, attemptsMax, message, windowSeconds: hourSeconds }
}

const filledIn = (characters: number) =>
  z
    .string()
    .trim()
    .max(characters)
    .optional()
    .transform((written) => written || undefined)
const address = z.object({ email: z.email().max(254) })
const person = z.object({
  name: filledIn(200),
  company: filledIn(200),
  linkedin: filledIn(2_048),
})

export const askPerson = defineRoute({
  method: 'get',
  path: '/people',
  summary: 'The page on which people ask what was given out about them, and opt out.',
  type: html,
})
export const mailPersonLink = defineRoute({
  method: 'post',
  path: '/people',
  summary: 'Mail a person the link to what was given out about them.',
  form: true,
  body: object({ email: text }),
  type: html,
  errors: ['bad_request', 'forbidden', 'rate_limited', 'unavailable'],
})
export const showPerson = defineRoute({
  method: 'get',
  path: '/people/{link}',
  summary: 'What was given out about the person who got the link, and why, with a form to opt out.',
  type: html,
  errors: ['not_found'],
})
export const optOutPerson = defineRoute({
  method: 'post',
  path: '/people/{link}',
  summary: 'Opt out: from then on no action finds the person who got the link.',
  form: true,
  body: object({ name: text, company: text, linkedin: text }),
  type: html,
  errors: ['bad_request', 'forbidden', 'not_found'],
})

export function addPersonRoutes(
  server: FastifyInstance,
  dependencies: {
    rights: PeopleRights
    attempts: AttemptCounter
    send: SendMailToPerson | undefined
    baseUrl: () => string
  },
) {
  const { rights, attempts, send, baseUrl } = dependencies
  const noMail =
    'This gateway sends no mail. Ask its operator to show you what was given out, or to leave you out.'

  const show = async (link: string, problem?: string) => {
    const email = await rights.addressOf(link)
    return personPage({ link, email, disclosures: await rights.disclosuresTo(email), problem })
  }

  addRoute(server, askPerson, async (_, reply) =>
    sendGuardedPage(reply, askPersonPage(send === undefined ? noMail : undefined)),
  )

  addRoute(server, showPerson, async ({ params: { link } }, reply) =>
    sendGuardedPage(reply, await show(link)),
  )

  server.register(async (forms) => {
    readForms(forms)
    addRoute(forms, mailPersonLink, async ({ request }, reply) => {
      if (send === undefined) throw fail('unavailable', { message: noMail })
      const { email } = readInput(address, request.body)
      await attempts.count(limits.source, sourceOf(request.ip))
      await attempts.count(limits.address, email.toLowerCase())
      await send(mailOf(email, `${baseUrl()}/people/${await rights.issueLink(email)}`))
      return sendGuardedPage(reply, personLinkMailedPage())
    })

    addRoute(forms, optOutPerson, async ({ request, params: { link } }, reply) => {
      const email = await rights.addressOf(link)
      try {
        await rights.optOut({ email, ...readInput(person, request.body ?? {}) })
      } catch (thrown) {
        if (!(thrown instanceof CallError)) throw thrown
        return sendGuardedPage(reply.code(thrown.status), await show(link, thrown.message))
      }
      return sendGuardedPage(reply, optedOutPage())
    })
  })
}

const mailOf = (to: string, url: string) => ({
  to,
  subject: `Your data at ${new URL(url).host}`,
  text: `This link shows what was given out about you, and lets you opt out. It works for ${personLinkSeconds / 60} minutes:

${url}

If you did not ask for it, ignore this mail: nothing changes without it.
`,
})
