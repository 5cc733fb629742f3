import type { ProviderHttp } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import type { Recall } from './recall-object.ts'
import type { Source } from './source.ts'

/** Closes a range that has no start or no end. */
const firstDay = '1900-01-01'
const lastDay = '2999-12-31'

const fdaKinds = ['food', 'drug', 'device'] as const

/** The FDA has one list each for food, drugs and devices. */
export function fda(kind: (typeof fdaKinds)[number]): Source {
  const ask = async (http: ProviderHttp, search: string, limit: number) => {
    const { status, body } = await http.send({
      method: 'GET',
      path: `/${kind}/enforcement.json`,
      host: { host: 'api.fda.gov' },
      query: { search, sort: 'report_date:desc', limit },
      // Nothing found.
      accept: [404],
    })
    if (status === 404) return { total: 0, recalls: [] }
    const recalls: Recall[] = body.results.map((raw: UntypedJson) => ({
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
    return { total: body.meta?.results?.total ?? recalls.length, recalls }
  }
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, ' ').trim()}"`
  const day = (date: string) => date.replaceAll('-', '')
  return {
    search(http, { q, date_gte, date_lte, reach }) {
      const fields = ['product_description', 'reason_for_recall', 'recalling_firm']
      const named = fields.map((field) => `${field}:${quoted(q)}`).join(' ')
      if (date_gte === undefined && date_lte === undefined) return ask(http, named, reach)
      const days = `[${day(date_gte ?? firstDay)} TO ${day(date_lte ?? lastDay)}]`
      return ask(http, `(${named}) AND report_date:${days}`, reach)
    },
    get: async (http, key) => (await ask(http, `recall_number:${quoted(key)}`, 1)).recalls,
  }
}
