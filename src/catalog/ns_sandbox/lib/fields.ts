// The fields of several sandbox actions.
import { z } from '#core/action.ts'

const argumentsMax = 1_000
const commandCharactersMax = 100_000

export const sandboxId = z
  .string()
  .min(1)
  .max(200)
  .describe('The sandbox_id of ns_sandbox/sandbox-create.')

/** A string goes to a shell, a list does not. */
export const command = z.union([
  z.string().min(1).max(commandCharactersMax),
  z.array(z.string().max(commandCharactersMax)).min(1).max(argumentsMax),
])

export const sandboxOf = ({ sandbox_id: id }: { sandbox_id: string }) => ({ kind: 'sandbox', id })

/** This machine stands in for the vendor. */
export const runsHere = () => {
  throw new Error('Sandboxes are run by this machine.')
}
