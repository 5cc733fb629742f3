// Patent applications in the form of the Open Data Portal.
import { z } from '#core/action.ts'
import type { ProviderHttp } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export const page = {
  limit: z.int().min(1).max(100).default(25).describe('Applications to return, at most 100.'),
  offset: z.int().min(0).max(100_000).default(0).describe('Applications to skip.'),
}

export const applicationObject = z.looseObject({
  application_number: z.string(),
  title: z.string().nullable(),
  filing_date: z.string().nullable(),
  status: z.string().nullable(),
  patent_number: z.string().nullable().describe('Once granted.'),
  grant_date: z.string().nullable(),
  publication_number: z.string().nullable(),
  inventors: z.array(z.string()),
  applicants: z.array(z.string()),
  assignees: z.array(z.string()),
})

const names = (items: UntypedJson[] | undefined, field: string): string[] => [
  ...new Set((items ?? []).map((item) => item?.[field]).filter(Boolean)),
]

function describe({
  applicationNumberText,
  applicationMetaData: meta = {},
  assignmentBag = [],
}: UntypedJson) {
  return {
    application_number: applicationNumberText,
    title: meta.inventionTitle ?? null,
    filing_date: meta.filingDate ?? null,
    status: meta.applicationStatusDescriptionText ?? null,
    patent_number: meta.patentNumber ?? null,
    grant_date: meta.grantDate ?? null,
    publication_number: meta.earliestPublicationNumber ?? null,
    inventors: names(meta.inventorBag, 'inventorNameText'),
    applicants: names(meta.applicantBag, 'applicantNameText'),
    assignees: names(
      assignmentBag.flatMap((assignment: UntypedJson) => assignment.assigneeBag ?? []),
      'assigneeNameText',
    ),
  }
}

/** The portal answers an empty result with 404. It has used two names for its list. */
export async function searchApplications(http: ProviderHttp, body: object) {
  const { status, body: answer } = await http.send({
    method: 'POST',
    path: '/patent/applications/search',
    body,
    accept: [404],
  })
  const found: UntypedJson[] = answer?.patentFileWrapperDataBag ?? answer?.patentBag ?? []
  return { total: status === 404 ? 0 : answer?.count, results: found.map(describe) }
}
