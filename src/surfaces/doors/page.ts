import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from './escape-html.ts'
import { frame } from './frame.ts'

/**
 * A page on which a person signs in, decides or reads one thing. `title` and `body` are not escaped: pass text from a
 * caller through `escapeHtml`.
 */
export const page = (title: string, body: string) => frame({ title, body, hasScripts: false })

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const passkeyScript = readFileSync(path.join(import.meta.dirname, 'passkey-script.js'), 'utf8')
const passkeyScriptHash = hashOf(passkeyScript)

/** A form that asks the browser for a passkey and sends it. `options` are those of `navigator.credentials`, as JSON. */
export function passkeyForm({
  does,
  action,
  fields,
  button,
  options,
}: {
  does: 'create' | 'get'
  action: string
  /** The other fields, as HTML. */
  fields: string
  button: string
  options: object
}): string {
  return `<form class="form" method="post" action="${action}" hidden data-passkey="${does}" data-options="${escapeHtml(JSON.stringify(options))}">
      ${fields}
      <input type="hidden" name="passkey">
      <button>${button}</button>
      <p role="status"></p>
    </form>
    <script type="module">${passkeyScript}</script>`
}

/**
 * Sends a page on which a person signs in or decides. It runs no script but that of passkeys, no other site may frame
 * it, and it is stored nowhere. `formTargets` are the origins besides this one to which an answer to its form may lead.
 */
export function sendGuardedPage(
  reply: FastifyReply,
  html: string,
  formTargets: readonly string[] = [],
) {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': `default-src 'none'; script-src ${passkeyScriptHash}; style-src 'self'; img-src data:; base-uri 'none'; form-action ${["'self'", ...formTargets].join(' ')}; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Forms say which origin they come from only where the policy lets them.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(html)
}
