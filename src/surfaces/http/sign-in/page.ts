// Shows the page on which people sign in, with the ways that this gateway and the address in the browser allow.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MailedLinks } from '#accounts/sign-in/mailed-links.ts'
import type { Passkeys } from '#accounts/sign-in/passkeys.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import type { OperatorDoor } from '../operator-door.ts'
import { signInPage } from '../pages/sign-in.ts'
import type { HeldSignIn, HeldSignIns } from './held.ts'

/** `next`: the path to go to afterwards. */
export type ShowSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { readonly next: string; readonly problem?: string | undefined },
) => Promise<FastifyReply>

export function createSignInView({
  passkeys,
  mailedLinks,
  held,
  mayOperate,
}: {
  passkeys: Passkeys
  mailedLinks: MailedLinks
  held: HeldSignIns
  mayOperate: OperatorDoor['mayOperate']
}): ShowSignIn {
  return async (request, reply, shown) => {
    const passkeyOptions = isAtSite(passkeys, request) ? await passkeys.askToSignIn() : undefined
    const { current, others, endsNext } = await held.read(request)
    // Rights of the operator do not count at the listener for callers.
    const isOfUse = ({ signIn }: HeldSignIn) =>
      signIn.account !== undefined || mayOperate(request.raw)
    return sendGuardedPage(
      reply,
      signInPage({
        ...shown,
        passkeyOptions,
        mailsLinks: mailedLinks.isOn,
        current: current && isOfUse(current) ? current.signIn : undefined,
        others: others.filter(isOfUse).map(({ signIn }) => signIn),
        endsNext: endsNext?.signIn,
      }),
    )
  }
}

/** Whether the browser has the page open at the address whose passkeys this gateway takes. */
export function isAtSite(passkeys: Pick<Passkeys, 'site'>, { headers }: FastifyRequest): boolean {
  const site = passkeys.site()
  return site !== undefined && new URL(site.origin).host === headers.host
}
