import type { ComponentChildren } from 'preact'
import type { Work } from '../load.ts'
import { Problem } from './notices.tsx'
import { type OperatorRoute, Reason, useRefusal } from './role.tsx'

/**
 * A form that does one thing. It says once what failed or what was done, until the person changes what they have
 * entered. Its button keeps the focus while it works. Its controls listen to `input`: at `change` the form has been
 * drawn again, with what they had before.
 */
export function Form({
  of: work,
  submit,
  submitted = work.start,
  kind = '',
  isCard = false,
  isReady: isFilled = true,
  needs,
  busy,
  changed,
  beside,
  children,
}: {
  of: Work
  /** What its button says. */
  submit: string
  /** Called instead of the work, for what asks first. */
  submitted?: () => void
  kind?: '' | 'main' | 'dangerous' | 'main dangerous'
  isCard?: boolean
  /** Whether enough was entered. */
  isReady?: boolean
  /** The route of the operator that it asks for. */
  needs?: OperatorRoute | undefined
  /** What is said while it works. */
  busy?: string
  changed?: () => void
  /** Further buttons. */
  beside?: ComponentChildren
  children?: ComponentChildren
}) {
  const refusal = useRefusal(needs)
  const isReady = isFilled && refusal === undefined
  return (
    <form
      class={isCard ? 'card stack' : 'stack'}
      onInput={() => {
        work.forget()
        changed?.()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) submitted()
      }}
    >
      {children}
      <Problem error={work.error} />
      <div class="bar start">
        <button
          type="submit"
          class={kind}
          aria-disabled={work.isBusy || !isReady}
          {...refusal?.control}
        >
          {submit}
        </button>
        <Reason of={refusal} />
        {beside}
        <span role="status">{work.isBusy ? busy : work.done}</span>
      </div>
    </form>
  )
}
