// The pages on which a person takes over an account that an agent opened.
import { escapeHtml } from '../../doors/escape-html.ts'
import { page } from '../../doors/page.ts'
import { alert, type Named, oldestEnds, otherStays } from './sign-in.ts'

export function claimPage({
  token,
  accountId,
  name,
  mailsLinks,
  problem,
  signedInTo,
  endsNext,
}: {
  token: string
  accountId: string
  name: string | null
  /** Whether the gateway sends links by mail. */
  mailsLinks: boolean
  problem?: string | undefined
  /** The name of the account that the browser is signed in to. */
  signedInTo?: string | undefined
  /** What the sign-in ends that comes with the claim. */
  endsNext?: Named | undefined
}): string {
  const next = mailsLinks
    ? 'You are signed in at once, and get a link by mail. Once you open it, you can sign in by mail to this address.'
    : 'You are signed in at once. Then add a passkey, so that you can sign in again.'
  return page(
    'Claim this account',
    `${alert(problem)}<p>An agent opened ${name ? `the account <strong title="${escapeHtml(accountId)}">${escapeHtml(name)}</strong>` : `account <code>${escapeHtml(accountId)}</code>`}. Enter your e-mail address to become its owner.</p>
    ${otherStays(signedInTo)}
    ${oldestEnds(endsNext)}
    <form class="form" method="post" action="/claim/${escapeHtml(token)}/owner">
      <label for="email">E-mail address</label>
      <small id="about-email">${next}</small>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" aria-describedby="about-email">
      <button class="main">Claim the account</button>
    </form>`,
  )
}

export const usedClaimPage = () =>
  page(
    'This link has been used',
    `<p>This claim link was used before, or never existed. Each account is claimed once.</p>
    <p>Is the account yours? <a href="/sign-in?next=/sign-in/methods">Sign in</a>. If another person may have used the link,
      ask the agent that gave it to you for a key of the account, and the operator of this gateway for help.</p>`,
  )
