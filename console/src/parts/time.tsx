import { showFullTime, showTime } from '../format/time.ts'

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="quiet">never</span>
  return (
    <time dateTime={at} title={showFullTime(at)}>
      {showTime(at)}
    </time>
  )
}
