import type { ComponentChildren } from 'preact'
import { isMissing, isSignInChanged, sentenceOf } from '../gateway.ts'
import { type Loaded, useAgain } from '../load.ts'
import { Foreign } from './foreign.tsx'

/** `retry`: of what a page shows. */
export function Problem({ error, ...of }: { error: unknown; retry?: (() => void) | undefined }) {
  // What is not there is not there the next time.
  const retry = isMissing(error) ? undefined : of.retry
  const again = useAgain(error, retry)
  if (error === undefined) return null
  const isChanged = isSignInChanged(error)
  const mend = isChanged ? () => location.reload() : retry
  return (
    <div class="notice bad bar" role="alert">
      <span>
        {retry && !isChanged && 'This could not be loaded. '}
        <Foreign text={sentenceOf(error)} />
        {again && ` It is tried again ${again}.`}
      </span>
      {mend && (
        <button type="button" onClick={mend}>
          {isChanged ? 'Reload the page' : 'Try again'}
        </button>
      )}
    </div>
  )
}

/**
 * Shows what was loaded. While a first answer is awaited it says so, and while it loads again it keeps what it shows.
 */
export function Shown<Value>({
  of: loaded,
  children,
}: {
  of: Loaded<Value>
  children: (value: Value) => ComponentChildren
}) {
  const { value, error, reload } = loaded
  return (
    <>
      <Problem error={error} retry={reload} />
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && <Loading />}
    </>
  )
}

export const Loading = () => (
  <p class="quiet" role="status">
    Loading …
  </p>
)

export function Tag({
  kind,
  children,
}: {
  kind?: 'good' | 'warning' | 'bad' | undefined
  children: ComponentChildren
}) {
  return <span class={`tag ${kind ?? ''}`}>{children}</span>
}
