import type { ComponentChildren } from 'preact'
import { useWork } from '../load.ts'
import { Problem } from './notices.tsx'
import { type OperatorRoute, Reason, useRefusal } from './role.tsx'

/** A button that works by itself, and says what has failed. It keeps the focus while it works. */
export function WorkButton({
  work,
  label,
  kind = '',
  busy,
  isDisabled: isOff = false,
  needs,
  children,
}: {
  work: Parameters<typeof useWork>[0]
  /** Its name, where what it shows is too short for one. */
  label?: string
  kind?: '' | 'plain'
  /** What it shows while it works. */
  busy?: string
  /** Whether it can do nothing now. */
  isDisabled?: boolean
  /** The route of the operator that it asks for. */
  needs?: OperatorRoute | undefined
  children: ComponentChildren
}) {
  const { isBusy, error, start } = useWork(work)
  const refusal = useRefusal(needs)
  const isDisabled = isOff || refusal !== undefined
  return (
    <span class="bar">
      <Problem error={error} />
      <button
        type="button"
        class={kind}
        aria-label={label}
        aria-disabled={isBusy || isDisabled}
        onClick={isDisabled ? undefined : start}
        {...refusal?.control}
      >
        {isBusy && busy ? busy : children}
      </button>
      <Reason of={refusal} />
    </span>
  )
}
