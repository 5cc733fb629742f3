import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { sentenceOf } from '../gateway.ts'
import type { Loaded } from '../load.ts'
import { Foreign } from './foreign.tsx'

/** What a person is told once goes away when they change what they have entered in the same form. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const [answered, setAnswered] = useState<unknown>()
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const form = notice.current?.closest('form')
    const answer = () => setAnswered(error)
    form?.addEventListener('input', answer)
    return () => form?.removeEventListener('input', answer)
  }, [error])
  if (error === undefined || error === answered) return null
  return (
    <div ref={notice} class="notice bad bar" role="alert">
      <span>
        <Foreign text={sentenceOf(error)} />
      </span>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
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
