// The pages on which people sign in.
import type { BrowserSignIn } from '#accounts/sign-in/sign-ins.ts'
import { escapeHtml } from '../../doors/escape-html.ts'
import { page, passkeyForm } from '../../doors/page.ts'
import { othersMax } from '../sign-in/cookie.ts'

/** `next` is the path to go to afterwards. */
export function signInPage({
  next,
  problem,
  passkeyOptions,
  mailsLinks = false,
  current,
  others = [],
  endsNext,
}: {
  next: string
  problem?: string | undefined
  /** Undefined where the browser has no passkey for this address. */
  passkeyOptions?: object | undefined
  /** Whether the gateway sends links by mail. */
  mailsLinks?: boolean | undefined
  /** What the browser is signed in to, and what it can switch to. */
  current?: Named | undefined
  others?: readonly Named[]
  /** What a sign-in to a further account ends. */
  endsNext?: Named | undefined
}) {
  const nextField = `<input type="hidden" name="next" value="${escapeHtml(next)}">`
  const passkey =
    passkeyOptions === undefined
      ? ''
      : passkeyForm({
          does: 'get',
          action: '/sign-in',
          fields: nextField,
          options: passkeyOptions,
          button: 'Sign in with a passkey',
        } as const)
  return page(
    'Sign in',
    `${alert(problem)}
    ${heldAccounts({ current, others, next })}
    ${oldestEnds(endsNext)}
    <form class="form" method="post" action="/sign-in">
      ${nextField}
      <label for="secret">API key</label>
      <small id="about-secret">An unlimited key of your account. The operator of this gateway may enter the admin token.</small>
      <input id="secret" name="secret" type="password" required maxlength="200" autocomplete="current-password" aria-describedby="about-secret" spellcheck="false">
      <button class="main">Sign in</button>
    </form>
    ${
      mailsLinks
        ? `<form class="form" method="post" action="/sign-in/links">
      ${nextField}
      <label for="email">E-mail address</label>
      <small id="about-email">One that signs in to your account already. You get a link that works once, in this browser.</small>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" aria-describedby="about-email">
      <button>Mail me a link</button>
    </form>`
        : ''
    }
    ${passkey}
    <p>No key yet? <a href="/docs/connect">See how an account is opened</a>.</p>
    <p>The page keeps no key: your browser stays signed in for seven days by a cookie that pages cannot read.</p>`,
  )
}

export type Named = Pick<BrowserSignIn, 'account'>

const nameOf = ({ account }: Named) =>
  account === undefined ? 'the operator, without an account' : account.name

/** The account that the browser acts for, and a button for each other one. */
function heldAccounts({
  current,
  others,
  next,
}: {
  current: Named | undefined
  others: readonly Named[]
  next: string
}): string {
  if (current === undefined && others.length === 0) return ''
  const now =
    current === undefined
      ? ''
      : `<p>This browser is signed in to <strong>${escapeHtml(nameOf(current))}</strong>. <a href="${escapeHtml(next)}">Go on with it</a>, or sign in to another account beside it.</p>`
  const buttons = others.map(
    (held) => `<form class="form" method="post" action="/sign-in/switch">
      <input type="hidden" name="next" value="${escapeHtml(next)}">
      <input type="hidden" name="account" value="${escapeHtml(held.account?.id ?? '')}">
      <button>Switch to ${escapeHtml(nameOf(held))}</button>
    </form>`,
  )
  return `<h2>Accounts in this browser</h2>${now}${buttons.join('')}<h2>Sign in to another account</h2>`
}

/** A browser holds so many sign-ins and no more. */
export const oldestEnds = (oldest: Named | undefined) =>
  oldest === undefined
    ? ''
    : `<p role="note">This browser is signed in to ${othersMax + 1} accounts, which is the most that it can be. Signing in to another one signs it out of <strong>${escapeHtml(nameOf(oldest))}</strong>, the oldest.</p>`

/** Nothing where the browser is signed in to no account. */
export const otherStays = (name: string | undefined) =>
  name === undefined
    ? ''
    : `<p>This browser is signed in to <strong>${escapeHtml(name)}</strong> now. It stays signed in to it, and acts for the other account from then on: the console switches between them.</p>`

/** A link is used by pressing its button, so that programs that look at links in advance leave it working. */
export function signInLinkPage({
  link,
  next,
  to,
  current,
  endsNext,
}: {
  link: string
  next: string
  /** Whom the link signs in. */
  to: Named & { readonly isOperator: boolean }
  current: Named | undefined
  endsNext: Named | undefined
}) {
  const isOther = current !== undefined && to.account?.id !== current.account?.id
  return page(
    'Sign in',
    `<form class="form" method="post" action="/sign-in/${escapeHtml(link)}">
      <input type="hidden" name="next" value="${escapeHtml(next)}">
      <p>This link signs in to <strong>${escapeHtml(nameOf(to))}</strong>${to.isOperator && to.account !== undefined ? ' and makes this browser one of the operator' : ''}, once.</p>
      ${otherStays(isOther && to.account !== undefined ? current.account?.name : undefined)}
      ${oldestEnds(endsNext)}
      <button class="main">Sign in</button>
    </form>`,
  )
}

/** The same for every address, so that it does not tell which of them sign in. */
export const linkMailedPage = (next: string) =>
  page(
    'Look into your mail',
    `<p>If this address signs in to an account here, a link is on its way to it. Open it in this browser within 15 minutes.</p>
    <p>No mail? <a href="/sign-in?next=${encodeURIComponent(next)}">Try another way</a>.</p>`,
  )

export const alert = (problem: string | undefined) =>
  problem === undefined ? '' : `<p class="alert" role="alert">${escapeHtml(problem)}</p>`
