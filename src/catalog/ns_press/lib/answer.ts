import { fail } from '#core/errors.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'

/** A valid JSON escape, a stray backslash, or a control character. */
const strays = /\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\|\p{Cc}/gu

/** Repairs headlines that break the rules of JSON, so that the other articles can be read. */
const mend = (text: string) =>
  text.replaceAll(strays, (found, known) => {
    if (known !== undefined) return found
    return found === '\\' ? '' : ' '
  })

/** The answer of the API; an empty object if nothing was found. */
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
