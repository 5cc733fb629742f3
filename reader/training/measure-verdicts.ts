// How good the verdicts on labelled samples are.
import type { LabelledSample } from '../samples/read-samples.ts'
import type { Survey } from '../src/page/survey.ts'
import { type PageKind, readBody } from '../src/read-body.ts'
import type { PageEvidence } from '../src/verdict/page-evidence.ts'
import { judgePage, type Knowledge, type Verdict } from '../src/verdict/verdict.ts'

export interface VerdictQuality {
  /** Share of the walls that are not read. */
  readonly caught: number
  /** Share of the pages that are not read. */
  readonly flagged: number
  /** Share of the samples called `blocked` that are walls. */
  readonly precision: number
  readonly mistakes: readonly JudgedSample[]
}

export interface JudgedSample {
  readonly sample: LabelledSample
  readonly verdict: Verdict
}

const kinds: readonly (readonly [RegExp, PageKind])[] = [
  [/json/, 'json'],
  [/xml/, 'xml'],
  [/plain/, 'text'],
]

/** What the gateway knows of a sample. */
export function evidenceOf({
  html,
  contentType = 'text/html',
  status = 200,
  headers = {},
  finalUrl = 'https://www.example.com/p/1',
}: LabelledSample): PageEvidence {
  const kind = kinds.find(([type]) => type.test(contentType))?.[1] ?? 'html'
  // The survey is of the whole page.
  const options = { format: 'markdown', mainContent: false } as const
  const { survey }: { survey: Survey } = readBody({ kind, body: html, finalUrl }, options)
  const allHeaders = { 'content-type': contentType, ...headers }
  return { kind, html, status, headers: allHeaders, finalUrl, survey }
}

export function measureVerdicts(
  samples: readonly LabelledSample[],
  knowledge?: Knowledge,
): VerdictQuality {
  return summarizeVerdicts(
    samples.map((sample) => ({ sample, verdict: judgePage(evidenceOf(sample), knowledge) })),
  )
}

function summarizeVerdicts(judged: readonly JudgedSample[]): VerdictQuality {
  const mistakes = judged.filter(({ sample, verdict }) => (sample.kind === 'wall') === verdict.read)
  const shareOf = (kind: LabelledSample['kind']) => {
    const count = (some: readonly JudgedSample[]) =>
      some.filter(({ sample }) => sample.kind === kind).length
    return count(mistakes) / Math.max(1, count(judged))
  }
  const blocked = judged.filter(({ verdict }) => verdict.flags.includes('blocked'))
  const walls = blocked.filter(({ sample }) => sample.kind === 'wall')
  return {
    caught: 1 - shareOf('wall'),
    flagged: shareOf('page'),
    precision: blocked.length === 0 ? 1 : walls.length / blocked.length,
    mistakes,
  }
}
