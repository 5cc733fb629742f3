// Gives all addresses of a page one form: without tracking, the mobile host, AMP and viewers.

/** Parameters that say where the reader came from. */
const tracking =
  /^(?:utm_\w+|ga_\w+|mc_[ce]id|_ga|_gl|_hs\w+|hsa_\w+|[a-z]*clid|gclsrc|igshid|igsh|ref|ref_src|ref_url|\w*referrer\w*|cmpid|cmp|ocid|smid|smtyp|spm|sr_share|share|source|mbid|ncid|cid|s_cid|icid|taid|at_medium|at_campaign|feature|si|amp|outputtype|guccounter|guce_\w+|via|from|trk|originalSubdomain)$/i
const mobileLabels: ReadonlySet<string> = new Set(['www', 'm', 'mobile', 'amp', 'touch', 'wap'])
/** Hosts of other pages: the page's own address follows in the path. */
const wrappers: readonly RegExp[] = [
  /^https?:\/\/[\w-]+\.cdn\.ampproject\.org\/[cv]\/(?:s\/)?/i,
  /^https?:\/\/(?:www\.)?google\.[a-z.]+\/amp\/(?:s\/)?/i,
]

/** Without the scheme, so that it compares and sorts. A text that is not an address stays as it is. */
export function pageAddress(url: string): string {
  const parsed = URL.parse(unwrap(url.trim()))
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return url.trim()
  const host = pageHost(parsed)
  const query = [...parsed.searchParams]
    .filter(([name]) => !tracking.test(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  // A single-page site names its page after `#/` or `#!`.
  const route = /^#[!/]/.test(parsed.hash) ? parsed.hash : ''
  return `${host}${pathOf(parsed)}${query === '' ? '' : `?${query}`}${route}`
}

/** The host without `www.`, `m.` and their like, at the beginning or before the domain (`en.m.wikipedia.org`). */
function pageHost({ hostname, port }: URL): string {
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.')
  const own = labels.filter((label, at) => at >= labels.length - 2 || !mobileLabels.has(label))
  return own.join('.') + (port === '' ? '' : `:${port}`)
}

function unwrap(url: string): string {
  for (const wrapper of wrappers) {
    if (wrapper.test(url)) return `https://${url.replace(wrapper, '')}`
  }
  // The viewer of tagged filings names the document in a parameter.
  const viewed =
    /^(https?:\/\/(?:www\.)?sec\.gov)\/(?:cgi-bin\/)?(?:ix\?doc=|ixviewer\/.*?[?&]doc=)(\/[^&#]+)/i.exec(
      url,
    )
  return viewed === null ? url : `${viewed[1]}${viewed[2]}`
}

function pathOf({ hostname, pathname }: URL): string {
  let path = pathname.replaceAll(/\/{2,}/g, '/')
  // The same form as a page (`xslF345X03/doc.xml`) and as data (`doc.xml`).
  if (/(?:^|\.)sec\.gov$/i.test(hostname)) path = path.replace(/\/xsl[^/]*\//i, '/')
  return path
    .replace(/\.amp(?=$|\.html?$)/i, '')
    .replace(/\/amp\/?$/i, '')
    .replace(/^\/amp\//i, '/')
    .replace(/\/(?:index|default)\.(?:html?|php|aspx?)$/i, '')
    .replace(/\/$/, '')
}
