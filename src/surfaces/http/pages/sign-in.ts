// The pages on which people sign in.
import { escapeHtml, page } from './page.ts'

/** `next` is the path to go to afterwards. */
export function signInPage({ next, problem }: { next: string; problem?: string | undefined }) {
  return page(
    'Sign in',
    `${alert(problem)}
    <form class="form" method="post" action="/sign-in">
      <input type="hidden" name="next" value="${escapeHtml(next)}">
      <label for="secret">API key</label>
      <small id="about-secret">An unlimited key of your account. The operator of this gateway may enter the admin token.</small>
      <input id="secret" name="secret" type="password" required maxlength="200" autocomplete="current-password" aria-describedby="about-secret" spellcheck="false">
      <button class="main">Sign in</button>
    </form>
    <p>The page keeps no key: your browser stays signed in for seven days by a cookie that pages cannot read.</p>`,
  )
}

/** A link is used by pressing its button, so that programs that look at links in advance leave it working. */
export function signInLinkPage({ link, next }: { link: string; next: string }) {
  return page(
    'Sign in',
    `<form class="form" method="post" action="/sign-in/${escapeHtml(link)}">
      <input type="hidden" name="next" value="${escapeHtml(next)}">
      <p>This link signs in once.</p>
      <button class="main">Sign in</button>
    </form>`,
  )
}

export const alert = (problem: string | undefined) =>
  problem === undefined ? '' : `<p class="alert" role="alert">${escapeHtml(problem)}</p>`
