// What stays of a call besides its answer.
import type { Action } from '../action.ts'

/** Whether a call buys nothing, begins nothing that goes on, and makes, changes and removes nothing. */
export const leavesNothing = ({
  mode,
  makes,
  issues,
  irrevocable,
  ends,
  closes,
}: Action): boolean =>
  mode === undefined &&
  makes === undefined &&
  issues === undefined &&
  !irrevocable &&
  !ends &&
  !closes
