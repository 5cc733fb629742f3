import type { AnswerOf } from '../gateway.ts'

type Canary = Pick<
  AnswerOf<'GET /api/v1/admin/canaries'>['canaries'][number],
  'provider' | 'mode' | 'action'
> & { readonly last: { readonly state: State } | null }
type State = 'running' | 'well' | 'drifted' | 'failed' | 'unclear'

/** What needs the operator most comes first. */
const attention: readonly (State | 'untested')[] = [
  'failed',
  'drifted',
  'unclear',
  'running',
  'untested',
  'well',
]

/**
 * First what the operator has set up, their own APIs before providers that they have a key of. In each part what needs
 * attention comes before what is well, and what cannot be asked comes last. `own`: the names of their own APIs.
 */
export const inOrder = <Each extends Canary>(canaries: readonly Each[], own: ReadonlySet<string>) =>
  canaries.toSorted((one, other) => {
    const [ranks, others] = [ranksOf(one, own), ranksOf(other, own)]
    return ranks.map((rank, place) => rank - (others[place] ?? 0)).find(Boolean) ?? 0
  })

const ranksOf = ({ provider, mode, action, last }: Canary, own: ReadonlySet<string>) => {
  const isOwn = own.has(provider)
  const needs = action === null ? attention.length : attention.indexOf(last?.state ?? 'untested')
  return [Number(!isOwn && mode !== 'live'), needs, Number(!isOwn)]
}
