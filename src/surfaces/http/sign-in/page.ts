// Shows the page on which people sign in, with the ways that this gateway and the address in the browser allow.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import type { Passkeys } from '#accounts/sign-in/passkeys.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { signInPage } from '../pages/sign-in.ts'

/** `next`: the path to go to afterwards. */
export type ShowSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { readonly next: string; readonly problem?: string | undefined },
) => Promise<FastifyReply>

export function createSignInView({
  passkeys,
  mailedLinks,
}: {
  passkeys: Passkeys
  mailedLinks: MailedLinks
}): ShowSignIn {
  return async (request, reply, shown) => {
    const passkeyOptions = isAtSite(passkeys, request) ? await passkeys.askToSignIn() : undefined
    return sendGuardedPage(
      reply,
      signInPage({ ...shown, passkeyOptions, mailsLinks: mailedLinks.isOn }),
    )
  }
}

/** Whether the browser has the page open at the address whose passkeys this gateway takes. */
export function isAtSite(passkeys: Pick<Passkeys, 'site'>, { headers }: FastifyRequest): boolean {
  const site = passkeys.site()
  return site !== undefined && new URL(site.origin).host === headers.host
}
