// The pages on which people see what was given out about them, and opt out.

import { escapeHtml } from '../../doors/escape-html.ts'
import { scrolledTable } from '../../doors/frame.ts'
import { page } from '../../doors/page.ts'
import { alert } from './sign-in.ts'

export const askPersonPage = (problem?: string) =>
  page(
    'Your data',
    `${alert(problem)}
    <p>This gateway passes on what vendors know of people: names, companies, e-mail addresses, phone numbers. You can see
    what was given out about you and why, and opt out.</p>
    <form class="form" method="post" action="/people">
      <label for="email">Your e-mail address</label>
      <small id="about-email">You get a link by mail that shows that the address is yours.</small>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" aria-describedby="about-email">
      <button class="main">Mail me a link</button>
    </form>`,
  )

export const personLinkMailedPage = () =>
  page('Look into your mail', '<p>A link is on its way to you. It works for an hour.</p>')

export const optedOutPage = () =>
  page('You have opted out', '<p>From now on no action of this gateway finds you.</p>')

export function personPage({
  link,
  email,
  disclosures,
  problem,
}: {
  link: string
  email: string
  disclosures: readonly { action: string; purpose: string | null; disclosedAt: Date }[]
  problem?: string | undefined
}) {
  const rows = disclosures.map(({ action, purpose, disclosedAt }) => [
    disclosedAt.toISOString().slice(0, 16).replace('T', ' '),
    escapeHtml(action),
    escapeHtml(purpose ?? 'not said'),
  ])
  const given =
    rows.length === 0
      ? '<p>Nothing was given out about this address in the last year.</p>'
      : scrolledTable('What was given out', [
          ['When (UTC)', 'By which action', 'Purpose that was said'],
          ...rows,
        ])
  return page(
    'Your data',
    `${alert(problem)}
    <h2>What was given out about ${escapeHtml(email)}</h2>
    ${given}
    <h2>Opt out</h2>
    <p>Sources may know you by your name and company or by your profile alone. Add what your address shows.</p>
    <form class="form" method="post" action="/people/${escapeHtml(link)}">
      <label for="name">Name</label>
      <input id="name" name="name" maxlength="200" autocomplete="name">
      <label for="company">Company</label>
      <input id="company" name="company" maxlength="200" autocomplete="organization">
      <label for="linkedin">LinkedIn profile</label>
      <input id="linkedin" name="linkedin" maxlength="2048">
      <button class="main">Opt out</button>
    </form>`,
  )
}
