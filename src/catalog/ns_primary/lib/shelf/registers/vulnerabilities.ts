import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { defineSource, mapList } from '../../source.ts'
import { code, day, figure, needed, rowsUpTo, text, texts, words } from '../../source-fields.ts'

const dayMs = 86_400_000
/** The database refuses longer spans. */
const daysMax = 120

export const vulnerabilities = defineSource({
  summary: 'Known weaknesses of software by CVE number or words: severity, score and references.',
  synonyms: ['cve lookup', 'security vulnerability', 'nvd', 'cvss score', 'software weakness'],
  source: 'NIST, National Vulnerability Database',
  attribution:
    'This product uses data from the NVD API but is not endorsed or certified by the NVD.',
  host: 'services.nvd.nist.gov',
  pacing: [{ requests: 5, windowMs: 30_000 }],
  rememberSeconds: 7_200,
  input: z.strictObject({
    cve: code(/^CVE-\d{4}-\d{4,}$/, 'a number such as CVE-2021-44228')
      .optional()
      .describe('CVE number: CVE-2021-44228.'),
    q: words.optional().describe('Words to look for.'),
    severity: z
      .enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])
      .optional()
      .describe('Severity by CVSS 3.'),
    from: day.optional().describe('First day.'),
    to: day.optional().describe('Last day.'),
    limit: rowsUpTo(200, 20),
    offset: z.int().min(0).max(500_000).default(0),
  }),
  anyOf: ['cve', 'q', 'from'],
  row: z.object({
    id: needed.describe('CVE number.'),
    published: text.describe('When it was published.'),
    modified: text.describe('When it was last changed.'),
    status: text.describe('How far the analysis is.'),
    description: text.describe('What is wrong, in English.'),
    score: figure.describe('Base score of CVSS, 0 to 10.'),
    severity: text.describe('LOW, MEDIUM, HIGH or CRITICAL.'),
    vector: text.describe('Vector of CVSS.'),
    weaknesses: texts.describe('CWE numbers.'),
    references: texts.describe('Addresses of advisories and patches.'),
    url: text.describe('Its page.'),
  }),
  example: { cve: 'CVE-2021-44228', limit: 1 },
  async read({ input: { cve, q, severity, from, to, limit, offset }, ask, clock }) {
    const span = from === undefined ? undefined : spanOf(from, to, clock.now())
    const body = await ask.get('/rest/json/cves/2.0', {
      cveId: cve,
      keywordSearch: q,
      cvssV3Severity: severity,
      pubStartDate: span?.first,
      pubEndDate: span?.last,
      resultsPerPage: limit,
      startIndex: offset,
    })
    return {
      total: body?.totalResults ?? null,
      items: mapList(body?.vulnerabilities, ({ cve: found }) => describeWeakness(found)),
    }
  },
})

function spanOf(from: string, to: string | undefined, nowMs: number) {
  const last = to ?? new Date(nowMs).toISOString().slice(0, 10)
  if (Date.parse(last) - Date.parse(from) > daysMax * dayMs) {
    throw fail('bad_request', {
      message: `The database searches at most ${daysMax} days at once. Send from and to.`,
    })
  }
  return { first: `${from}T00:00:00.000`, last: `${last}T23:59:59.999` }
}

function describeWeakness(cve: UntypedJson) {
  const { cvssMetricV40, cvssMetricV31, cvssMetricV30, cvssMetricV2 } = cve.metrics ?? {}
  const [rated] = cvssMetricV31 ?? cvssMetricV30 ?? cvssMetricV40 ?? cvssMetricV2 ?? []
  const { baseScore, baseSeverity, vectorString } = rated?.cvssData ?? {}
  const english = (rows: readonly { lang: string; value: string }[] = []) =>
    rows.find(({ lang }) => lang === 'en')?.value
  return {
    id: cve.id,
    published: cve.published,
    modified: cve.lastModified,
    status: cve.vulnStatus,
    description: english(cve.descriptions),
    score: baseScore,
    // The second version of CVSS has it beside its data.
    severity: baseSeverity ?? rated?.baseSeverity,
    vector: vectorString,
    weaknesses: [
      ...new Set(
        (cve.weaknesses ?? []).map(({ description }: { description: [] }) => english(description)),
      ),
    ],
    references: [
      ...new Set((cve.references ?? []).map((reference: { url?: string }) => reference?.url)),
    ],
    url: `https://nvd.nist.gov/vuln/detail/${cve.id}`,
  }
}
