// The page on which a person says how they sign in to their account.
import type { ApiKey } from '#accounts/keys/keys.ts'
import { escapeHtml } from '../../doors/escape-html.ts'
import { page, passkeyForm } from '../../doors/page.ts'
import { alert } from './sign-in.ts'

export function signInMethodsPage(shown: {
  readonly accountName: string
  /** The working keys that something signs in as. */
  readonly methods: readonly ApiKey[]
  /** A hidden field that proves that a form is ours. */
  readonly csrf: string
  /** Undefined where browsers have no passkeys for this address. */
  readonly passkeyOptions: object | undefined
  /** Passkeys work at this address. */
  readonly site: string | undefined
  /** Whether the gateway sends links by mail. */
  readonly mailsLinks: boolean
  /** The address that a person has come to confirm, and the token by which. */
  readonly confirmation: { readonly address: string; readonly token: string } | undefined
  /** Tells what has been done. */
  readonly notice?: string | undefined
  readonly problem?: string | undefined
}): string {
  const { accountName, methods, csrf, notice, problem } = shown
  const rows = methods.map((method) => describeMethod(method, csrf)).join('\n')
  return page(
    'Ways to sign in',
    `${alert(problem)}${notice === undefined ? '' : `<p role="status">${escapeHtml(notice)}</p>`}
    ${confirmAddress(shown)}
    <p>Account: ${escapeHtml(accountName)}</p>
    <p>Each way to sign in is one of your keys. Removing it signs out the browsers that signed in with it.</p>
    ${rows === '' ? '<p>You sign in with an API key only.</p>' : `<ul>${rows}</ul>`}
    <h2>Add a passkey</h2>
    ${addPasskey(shown)}
    ${addAddress(shown)}`,
  )
}

const kinds = { passkey: 'passkey', email: 'mail' } as const

function describeMethod({ id, name, signsInBy, createdAt, lastUsedAt }: ApiKey, csrf: string) {
  const kind = signsInBy === null ? '' : kinds[signsInBy]
  const label = escapeHtml(name ?? kind)
  const used = lastUsedAt === null ? 'not used yet' : `last used on ${dayOf(lastUsedAt)}`
  return `<li><form class="form" method="post" action="/sign-in/methods">
      ${csrf}
      <div><strong>${label}</strong> (${kind}), added on ${dayOf(createdAt)}, ${used}</div>
      <button name="remove" value="${id}" aria-label="Remove ${label}">Remove</button>
    </form></li>`
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

type Shown = Parameters<typeof signInMethodsPage>[0]

function confirmAddress({ confirmation, csrf }: Shown): string {
  if (confirmation === undefined) return ''
  return `<form class="form" method="post" action="/sign-in/methods">
      ${csrf}
      <p>Shall mail to <strong>${escapeHtml(confirmation.address)}</strong> sign in to this account?</p>
      <button class="main" name="confirm" value="${escapeHtml(confirmation.token)}">Confirm the address</button>
    </form>`
}

function addAddress({ csrf, mailsLinks }: Shown): string {
  if (!mailsLinks) return ''
  return `<h2>Add an e-mail address</h2>
    <form class="form" method="post" action="/sign-in/methods">
      ${csrf}
      <label for="email">E-mail address</label>
      <small id="about-email">You get a link to confirm it. From then on, the page to sign in mails links to it.</small>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" aria-describedby="about-email">
      <button>Add the address</button>
    </form>`
}

const makeKey = '<a href="/console/keys">Make an API key</a> in the console'

function addPasskey({ csrf, passkeyOptions, site }: Shown): string {
  if (site === undefined)
    return `<p>This gateway has no passkeys, because browsers use them only at a domain name with TLS. Its operator sets <code>PUBLIC_BASE_URL</code>.</p>
    <p>${makeKey}, and sign in with it later.</p>`
  if (passkeyOptions === undefined) {
    const address = `${escapeHtml(site)}/sign-in/methods`
    return `<p>Passkeys work at <a href="${address}">${address}</a>, where this browser is not signed in. ${makeKey} first, and sign in there with it.</p>`
  }
  return passkeyForm({
    ...({ does: 'create', action: '/sign-in/methods', options: passkeyOptions } as const),
    fields: `${csrf}
      <label for="name">Name of the device</label>
      <input id="name" name="name" maxlength="100" required autocomplete="off">`,
    button: 'Make a passkey',
  })
}
