// The values that sources have named for one field, and how sure each is.
import { splitId } from '#core/catalog.ts'
import { canonicalProfile, companyKey, emailKey, nameKey, type PersonField } from '../person.ts'
import { oddsNeeded, verifiedOdds } from './confidence.ts'
import type { MailVerdict } from './verify.ts'

export interface NamedValue {
  /** As the first source wrote it. */
  readonly value: string
  /** The actions that name it. */
  readonly actions: string[]
  verdict: MailVerdict | undefined
}

export interface AcceptedValue extends NamedValue {
  /** That it is right. */
  readonly odds: number
  /** An address that its mail server accepts, or another value that two vendors name. */
  readonly isVerified: boolean
}

export interface NamedValues {
  /**
   * `odds`: that the source is right. `facts`: odds of what fits besides, which count once for a value. Two actions of
   * one vendor draw on the same data, so they count once, too.
   */
  add(value: string, source: { action: string; odds: number; facts: number }): void
  /** Returns the value that is sure enough. An address is accepted only after it was verified. */
  accepted(): AcceptedValue | undefined
  /** The address that becomes sure enough if it is verified to be good. */
  worthVerifying(): NamedValue | undefined
  /** The odds of the surest value, at best. 0 without a value. */
  reach(): number
  all(): readonly NamedValue[]
}

const keyOf: Readonly<Record<PersonField, (value: string) => string>> = {
  name: nameKey,
  title: nameKey,
  company: companyKey,
  linkedin: (value) => canonicalProfile(value) ?? value,
  email: emailKey,
  phone: (value) => value.replace(/[^\d+]/g, ''),
}

/** A person has one of these. Of others there may be several right values. */
const single: ReadonlySet<PersonField> = new Set(['name', 'title', 'company', 'linkedin'])

const vendorOf = (action: string) => splitId(action)[0]

interface Weighed extends NamedValue {
  odds: number
  facts: number
}

export function createNamedValues(field: PersonField): NamedValues {
  const found = new Map<string, Weighed>()
  const standing = () => [...found.values()].filter(({ verdict }) => verdict !== 'invalid')
  const weigh = ({ odds, facts, verdict }: Weighed) =>
    odds * facts * (verdict === 'valid' ? verifiedOdds : 1)
  /** Where only one value can be right, another one speaks against it. */
  const oddsOf = (candidate: Weighed) => {
    const others = single.has(field) ? standing().filter((each) => each !== candidate) : []
    return weigh(candidate) / Math.max(1, ...others.map(weigh))
  }
  const atBest = (candidate: Weighed) =>
    oddsOf(candidate) * (field === 'email' && candidate.verdict === undefined ? verifiedOdds : 1)
  const surest = (candidates: readonly Weighed[]) =>
    candidates.toSorted((one, other) => oddsOf(other) - oddsOf(one))[0]

  return {
    add(value, { action, odds, facts }) {
      const key = keyOf[field](value)
      if (key === '') return
      const known = found.get(key)
      if (known === undefined) {
        found.set(key, { value, actions: [action], odds, facts, verdict: undefined })
        return
      }
      if (!known.actions.some((other) => vendorOf(other) === vendorOf(action))) known.odds *= odds
      if (!known.actions.includes(action)) known.actions.push(action)
      known.facts = Math.max(known.facts, facts)
    },
    accepted() {
      const sure = surest(
        standing().filter(
          (candidate) =>
            (field !== 'email' || candidate.verdict !== undefined) &&
            oddsOf(candidate) >= oddsNeeded,
        ),
      )
      if (sure === undefined) return undefined
      const isVerified =
        field === 'email' ? sure.verdict === 'valid' : new Set(sure.actions.map(vendorOf)).size > 1
      return { ...sure, odds: oddsOf(sure), isVerified }
    },
    worthVerifying: () =>
      surest(
        standing().filter(
          (candidate) => candidate.verdict === undefined && atBest(candidate) >= oddsNeeded,
        ),
      ),
    reach: () => Math.max(0, ...standing().map(atBest)),
    all: () => [...found.values()],
  }
}
