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

/** What is started: a shell with a string, or the program of a list. */
export const argvOf = (wanted: z.output<typeof command>): readonly string[] =>
  typeof wanted === 'string' ? ['/bin/sh', '-c', wanted] : wanted
