import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply } from 'fastify'

const style = `
  :root { color-scheme: light dark; background: #fff; color: #1b1b1b }
  a { color: #0b4fb3 }
  @media (prefers-color-scheme: dark) {
    :root { background: #121212; color: #eee }
    a { color: #9cc4ff }
  }
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }
  h1 { line-height: 1.25 }
  code, pre { font-family: ui-monospace, monospace; font-size: .9em }
  pre { overflow-x: auto; padding: 1rem; background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .5rem }
  /* Words stay whole, and a table that is wider than a phone is moved by a finger. */
  table { display: block; overflow-x: auto; border-collapse: collapse }
  th, td { padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; overflow-wrap: break-word }
  tr { border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent) }
  td:last-child { min-width: 14rem }
  input, button, textarea { font: inherit; padding: .4rem .7rem; max-width: 100%; box-sizing: border-box }
  .form label { display: block; margin-top: 1rem; font-weight: 600 }
  .form label + small { display: block }
  .form input, .form textarea { width: 100%; min-height: 2.75rem }
  .form fieldset { margin: 1.5rem 0; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: .5rem }
  .form .pair { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)) }
  .form button { min-height: 2.75rem; min-width: 8rem; margin: 1rem .5rem 0 0; border-radius: .4rem; border: 1px solid }
  .form button.main { background: #14532d; border-color: #14532d; color: #fff; font-weight: 600 }
  .alert { padding: .75rem 1rem; border: 2px solid #b91c1c; border-radius: .5rem }
  dt { font-weight: 600 }
  dd { margin: 0 0 .75rem }
`

/** A small self-contained page. `title` and `body` are not escaped: pass text from a caller through `escapeHtml`. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tollway</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const styleHash = hashOf(style)

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
      'content-security-policy': `default-src 'none'; script-src ${passkeyScriptHash}; style-src ${styleHash}; base-uri 'none'; form-action ${["'self'", ...formTargets].join(' ')}; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Forms say which origin they come from only where the policy lets them.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(html)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as content of an element or as the value of a quoted attribute. */
export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
