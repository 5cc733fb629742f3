/** Cookies for the redirects of one fetch. Many sites set a cookie and redirect to themselves until it comes back. */
export interface CookieJar {
  keep(from: URL, setCookie: string | readonly string[] | undefined): void
  headerFor(url: URL): string | undefined
}

const cookiesMax = 50
const cookieBytesMax = 4_096

/**
 * Ignores Path, Expires and other attributes, because the jar lives for one fetch. Cookies return only to their host.
 */
export function createCookieJar(): CookieJar {
  const byHost = new Map<string, Map<string, string>>()
  let count = 0
  return {
    keep(from, setCookie) {
      for (const line of setCookie === undefined ? [] : [setCookie].flat()) {
        const [pair = ''] = line.split(';', 1)
        const split = pair.indexOf('=')
        if (split <= 0 || pair.length > cookieBytesMax || count >= cookiesMax) continue
        const cookies = byHost.get(from.host) ?? new Map<string, string>()
        byHost.set(
          from.host,
          cookies.set(pair.slice(0, split).trim(), pair.slice(split + 1).trim()),
        )
        count += 1
      }
    },
    headerFor(url) {
      const cookies = byHost.get(url.host)
      return cookies && [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
  }
}
