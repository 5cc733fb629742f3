import { getDomainWithoutSuffix } from 'tldts'

const charactersMax = 30

/** A namespace for an API, from its host, or else from its title. */
export function nameOf(title: string | undefined, address: string): string {
  const host = URL.parse(address)?.hostname ?? ''
  const named = [getDomainWithoutSuffix(host) ?? '', title ?? '', host]
    .map(asName)
    .find((name) => name.length > 1)
  return named ?? 'api'
}

const asName = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, charactersMax)
    .replace(/_+$/, '')
