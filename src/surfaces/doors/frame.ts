// The frame of every page of the gateway besides the console: the same header, footer and style.
import type { FastifyReply } from 'fastify'
import { escapeHtml } from './escape-html.ts'

/** Everything comes from this gateway. Scripts and styles are files, and no script may turn text into HTML. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const

/** Sends a page that shows something and decides nothing. */
export const sendDocument = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').headers(headers).send(html)

export interface FramedPage {
  /** As HTML. */
  readonly title: string
  /** What is below the title, as HTML. */
  readonly body: string
  /** What is beside it, as HTML. */
  readonly beside?: string
  /** Where the menu of a narrow window leads: the list of documents, or the links at the end. */
  readonly menu?: 'documents' | 'links'
  /** Whether the scripts of documents run: the search during typing, copy buttons and tabs. */
  readonly hasScripts?: boolean
  /** The address of the same page as Markdown. */
  readonly text?: string | undefined
  /** What is in the field of the search. */
  readonly question?: string
}

export function frame(framed: FramedPage): string {
  const { title, body, beside, menu = 'links', hasScripts = true, text, question = '' } = framed
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tollway</title>
<link rel="stylesheet" href="/docs/site/docs.css">
<link rel="icon" href="data:,">
${text === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${text}">`}
${hasScripts ? '<script type="module" src="/docs/site/docs.js"></script>' : ''}
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header class="top">
<a class="brand" href="/docs">Tollway</a>
<form class="search" role="search" action="/docs/search">
<input type="search" name="q" value="${escapeHtml(question)}" maxlength="200" aria-label="Search the documents" placeholder="Search" autocomplete="off" spellcheck="false">
</form>
<nav class="links" aria-label="This gateway"><a href="/docs/actions">Actions</a> <a href="/docs/connect">Connect</a> <a href="/console">Console</a> <a class="menu" href="#${menu}">Menu</a></nav>
</header>
<div class="frame${beside === undefined ? ' alone' : ''}">
<main id="content" tabindex="-1">
<h1>${title}</h1>
${body}
${text === undefined ? '' : `<p class="twin"><a href="${text}">This page as Markdown</a></p>`}
</main>
${beside ?? ''}
</div>
<footer class="bottom" id="links">
<nav aria-label="More of this gateway">
${footerLinks.map(([path, words]) => `<a href="${path}">${words}</a>`).join('\n')}
</nav>
</footer>
</body>
</html>
`
}

const footerLinks = [
  ['/docs', 'Documents'],
  ['/docs/actions', 'Actions'],
  ['/docs/api', 'API'],
  ['/docs/connect', 'Connect'],
  ['/changelog', 'Changelog'],
  ['/status', 'Status'],
  ['/console', 'Console'],
  ['/sign-in', 'Sign in'],
  ['/people', 'Your data'],
] as const

/** A table that is wider than a phone is moved by a finger. `rows` are HTML, the first of them the heads. */
export const scrolledTable = (label: string, [heads, ...rows]: readonly (readonly string[])[]) =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table><thead>${rowOf(heads ?? [], 'th')}</thead><tbody>${rows.map((row) => rowOf(row, 'td')).join('\n')}</tbody></table></div>`

const rowOf = (cells: readonly string[], tag: 'td' | 'th') =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
