// The page on which a person lets an OAuth client act for the account, or does not.
import type { ConsentRequest } from '#accounts/oauth/authorization-server.ts'
import { isolate, removeHidden } from '#core/input/hidden-characters.ts'
import { escapeHtml } from '../../doors/escape-html.ts'
import { page } from '../../doors/page.ts'
import { alert, type Named, oldestEnds } from './sign-in.ts'

/** What a person writes into the form. Amounts are dollars. */
export interface ConsentFields {
  readonly per_call: string
  readonly per_day: string
  readonly per_month: string
  readonly actions: string
  readonly days: string
}

export const proposedFields: ConsentFields = {
  per_call: '',
  per_day: '5',
  per_month: '',
  actions: '',
  days: '90',
}

export function consentPage(options: {
  asked: ConsentRequest
  accountName: string
  fields: ConsentFields
  /** Proves that the form is ours. */
  csrfToken: string
  action: string
  problem?: string | undefined
  /** What a sign-in to another account ends. */
  endsNext?: Named | undefined
}) {
  const { asked, accountName, fields, csrfToken, action, problem, endsNext } = options
  const name = escapeHtml(asked.clientName ?? removeHidden(asked.clientId))
  return page(
    `Let ${isolate(name)} pay from your account?`,
    `${alert(problem)}
    <dl>
      <dt>App</dt><dd><bdi>${name}</bdi>. ${describeIdentity(asked)}</dd>
      <dt>Returns to</dt><dd>${describeTarget(asked.redirectUri)}</dd>
      <dt>Account</dt><dd><bdi>${escapeHtml(removeHidden(accountName))}</bdi>. <a href="/sign-in?next=${encodeURIComponent(action)}">Use another account</a></dd>
      <dt>It may</dt><dd>call actions of this gateway and pay for them from your balance, and read its own calls. It cannot manage keys or see calls of others.</dd>
    </dl>
    ${oldestEnds(endsNext)}
    <form class="form" method="post" action="${escapeHtml(action)}">
      <input type="hidden" name="csrf" value="${escapeHtml(csrfToken)}">
      <fieldset>
        <legend>The most that it may spend, in dollars. Empty: no limit.</legend>
        <div class="pair">
          ${field(fields, 'per_call', 'In one call', 'inputmode="decimal"')}
          ${field(fields, 'per_day', 'In a day', 'inputmode="decimal"')}
          ${field(fields, 'per_month', 'In a month', 'inputmode="decimal"')}
          ${field(fields, 'days', 'Ends after (days)', 'inputmode="numeric" required')}
        </div>
        <label for="actions">Only these paid actions</label>
        <small id="about-actions">Names such as ns_scholar/works or ns_scholar/*, with spaces between them. Empty: every action.</small>
        <input id="actions" name="actions" value="${escapeHtml(fields.actions)}" maxlength="5000" aria-describedby="about-actions" spellcheck="false" autocapitalize="off">
      </fieldset>
      <button class="main" name="decision" value="allow">Allow</button>
      <button name="decision" value="deny" formnovalidate>Do not allow</button>
    </form>
    <p>You can change these limits or end the access at any time: it is one of your keys.</p>`,
  )
}

const field = (fields: ConsentFields, name: keyof ConsentFields, label: string, more: string) =>
  `<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${escapeHtml(fields[name])}" maxlength="10" autocomplete="off" ${more}></div>`

/** An address as client id is proven by the document there. A name that an app gives itself is not. */
function describeIdentity({ clientId }: ConsentRequest): string {
  const host = URL.parse(clientId)?.host
  return host
    ? `It belongs to <strong><bdi>${escapeHtml(host)}</bdi></strong>.`
    : 'The app gave itself this name, which was not checked.'
}

function describeTarget(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return `<strong>${escapeHtml(host)}</strong>`
  if (protocol === 'http:')
    return `a program on this computer (<strong>${escapeHtml(host || hostname)}</strong>)`
  return `the program that opens <strong>${escapeHtml(protocol)}</strong> links`
}

/** A refusal that the person reads. */
export const consentProblemPage = (message: string) =>
  page('This request cannot go on', `<p>${escapeHtml(message)}</p>`)
