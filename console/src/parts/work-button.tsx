import type { ComponentChildren } from 'preact'
import { useWork } from '../load.ts'
import { Problem } from './notices.tsx'

/** A button that works by itself, and says what has failed. It keeps the focus while it works. */
export function WorkButton({
  work,
  label,
  kind = '',
  busy,
  isDisabled = false,
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
  children: ComponentChildren
}) {
  const { isBusy, error, start } = useWork(work)
  return (
    <span class="bar">
      <Problem error={error} />
      <button
        type="button"
        class={kind}
        aria-label={label}
        aria-disabled={isBusy || isDisabled}
        onClick={isDisabled ? undefined : start}
      >
        {isBusy && busy ? busy : children}
      </button>
    </span>
  )
}
