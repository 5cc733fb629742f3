import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export const lang = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,19}$/, 'must be the language code of a Wikipedia, as in en, de, zh-yue')
  .default('en')
  .describe('Language edition, by its subdomain: en, de, ja, zh-yue, simple.')

/** A query of the action API of one language edition. Throws `bad_request` when there is no such edition. */
export async function query(
  http: ProviderHttp,
  edition: string,
  parameters: Readonly<Record<string, QueryValue>>,
): Promise<UntypedJson> {
  const { status, body } = await http.send({
    method: 'GET',
    path: '/w/api.php',
    host: { lang: edition },
    query: { action: 'query', format: 'json', ...parameters },
    // Unknown editions are redirected to the portal or the incubator.
    accept: [301, 302, 404],
  })
  if (status === 200) return body.query ?? {}
  throw fail('bad_request', {
    message: `There is no Wikipedia with the language code "${edition}".`,
  })
}

/** The address of the page for people. */
export function pageUrl(edition: string, title: string): string {
  return `https://${edition}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`
}
