import type { ProviderHttp } from '#core/ports.ts'
import type { Recall } from './recall-object.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read leaf by leaf; `recallObject` checks what comes out.
type Raw = any

const fdaKinds = ['food', 'drug', 'device'] as const

/** Food, drugs or devices: the FDA keeps a list of each. */
export function fda(kind: (typeof fdaKinds)[number]) {
  const ask = async (http: ProviderHttp, search: string, limit: number): Promise<Recall[]> => {
    const { status, body } = await http.send({
      method: 'GET',
      path: `/${kind}/enforcement.json`,
      host: { host: 'api.fda.gov' },
      query: { search, sort: 'report_date:desc', limit },
      // Nothing found.
      accept: [404],
    })
    if (status === 404) return []
    return body.results.map((raw: Raw) => ({
      id: `fda-${kind}:${raw.recall_number}`,
      source: 'FDA',
      title: raw.product_description ?? raw.recall_number,
      date: (raw.report_date ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') || null,
      company: raw.recalling_firm ?? null,
      hazard: raw.reason_for_recall ?? null,
      remedy: null,
      url: null,
      record: raw,
    }))
  }
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, ' ').trim()}"`
  return {
    search: (http: ProviderHttp, q: string, limit: number) =>
      ask(
        http,
        `product_description:${quoted(q)} reason_for_recall:${quoted(q)} recalling_firm:${quoted(q)}`,
        limit,
      ),
    get: (http: ProviderHttp, key: string) => ask(http, `recall_number:${quoted(key)}`, 1),
  }
}
