// Turns what the caller sent into the list of pages to read, or refuses it for free. Pure.
import { parse as parseDomain } from 'tldts'
import { type CallError, fail } from '#core/errors.ts'
import { badUrl, normalizeUrl as normalizeWebAddress, quoted } from '#core/web-address.ts'
import { type EgressGuard, EgressRefusal } from '#platform/egress/guard.ts'
import type { OwnPages } from '../ladder/rungs.ts'

/**
 * The addresses of the pages, each once, in order of first appearance. Throws CallError `bad_url`, `onescrape_social`,
 * `onescrape_document`.
 */
export function readUrls(
  inputs: readonly string[],
  guard: EgressGuard,
  ownPages: OwnPages = () => undefined,
): readonly string[] {
  return [...new Set(inputs.map((input) => readUrl(input, guard, ownPages)))]
}

/** How many different pages these are, without regard to which of them would be refused. */
export const countPages = (inputs: readonly string[]): number =>
  new Set(inputs.map(normalizeUrl)).size

function readUrl(input: string, guard: EgressGuard, ownPages: OwnPages): string {
  const url = new URL(normalizeUrl(input))
  // These are read without a connection.
  if (ownPages(url.href) !== undefined) return url.href
  admit(input, url, guard)
  if (isSocial(url.hostname))
    throw fail('onescrape_social', {
      message: `${quoted(input)} is on a social platform, which is not read here. Leave it out and use a platform data action for it.`,
    })
  const extension = documentExtension(url)
  if (extension !== undefined) throw documentRefusal(input, extension)
  return url.href
}

/** The address of a page or of any other file. Throws CallError `bad_url`. */
export function readAddress(input: string, guard: EgressGuard): string {
  const url = new URL(normalizeUrl(input))
  admit(input, url, guard)
  return url.href
}

function admit(input: string, url: URL, guard: EgressGuard): void {
  try {
    guard.admit(url)
  } catch (thrown) {
    if (!(thrown instanceof EgressRefusal)) throw thrown
    throw badUrl(input, `${thrown.message} Send the address of a public web page.`)
  }
}

/** Normalized as all addresses are. A bare host must have a known suffix. */
export const normalizeUrl = (input: string) => normalizeWebAddress(input, isBareHost)

/** Without a scheme, a text must clearly be an address, and not an e-mail address, a file name or a word. */
function isBareHost(text: string, hostname: string): boolean {
  const { isIcann, isPrivate, isIp } = parseDomain(hostname, { allowPrivateDomains: true })
  return (isIcann || isPrivate || isIp) === true && !/^[^/?#]*@/.test(text)
}

/** Platforms whose pages are walled or need an account. Names without a dot stand for every country's suffix. */
const socialDomains: ReadonlySet<string> = new Set(
  `facebook.com fb.com fb.watch messenger.com instagram.com threads.net threads.com x.com twitter.com t.co tiktok.com
   linkedin.com lnkd.in youtube.com youtu.be youtube-nocookie.com reddit.com redd.it weibo.com weibo.cn vk.com vk.ru
   snapchat.com pinterest tumblr.com discord.com discord.gg t.me telegram.me whatsapp.com wa.me bsky.app
   mastodon.social truthsocial.com douyin.com xiaohongshu.com ok.ru bilibili.com`.split(/\s+/),
)

/**
 * Subdomains where the same companies publish ordinary pages. Whole labels are compared: `blogger.x.com` is not one of
 * them.
 */
const publicLabels: ReadonlySet<string> = new Set(
  `developers developer business about help newsroom ads status engineering legal blog support docs investors
   transparency careers`.split(/\s+/),
)

export function isSocial(hostname: string): boolean {
  const { domain, domainWithoutSuffix, subdomain } = parseDomain(hostname)
  if (domain === null || domainWithoutSuffix === null) return false
  if (!socialDomains.has(domain) && !socialDomains.has(domainWithoutSuffix)) return false
  return !(subdomain ?? '').split('.').some((label) => publicLabels.has(label))
}

const documentExtensions: ReadonlySet<string> = new Set(
  'pdf doc docx docm dot dotx xls xlsx xlsm xlsb ppt pptx pptm pps ppsx odt ods odp rtf pages key numbers epub'.split(
    ' ',
  ),
)

/** Only the last path segment counts, and not on wikis: `/wiki/File:Report.pdf` and `?file=a.pdf` are pages. */
export function documentExtension(url: URL): string | undefined {
  const segment = url.pathname.split('/').at(-1) ?? ''
  const extension = /^[^:]*\.([a-z0-9]{1,8})$/i.exec(segment)?.[1]?.toLowerCase()
  return extension !== undefined && documentExtensions.has(extension) ? extension : undefined
}

/** The refusal of a document, which another action reads. */
export function documentRefusal(url: string, kind: string): CallError {
  const next = `Read ${quoted(url)} with read-document.`
  return fail('onescrape_document', {
    message: `${quoted(url)} is a document (${kind}), not a web page. Nothing was charged. ${next}`,
    data: { next },
  })
}
