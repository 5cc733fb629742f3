// How the call of an action goes on after its request.
import type { Action } from '../action.ts'

/** Whether a call of this action opens a session, which outlives its request. */
export const opensSession = ({ mode }: Action): boolean => mode === 'session'

/** Whether a call with this input outlives its request: its response holds a handle. */
export function runsAsJob({ mode, answersInline }: Action, input: unknown): boolean {
  return mode === 'job' && !answersInline?.(input)
}
