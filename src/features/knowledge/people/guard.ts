// Keeps people who have opted out of every action about people, also of those that pass on what a vendor answers.
import type { Action } from '#core/action.ts'
import { type CallError, fail } from '#core/errors.ts'
import type { Provider } from '#core/provider.ts'
import type { OptOut } from './opt-out.ts'
import { isOfListed, leaveOutListed, leftOut, peopleIn } from './records.ts'
import type { DisclosureBook } from './rights.ts'

/** The provider, with its actions about people guarded. */
export const guardPeople = (provider: Provider, parts: GuardParts): Provider => ({
  ...provider,
  actions: provider.actions.map((action) =>
    action.people ? guardAction(action, `${provider.id}/${action.name}`, parts) : action,
  ),
})

interface GuardParts {
  readonly optOut: OptOut
  readonly disclosures: Pick<DisclosureBook, 'note'>
}

/**
 * A question about a listed person is not asked, and an answer about one is not given: `not_found`, as for a person
 * whom the vendor does not know. Of a list of people, the others stay, and what is said of them is noted for them.
 */
function guardAction(action: Action, id: string, { optOut, disclosures }: GuardParts): Action {
  return {
    ...action,
    async run(context) {
      if (isOfListed(context.input, await optOut.current())) throw notFound()
      const answer = await action.run(context)
      // The list may have grown while the vendor was asked.
      const left = leaveOutListed(answer, await optOut.current())
      if (left === leftOut) throw notFound()
      await disclosures.note(peopleIn(left), { action: id })
      return left
    },
  }
}

/** Tells the log, and the action that this one runs inside, why no one was found. Callers do not read it. */
class OptedOutError extends Error {}

export const isOptedOut = ({ cause }: CallError): boolean => cause instanceof OptedOutError

const notFound = () =>
  fail('not_found', {
    message: 'No one was found. Nothing was charged.',
    cause: new OptedOutError('The person has opted out.'),
  })
