// The base addresses of an API.
import { at, partsOf, type SourcePlace, textAt } from './place.ts'

/**
 * The base addresses that hold for a part of the description, without a slash at their end. Those with https come
 * first.
 */
export function serversOf(root: SourcePlace, ...owners: readonly SourcePlace[]): string[] {
  const { address } = root.document
  const own = owners.find((owner) => partsOf(at(owner, 'servers')).length > 0)
  const written =
    textAt(root, 'swagger') === undefined
      ? (own ? partsOf(at(own, 'servers')) : []).map(serverUrl)
      : swaggerServers(root, address)
  const absolute = (written.length > 0 ? written : ['/']).flatMap((url) =>
    absoluteUrl(url, address),
  )
  return [...new Set(absolute)].sort(
    (a, b) => Number(b.startsWith('https:')) - Number(a.startsWith('https:')),
  )
}

/** Variables take their default, or the first value that they may have. */
function serverUrl(server: SourcePlace): string | undefined {
  const url = textAt(server, 'url')
  return url?.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const variable = at(server, 'variables', name)
    const fallback = at(variable, 'default').value ?? partsOf(at(variable, 'enum'))[0]?.value
    return fallback === undefined ? placeholder : String(fallback)
  })
}

function swaggerServers(root: SourcePlace, address: string): (string | undefined)[] {
  const base = URL.canParse(address) ? new URL(address) : undefined
  const host = textAt(root, 'host') ?? (base?.protocol.startsWith('http') ? base.host : undefined)
  if (host === undefined || host === '') return [undefined]
  const bare = host.replace(/^[a-z]+:\/\//i, '')
  const named = partsOf(at(root, 'schemes')).map(({ value }) => String(value))
  const usual = base?.protocol.startsWith('http') ? [base.protocol.slice(0, -1)] : ['https']
  return (named.length > 0 ? named : usual).map(
    (scheme) => `${scheme}://${bare}${withSlash(textAt(root, 'basePath') ?? '')}`,
  )
}

const withSlash = (path: string) => (path === '' || path.startsWith('/') ? path : `/${path}`)

function absoluteUrl(url: string | undefined, address: string): string[] {
  if (url === undefined || /[{}]/.test(url)) return []
  const written =
    /^\/\/|^[a-z][a-z\d+.-]*:/i.test(url) || url.startsWith('/') || url.startsWith('.')
      ? url
      : guessed(url)
  const base = /^https?:/i.test(address) ? address : undefined
  if (!URL.canParse(written, base)) return []
  const { protocol, origin, pathname, username } = new URL(written, base)
  if (!/^https?:$/.test(protocol) || username !== '') return []
  return [`${origin}${pathname}`.replace(/\/+$/, '')]
}

/** `api.example.com/v1` lacks its scheme; `v1` is relative. */
const guessed = (url: string) =>
  /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/.test(url) ? `https://${url}` : url
