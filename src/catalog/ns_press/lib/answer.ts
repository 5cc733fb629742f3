import { fail } from '#core/errors.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'

/** An escape that JSON knows, a backslash that begins none, or a character that must not stand as it is. */
const strays = /\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\|\p{Cc}/gu

/** Headlines are passed on as they were found: those that break the rules of JSON must not cost all others. */
const mend = (text: string) =>
  text.replaceAll(strays, (found, known) => {
    if (known !== undefined) return found
    return found === '\\' ? '' : ' '
  })

/** An answer of the one address that there is; nothing where nothing was found. */
export async function askGdelt<Answer extends object>(
  http: ProviderHttp,
  query: Readonly<Record<string, QueryValue>>,
): Promise<Partial<Answer>> {
  const text: string = await http.get('/api/v2/doc/doc', {
    query: { ...query, format: 'json' },
    as: 'text',
  })
  try {
    return JSON.parse(mend(text).trim() || '{}')
  } catch (thrown) {
    throw fail('upstream_error', { cause: thrown })
  }
}
