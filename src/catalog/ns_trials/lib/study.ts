// A study of ClinicalTrials.gov is a tree of modules. This flattens its main facts.
import { z } from '#core/action.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export const statuses = [
  'ACTIVE_NOT_RECRUITING',
  'COMPLETED',
  'ENROLLING_BY_INVITATION',
  'NOT_YET_RECRUITING',
  'RECRUITING',
  'SUSPENDED',
  'TERMINATED',
  'WITHDRAWN',
  'AVAILABLE',
  'NO_LONGER_AVAILABLE',
  'TEMPORARILY_NOT_AVAILABLE',
  'APPROVED_FOR_MARKETING',
  'WITHHELD',
  'UNKNOWN',
] as const

export const phases = ['NA', 'EARLY_PHASE1', 'PHASE1', 'PHASE2', 'PHASE3', 'PHASE4'] as const

export const studyObject = z.looseObject({
  id: z.string().describe('For ns_trials/get.'),
  source: z.string(),
  title: z.string(),
  status: z.string().nullable(),
  phases: z.array(z.string()),
  conditions: z.array(z.string()),
  interventions: z.array(z.string()),
  sponsor: z.string().nullable(),
  start_date: z.string().nullable(),
  completion_date: z.string().nullable(),
  enrollment: z.int().nullable(),
  url: z.url(),
})

export function describeStudy({ protocolSection: study }: UntypedJson) {
  const identity = study.identificationModule
  return {
    id: identity.nctId,
    source: 'ClinicalTrials.gov',
    title: identity.briefTitle ?? identity.officialTitle ?? identity.nctId,
    status: study.statusModule?.overallStatus ?? null,
    phases: study.designModule?.phases ?? [],
    conditions: study.conditionsModule?.conditions ?? [],
    interventions: (study.armsInterventionsModule?.interventions ?? []).map(
      ({ name }: { name: string }) => name,
    ),
    sponsor: study.sponsorCollaboratorsModule?.leadSponsor?.name ?? null,
    start_date: study.statusModule?.startDateStruct?.date ?? null,
    completion_date: study.statusModule?.completionDateStruct?.date ?? null,
    enrollment: study.designModule?.enrollmentInfo?.count ?? null,
    summary: study.descriptionModule?.briefSummary ?? null,
    url: `https://clinicaltrials.gov/study/${identity.nctId}`,
  }
}
