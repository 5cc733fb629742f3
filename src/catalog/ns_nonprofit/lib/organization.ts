// An organization in the registry's lists.
import { z } from '#core/action.ts'
import { padEin, profileUrl } from './ein.ts'

export interface FoundOrganization {
  readonly ein: number
  readonly name: string
  readonly city?: string | null
  readonly state?: string | null
  readonly ntee_code?: string | null
}

export const organizationObject = z.looseObject({
  ein: z.string().describe('Nine digits, for ns_nonprofit/nonprofit.'),
  name: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  ntee_code: z.string().nullable(),
  url: z.url(),
})

export const describeOrganization = ({ ein, name, city, state, ntee_code }: FoundOrganization) => ({
  ein: padEin(ein),
  name,
  city: city ?? null,
  state: state ?? null,
  ntee_code: ntee_code ?? null,
  url: profileUrl(padEin(ein)),
})
