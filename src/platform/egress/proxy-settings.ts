// How settings list the operator's proxies.

import { errorOf } from '#core/errors.ts'
import { commaList } from '#core/settings.ts'
import { type OperatorProxy, readOperatorProxy } from './operator-proxies.ts'

/** Error messages leave the proxy out, since it holds a password. */
export const proxyList = commaList.prefault('').transform((list, context) =>
  list.flatMap((text) => {
    try {
      return [readOperatorProxy(text)]
    } catch (thrown) {
      context.addIssue(errorOf(thrown).message)
      return []
    }
  }),
)

/** `DE=http://user:password@host:port`, several for a country. */
export const proxiesByCountry = commaList.prefault('').transform((list, context) => {
  const known = new Map<string, OperatorProxy[]>()
  for (const text of list) {
    const [, country, proxy = ''] = /^([A-Za-z]{2})=(.+)$/.exec(text) ?? []
    try {
      if (country === undefined)
        throw new TypeError('Each proxy must begin with a country: DE=http://…')
      const name = country.toUpperCase()
      known.set(name, [...(known.get(name) ?? []), readOperatorProxy(proxy)])
    } catch (thrown) {
      context.addIssue(errorOf(thrown).message)
    }
  }
  return known as ReadonlyMap<string, readonly OperatorProxy[]>
})
